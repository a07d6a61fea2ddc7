//! Which sinks have which digest.

use async_trait::async_trait;
use headwater_domain::synthesis::delivery::DeliveryRecord;
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// Keeps one record for each digest and sink. Every method sees the rows of its tenant only.
///
/// A digest is noted as owed before its run is settled, so that a crash at any point after leaves it owed.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait DeliveryStore: Send + Sync {
    /// Notes that the digest of a run is owed to these sinks. What is noted already stays as it is.
    async fn owe<'a>(&self, tenant: &TenantId, run_id: &'a str, sinks: &[String], now: Timestamp) -> Result<()>;

    /// At most `limit` deliveries to these sinks that are owed, those of the oldest run first. One whose run is not (or no
    /// more) in the store is left out.
    async fn owed(&self, tenant: &TenantId, sinks: &[String], limit: usize) -> Result<Vec<DeliveryRecord>>;

    /// Every delivery of a run, by sink.
    async fn deliveries<'a>(&self, tenant: &TenantId, run_id: &'a str) -> Result<Vec<DeliveryRecord>>;

    /// Writes how a delivery stands after an attempt. One that is delivered stays so; gives whether this call changed the
    /// record, so that of concurrent deliveries exactly one counts.
    async fn save_delivery(&self, tenant: &TenantId, record: &DeliveryRecord) -> Result<bool>;

    /// Removes at most `limit` records that were last changed before a time; gives how many.
    async fn forget_deliveries(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize>;
}
