//! Does the classifier behind a language model ask as the endpoint wants it, and believe nothing that it should not?
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

mod model_endpoint {
    mod classify;
    mod kit;
    mod summarise;
}
