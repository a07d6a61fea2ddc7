//! The pure rules of Headwater: no I/O, no async, no clock, no randomness.
//!
//! Time comes in as an argument, chance too; what to wait for is returned, never waited for.
//! Everything here can be tested with numbers and tables alone.

pub mod error_kind;
pub mod feed;
pub mod jobs;
pub mod limits;
pub mod net;
pub mod resilience;
pub mod secret;
pub mod sync;
pub mod synthesis;
pub mod text;

pub use error_kind::ErrorKind;
