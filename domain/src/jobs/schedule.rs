//! A schedule as it is kept, and the ring of one of its slots.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Ring;
use crate::synthesis::source::TenantId;

/// The identifier of a schedule: a UUID as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScheduleId(pub String);

/// What fires again and again: when, and what for.
///
/// When it fires next is computed by whoever understands the expression, and kept here. The slot that is due is fired by
/// one call that also names the next: of any number of instances, one succeeds. Slots that were missed are one slot, since
/// the next one is computed from the present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Whose it is.
    pub tenant: TenantId,
    /// Which one.
    pub id: ScheduleId,
    /// What it fires for: the identifier of a data source, for example.
    pub owner: String,
    /// A cron expression or `@every`, as it was written.
    pub expression: String,
    /// The name of the time zone whose clock it follows.
    pub time_zone: String,
    /// The kind of the jobs it rings for.
    pub kind: String,
    /// What their worker must know.
    pub payload: String,
    /// When it fires next; none: it is paused, or never fires again.
    pub next_fire: Option<Timestamp>,
}

impl Schedule {
    /// The ring of the slot that is due next. Its key names schedule and slot, so that a slot rings once even where two
    /// instances disagree about the time.
    pub fn ring(&self, max_attempts: u32) -> Option<Ring> {
        let at = self.next_fire?;
        Some(Ring {
            tenant: self.tenant.clone(),
            key: format!("{}@{at}", self.id.0),
            kind: self.kind.clone(),
            payload: self.payload.clone(),
            not_before: at,
            max_attempts,
        })
    }
}
