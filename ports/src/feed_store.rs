//! What is remembered of feeds between fetches.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;

use crate::Result;

/// Keeps the memory of each feed: fetch state and cursor, as the reader's own JSON. Every method sees the rows of its
/// tenant only. The memory holds no secret, and `feed` is the URL in redacted normal form.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait FeedStore: Send + Sync {
    /// The memory of a feed.
    async fn feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str) -> Result<Option<String>>;

    /// The memories of these feeds, each feed once, in any order; a feed without one is left out.
    async fn feed_memories(&self, tenant: &TenantId, feeds: &[String]) -> Result<Vec<(String, String)>>;

    /// Replaces the memory of a feed, whole or not at all.
    async fn save_feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str, memory: &'a str) -> Result<()>;

    /// Replaces the memories of feeds, given as feed and memory: all of them or none. Of a feed that is given twice the
    /// last memory stands.
    async fn save_feed_memories(&self, tenant: &TenantId, memories: &[(String, String)]) -> Result<()>;
}
