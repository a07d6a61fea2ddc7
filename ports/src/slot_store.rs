//! Which slot of a schedule was taken last, shared by all watchers.

use async_trait::async_trait;
use headwater_domain::synthesis::slot::Slot;
use headwater_domain::synthesis::source::TenantId;

use crate::Result;

/// Keeps the last slot of each schedule, by the schedule's name. Every method sees the rows of its tenant only. Times are
/// kept to the microsecond.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait SlotStore: Send + Sync {
    /// The slot that was taken last.
    async fn slot<'a>(&self, tenant: &TenantId, schedule: &'a str) -> Result<Option<Slot>>;

    /// Puts a slot in place of the one that is expected there: compare-and-set on all of it. `false`, and nothing is
    /// changed, if something else stands there. Of concurrent calls with one expectation exactly one is told `true`.
    async fn replace_slot<'a>(
        &self,
        tenant: &TenantId,
        schedule: &'a str,
        expected: Option<&'a Slot>,
        new: &'a Slot,
    ) -> Result<bool>;
}
