//! How a store lets go of what is old.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// Lets go of old rows, a small batch at a time, so that no other writer waits long. Every method sees the rows of its
/// tenant only, and gives how many it removed: fewer than `limit` means that nothing old is left.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Retention: Send + Sync {
    /// Removes at most `limit` runs, digest and all, that finished before a time. What became of their articles stays.
    async fn forget_runs(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize>;

    /// Removes at most `limit` articles from the history that were last judged before a time. One that a source still
    /// links to is new again then.
    async fn forget_articles(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize>;

    /// Removes at most `limit` logs of runs of data sources that ended more days ago than their source keeps them, or than
    /// `days` where it does not say; none: for good. The newest log of a source stays, and so does that of a run under way.
    async fn forget_sync_logs(
        &self,
        tenant: &TenantId,
        now: Timestamp,
        days: Option<u32>,
        limit: usize,
    ) -> Result<usize>;

    /// Removes at most `limit` documents that were deleted before a time. Of one that a person deleted only the content
    /// goes, since it must stay away.
    async fn forget_documents(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize>;
}
