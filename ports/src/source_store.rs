//! Which sites and feeds are watched.

use async_trait::async_trait;
use headwater_domain::synthesis::source::{FeedLocation, Source, SourceId, TenantId};

use crate::Result;

/// Keeps the sources of phase 1. Every method sees the rows of its tenant only.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait SourceStore: Send + Sync {
    /// All sources, preferred first, then in the order in which they were added.
    async fn sources(&self, tenant: &TenantId) -> Result<Vec<Source>>;

    /// Adds the sources whose URL (in normal form) is not there yet, and gives all of the given ones as they now stand,
    /// in the given order. What is known of a source that was there stays, but for `preferred`, which is set.
    async fn add_sources(&self, tenant: &TenantId, sources: &[Source]) -> Result<Vec<Source>>;

    /// Removes a source; `false` if it was not there.
    async fn remove_source(&self, tenant: &TenantId, id: &SourceId) -> Result<bool>;

    /// Replaces where the source's feed is, if it still is where `expected` says: compare-and-set. `false`, and nothing
    /// is changed, if somebody else was faster or the source is gone.
    async fn update_source_rss<'a>(
        &self,
        tenant: &TenantId,
        id: &SourceId,
        expected: Option<&'a FeedLocation>,
        new: Option<&'a FeedLocation>,
    ) -> Result<bool>;
}
