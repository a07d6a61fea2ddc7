//! Whose turn it is to run a scheduled slot: once, whatever restarts, crashes and other watchers do.

use std::time::Duration;

use jiff::Timestamp;

use crate::resilience::Backoff;
use crate::resilience::span::later;

/// The slot of a schedule that was taken last, as a store keeps it.
///
/// A watcher asks [`poll`](Self::poll), puts the slot of [`Turn::Take`] in place of the one it saw, runs, renews the slot
/// while it runs, and puts the end in its place. Each step is a compare-and-set, so that of several watchers one runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The moment that it stands for.
    pub at: Timestamp,
    /// Who took it.
    pub holder: String,
    /// Until then nobody else takes it: the lease of a run, or the wait after one that failed.
    pub until: Timestamp,
    /// Whether its run came to a good end.
    pub is_done: bool,
    /// Runs in a row that failed.
    pub failures: u32,
}

/// What a watcher is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// Take this slot, and run.
    Take(Slot),
    /// Look again then.
    Wait(Timestamp),
    /// The schedule has come to its end.
    Never,
}

impl Slot {
    /// Decides what a watcher does that has been there since `since`, given the slot that was taken last.
    ///
    /// Slots that were missed are made up for by one run. A slot whose run failed, or whose watcher died, is taken again.
    pub fn poll(
        last: Option<&Self>,
        holder: &str,
        since: Timestamp,
        now: Timestamp,
        next_after: impl Fn(Timestamp) -> Option<Timestamp>,
    ) -> Turn {
        let due = match last {
            Some(slot) if !slot.is_done && slot.until > now => return Turn::Wait(slot.until),
            Some(slot) if !slot.is_done => Some(slot.at),
            Some(slot) => next_after(slot.at),
            None => next_after(since),
        };
        let Some(due) = due else { return Turn::Never };
        if due > now {
            return Turn::Wait(due);
        }
        // Where further slots have passed, this run stands for them all.
        let at = if next_after(due).is_some_and(|next| next <= now) { now } else { due };
        let failures = last.filter(|slot| !slot.is_done).map_or(0, |slot| slot.failures);
        Turn::Take(Self { at, holder: holder.to_owned(), until: later(now, LEASE), is_done: false, failures })
    }

    /// The slot of a run that goes on.
    #[must_use]
    pub fn renewed(&self, now: Timestamp) -> Self {
        Self { until: later(now, LEASE), ..self.clone() }
    }

    /// The slot after its run went well.
    #[must_use]
    pub fn done(&self, now: Timestamp) -> Self {
        Self { until: now, is_done: true, failures: 0, ..self.clone() }
    }

    /// The slot after its run failed: it is tried again a minute later, then after twice as long each time, up to an hour.
    #[must_use]
    pub fn failed(&self, now: Timestamp) -> Self {
        let failures = self.failures.saturating_add(1);
        let wait = Backoff::new(Duration::from_secs(60), Duration::from_secs(3600)).wait(failures);
        Self { until: later(now, wait), failures, ..self.clone() }
    }

    /// The slot after its run was stopped: the next watcher goes on at once.
    #[must_use]
    pub fn stopped(&self, now: Timestamp) -> Self {
        Self { until: now, ..self.clone() }
    }
}

/// For so long a slot belongs to a watcher that does not renew it.
pub const LEASE: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests;
