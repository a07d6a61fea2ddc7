//! What `parser` is held to.


