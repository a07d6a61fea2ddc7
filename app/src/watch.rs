//! How runs follow a schedule: once a slot, whatever restarts, crashes and other watchers do.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use headwater_domain::synthesis::slot::{LEASE, Slot, Turn};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Clock, Result, SlotStore, Timer};
use jiff::Timestamp;
use tracing::warn;

use crate::output;
use crate::schedule::Schedule;
use crate::synthesis::stop::Stop;

/// A schedule that is watched.
///
/// Who runs a slot is settled in the store: a row holds the last slot with a lease, which its watcher renews while it
/// runs. A second watcher on the same store waits meanwhile, and takes over a minute after the first one died.
pub(crate) struct Watch {
    /// When runs are due.
    pub(crate) schedule: Schedule,
    /// Under which name the store keeps its slots.
    pub(crate) name: String,
    /// Whose they are.
    pub(crate) tenant: TenantId,
    /// Who watches: unlike any other watcher.
    pub(crate) holder: String,
    /// Where the slots are kept.
    pub(crate) slots: Arc<dyn SlotStore>,
    /// Tells the time.
    pub(crate) clock: Arc<dyn Clock>,
    /// Lets it pass.
    pub(crate) timer: Arc<dyn Timer>,
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// Well, or well in part.
    Done,
    /// It came to nothing: it is tried again, not at once.
    Failed,
    /// It was stopped.
    Stopped,
}

impl Watch {
    /// Runs the job whenever it is due, until the stop is uttered or the schedule ends. A run that fails, or a store that
    /// cannot be asked, does not end it.
    pub(crate) async fn run(&self, stop: &Stop, mut job: impl AsyncFnMut() -> RunEnd) {
        let since = self.clock.now();
        let mut told = None;
        while !stop.is_requested() {
            let until = match self.step(since, &mut job).await {
                Ok(Turn::Take(_)) => continue,
                Ok(Turn::Never) => return,
                Ok(Turn::Wait(until)) => until,
                Err(error) => {
                    warn!(%error, "could not ask the store for the next run");
                    self.clock.now().checked_add(TROUBLE).unwrap_or(Timestamp::MAX)
                }
            };
            if told.replace(until) != Some(until) {
                output::note(&format!("waiting until {until:.0}; Ctrl-C ends the watch"));
            }
            tokio::select! {
                biased;
                () = stop.requested() => {}
                () = self.timer.sleep(self.rest(until)) => {}
            }
        }
    }

    /// Looks whether a run is due, and carries it out.
    async fn step(&self, since: Timestamp, job: &mut impl AsyncFnMut() -> RunEnd) -> Result<Turn> {
        let last = self.slots.slot(&self.tenant, &self.name).await?;
        let next_after = |after| self.schedule.next_after(after);
        let turn = Slot::poll(last.as_ref(), &self.holder, since, self.clock.now(), next_after);
        if let Turn::Take(slot) = &turn
            && self.slots.replace_slot(&self.tenant, &self.name, last.as_ref(), slot).await?
        {
            self.hold(slot.clone(), job).await?;
        }
        Ok(turn)
    }

    /// Runs the job, and renews the slot as long as that takes.
    async fn hold(&self, mut slot: Slot, job: &mut impl AsyncFnMut() -> RunEnd) -> Result<()> {
        let mut running = pin!(job());
        let end = loop {
            tokio::select! {
                biased;
                end = &mut running => break end,
                () = self.timer.sleep(LEASE / 3) => slot = self.renew(slot).await,
            }
        };
        let now = self.clock.now();
        let after = match end {
            RunEnd::Done => slot.done(now),
            RunEnd::Failed => slot.failed(now),
            RunEnd::Stopped => slot.stopped(now),
        };
        if !self.slots.replace_slot(&self.tenant, &self.name, Some(&slot), &after).await? {
            warn!("another watcher took over while this one ran; no article is shown twice for it");
        }
        Ok(())
    }

    async fn renew(&self, slot: Slot) -> Slot {
        let renewed = slot.renewed(self.clock.now());
        match self.slots.replace_slot(&self.tenant, &self.name, Some(&slot), &renewed).await {
            Ok(true) => renewed,
            Ok(false) => slot,
            Err(error) => {
                warn!(%error, "could not renew the lease of the run");
                slot
            }
        }
    }

    /// How long to rest: not long, since a clock may be set and a machine sleep.
    fn rest(&self, until: Timestamp) -> Duration {
        let wait = Duration::try_from(until.duration_since(self.clock.now())).unwrap_or_default();
        wait.clamp(SHORTEST, LONGEST)
    }
}

/// After that the store is asked again, where it could not be.
const TROUBLE: Duration = Duration::from_secs(60);

const SHORTEST: Duration = Duration::from_millis(10);

const LONGEST: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests;
