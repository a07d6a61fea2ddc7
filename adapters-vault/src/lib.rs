//! Secrets at rest: sealed with AES-256-GCM under a ring of keys, and of no use to a thief.
//!
//! [`KeyRing`] keeps the contract of the vault port. What it seals reads `enc:v2:<key id>:<base64url>`, with a random nonce
//! and the place of the secret as associated data. It also opens `enc:v1:` texts and plain ones of older systems.

mod key_ring;
mod sealing;

pub use key_ring::{KeyRing, new_key};
