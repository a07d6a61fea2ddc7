//! How code waits.

use std::time::Duration;

use async_trait::async_trait;

/// Waits. The only way in which code outside the adapters does, so that a test's clock can run ahead.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Timer: Send + Sync {
    /// Returns when that much time has passed on the [`Clock`](crate::Clock) beside it; ends at once if the future is dropped.
    async fn sleep(&self, wait: Duration);
}
