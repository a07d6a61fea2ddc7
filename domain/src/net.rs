//! Addresses and URLs: where Headwater may go, and when two URLs are one.
