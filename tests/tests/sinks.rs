//! Do web hooks and mailboxes get each digest as they should, and nobody else anything?
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

mod sinks {
    mod kit;
    mod smtp;
    mod webhook;
}
