//! What `mapping` is held to.


