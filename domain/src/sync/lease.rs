//! Whose turn it is: the lease of a run, its heartbeat, and the token that keeps a late writer out.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{DataSourceId, RunId};
use crate::resilience::span::later;
use crate::synthesis::source::TenantId;

/// A number that grows with every claim on a data source, and never comes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct FencingToken(pub u64);

/// What every write of a run shows. A store refuses it once the data source was claimed anew, or the run has ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fence {
    /// Whose data source.
    pub tenant: TenantId,
    /// Which one.
    pub data_source: DataSourceId,
    /// The run.
    pub run: RunId,
    /// Its token.
    pub token: FencingToken,
}

/// How long a lease lasts, and how often its run may die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeasePolicy {
    /// From a heartbeat to the moment at which others may take over; default 60 s. A third of it is a good rhythm.
    pub duration: Duration,
    /// So many claims in a row may end without an end; default 5. After the last one the source is parked.
    pub max_attempts: u32,
}

/// The lease of one data source: one row, for as long as there is the source.
///
/// [`claim`](Self::claim) it, [`extend`](Self::extend) it while the run goes on, [`release`](Self::release) it at its end.
/// Time decides only who may *take over*; who may *write* is decided by the token alone, so that a clock which is wrong
/// costs a doubled effort, never a doubled write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lease {
    /// The token of the last claim; 0: there was none.
    pub token: FencingToken,
    /// The run that holds it.
    pub run: Option<RunId>,
    /// When others may take it over, if its run does not extend it.
    pub expires_at: Option<Timestamp>,
    /// Claims since the last run that ended by itself, the present one included.
    pub attempts: u32,
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// It is the claimant's.
    Granted {
        /// The token to write with.
        token: FencingToken,
        /// The how-manieth attempt it is.
        attempt: u32,
        /// The run that held it, died, and is to be marked as interrupted.
        interrupted: Option<RunId>,
    },
    /// A run holds it.
    Held(RunId),
    /// Its runs died too often one after the other: nobody gets it, and the source is to be parked.
    Poisoned {
        /// The run that held it last, and is to be marked as interrupted.
        interrupted: RunId,
        /// How many died.
        attempts: u32,
    },
}

impl Lease {
    /// Claims the lease for a run.
    ///
    /// A poisoned one is free again afterwards, with no attempts counted: what parked the source keeps others away until a
    /// person has seen to it.
    pub fn claim(&mut self, run: &RunId, now: Timestamp, policy: &LeasePolicy) -> Claim {
        if let Some(holder) = &self.run
            && self.expires_at.is_some_and(|at| at > now)
        {
            return Claim::Held(holder.clone());
        }
        let interrupted = self.run.take();
        // Also where nobody is let in: whoever held it must not write any more.
        self.token.0 += 1;
        if let Some(interrupted) = &interrupted
            && self.attempts >= policy.max_attempts.max(1)
        {
            let attempts = std::mem::take(&mut self.attempts);
            self.expires_at = None;
            return Claim::Poisoned { interrupted: interrupted.clone(), attempts };
        }
        self.attempts = if interrupted.is_some() { self.attempts.saturating_add(1) } else { 1 };
        self.run = Some(run.clone());
        self.expires_at = Some(later(now, policy.duration));
        Claim::Granted { token: self.token, attempt: self.attempts, interrupted }
    }

    /// Whether a write with this token is let in.
    pub fn permits(&self, token: FencingToken) -> bool {
        self.run.is_some() && self.token == token
    }

    /// A sign of life at `now`; whether the run still holds the lease. It never shortens it.
    pub fn extend(&mut self, token: FencingToken, now: Timestamp, policy: &LeasePolicy) -> bool {
        let permitted = self.permits(token);
        if permitted {
            self.expires_at = self.expires_at.max(Some(later(now, policy.duration)));
        }
        permitted
    }

    /// The run has ended by itself, or was ended; whether it held the lease.
    pub fn release(&mut self, token: FencingToken) -> bool {
        let permitted = self.permits(token);
        if permitted {
            *self = Self { token: self.token, ..Self::default() };
        }
        permitted
    }
}

impl Default for LeasePolicy {
    fn default() -> Self {
        Self { duration: Duration::from_secs(60), max_attempts: 5 }
    }
}

#[cfg(test)]
mod tests;
