//! What time it is: the system's, or the one that `--now` fixed.

use std::sync::{Mutex, PoisonError};

use headwater_ports::Clock;
use jiff::Timestamp;

/// The system's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

/// A clock that stands still, so that a run can be repeated; only what the program waits for moves it.
#[derive(Debug)]
pub(crate) struct FixedClock(Mutex<Timestamp>);

impl FixedClock {
    /// A clock that shows `now`.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self(Mutex::new(now))
    }

    /// Moves the clock forward to that moment; one that is past leaves it alone.
    pub(crate) fn advance_to(&self, moment: Timestamp) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now = moment.max(*now);
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
