//! How long to wait after so many failures.

use std::time::Duration;

/// Waits that double with every failure in a row, up to a limit.
///
/// ```
/// # use std::time::Duration;
/// # use headwater_domain::resilience::Backoff;
/// let backoff = Backoff::default();
/// let waits = [1, 2, 9, 10].map(|failures| backoff.wait(failures).as_secs());
/// assert_eq!(waits, [60, 120, 15_360, 21_600]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    base: Duration,
    max: Duration,
}

impl Backoff {
    /// Waits from `base` on. A `max` below `base` counts as `base`.
    pub fn new(base: Duration, max: Duration) -> Self {
        Self { base, max: max.max(base) }
    }

    /// The wait after `failures` failures in a row; none after none.
    pub fn wait(&self, failures: u32) -> Duration {
        let Some(doublings) = failures.checked_sub(1) else {
            return Duration::ZERO;
        };
        let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
        self.base.checked_mul(factor).unwrap_or(self.max).min(self.max)
    }
}

impl Default for Backoff {
    /// From 60 s to 6 h.
    fn default() -> Self {
        Self::new(Duration::from_secs(60), Duration::from_secs(6 * 3600))
    }
}

/// A wait made up to a tenth longer, never shorter, so that those who failed together do not come back together.
///
/// `chance` is anything evenly spread; the same gives the same.
pub fn jittered(wait: Duration, chance: u64) -> Duration {
    let share = u32::try_from(chance % 1000).expect("a remainder of 1000 fits");
    wait.saturating_add(wait / 10 / 1000 * share)
}
