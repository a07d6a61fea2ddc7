//! What time it is: the system's, or the one that `--now` fixed.

use headwater_ports::Clock;
use jiff::Timestamp;

/// The system's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

/// A clock that stands still, so that a run can be repeated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FixedClock(pub(crate) Timestamp);

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}
