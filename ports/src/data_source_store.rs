//! Where data sources are kept.

use async_trait::async_trait;
use headwater_domain::sync::{DataSource, DataSourceChange, DataSourceId, KnowledgeBaseId};
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// Keeps data sources. Every method sees the rows of its tenant only, and no deleted ones.
///
/// A store keeps no secret here: credentials are in the [`SecretStore`](crate::SecretStore), at
/// [`DataSource::credential_place`]. Times are kept to the microsecond.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait DataSourceStore: Send + Sync {
    /// Adds a data source as its tenant's.
    ///
    /// # Errors
    /// `invalid_config` if it cannot be kept as it is ([`DataSource::check`]); `store` if its id is taken. Nothing is added.
    async fn create_data_source(&self, source: &DataSource) -> Result<()>;

    /// The data source of that id.
    async fn data_source(&self, tenant: &TenantId, id: &DataSourceId) -> Result<Option<DataSource>>;

    /// At most `limit` data sources, newest first, those of one time by their ids, the last id first. The cost of a page
    /// does not grow with what stands before it.
    async fn data_sources(&self, tenant: &TenantId, query: &DataSourceQuery) -> Result<Vec<DataSource>>;

    /// Changes what the change names ([`DataSource::changed`]), if the source still has the expected revision:
    /// compare-and-set. What runs write at the same time (`failures`, `last_sync_at`) is not touched, nor counted.
    ///
    /// # Errors
    /// `invalid_config` if it could not be kept so; nothing is changed.
    async fn change_data_source(
        &self,
        tenant: &TenantId,
        id: &DataSourceId,
        expected: u64,
        change: &DataSourceChange,
        now: Timestamp,
    ) -> Result<Changed>;

    /// Deletes a data source, with its secrets and its cursor, and cancels its run; `false` if it was not there. Its logs
    /// and its documents stay: what becomes of those is said by whoever deletes the source.
    async fn delete_data_source(&self, tenant: &TenantId, id: &DataSourceId, now: Timestamp) -> Result<bool>;
}

/// Which data sources are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSourceQuery {
    /// Of that knowledge base; none: of all.
    pub knowledge_base: Option<KnowledgeBaseId>,
    /// Those that come after this one.
    pub after: Option<DataSourceId>,
    /// So many at most.
    pub limit: usize,
}

/// What came of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum Changed {
    /// It stands so now.
    Done(Box<DataSource>),
    /// Somebody was faster: it stands so, and nothing was changed.
    Conflict(Box<DataSource>),
    /// It is not there.
    Missing,
}
