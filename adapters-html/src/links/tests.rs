//! Tests of the search for article links.
