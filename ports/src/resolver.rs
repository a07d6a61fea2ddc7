//! Which addresses a name has.

use std::net::IpAddr;

use async_trait::async_trait;

use crate::Result;

/// Resolves host names. The guard judges what it answers; the resolver judges nothing.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Resolver: Send + Sync {
    /// Every address of `host` (ASCII, no trailing dot), in the order in which to try them. Never an empty list: a name
    /// without addresses is the error `dns`.
    async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>>;
}
