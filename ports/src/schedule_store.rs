//! Where schedules are kept, and how their slots fire once.

use async_trait::async_trait;
use headwater_domain::jobs::{Schedule, ScheduleId};
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// Keeps schedules, and fires each slot once across all instances.
///
/// But for [`due`](Self::due), which serves those who fire, every method sees the rows of one tenant only.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ScheduleStore: Send + Sync {
    /// Keeps a schedule; one of the same tenant and id is replaced.
    async fn save_schedule(&self, schedule: &Schedule) -> Result<()>;

    /// The schedule of that id.
    async fn schedule(&self, tenant: &TenantId, id: &ScheduleId) -> Result<Option<Schedule>>;

    /// All schedules, in the order of their ids.
    async fn schedules(&self, tenant: &TenantId) -> Result<Vec<Schedule>>;

    /// Removes a schedule, and says whether there was one. What it rang for stays.
    async fn remove_schedule(&self, tenant: &TenantId, id: &ScheduleId) -> Result<bool>;

    /// At most `limit` schedules of all tenants that are due, the longest due first.
    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<Schedule>>;

    /// Fires the slot `schedule.next_fire`: in one transaction the stored schedule takes `next` as its next time, and the
    /// job of the slot ([`Schedule::ring`]) is rung for. `false`, and nothing changes: the stored time is another one (a
    /// different instance fired the slot, or somebody changed the schedule), or the schedule is paused or gone.
    ///
    /// `next` is computed from the present, so that slots that were missed fire once and not one after the other.
    async fn fire(&self, schedule: &Schedule, next: Option<Timestamp>, max_attempts: u32) -> Result<bool>;
}
