//! Whether a failed job is tried again, and when.

use jiff::{SignedDuration, Timestamp};

use super::{Backoff, jittered};

/// How often a job is tried, and how long it rests in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// The rests.
    pub backoff: Backoff,
    /// Attempts in all.
    pub max_attempts: u32,
}

impl Retries {
    /// When a job is tried again whose attempt `attempt` (the first is 1) failed `now`; none: it is given up.
    ///
    /// `chance` is anything evenly spread; the same gives the same.
    pub fn after(&self, attempt: u32, now: Timestamp, chance: u64) -> Option<Timestamp> {
        if attempt >= self.max_attempts {
            return None;
        }
        let wait =
            SignedDuration::try_from(jittered(self.backoff.wait(attempt), chance)).unwrap_or(SignedDuration::MAX);
        Some(now.checked_add(wait).unwrap_or(Timestamp::MAX))
    }
}

impl Default for Retries {
    /// Eight attempts, with rests from a minute to an hour and four minutes.
    fn default() -> Self {
        Self { backoff: Backoff::default(), max_attempts: 8 }
    }
}
