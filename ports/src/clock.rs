//! What time it is.

use jiff::Timestamp;

/// Tells the time. The only way in which code outside the adapters learns it.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present moment. Two calls may give the same; a later call never gives an earlier one.
    fn now(&self) -> Timestamp;
}
