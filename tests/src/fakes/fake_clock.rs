//! A clock that stands still until a test moves it.

use std::sync::Mutex;

use headwater_ports::Clock;
use jiff::{SignedDuration, Timestamp};

/// A clock that stands still until a test moves it.
#[derive(Debug)]
pub struct FakeClock(Mutex<Timestamp>);

impl FakeClock {
    /// A clock that shows `now`.
    pub fn new(now: Timestamp) -> Self {
        Self(Mutex::new(now))
    }

    /// Moves the clock forward.
    ///
    /// # Panics
    /// If `by` is negative: a clock never goes back.
    pub fn advance(&self, by: SignedDuration) {
        assert!(!by.is_negative(), "a clock never goes back");
        *self.0.lock().expect("no test panics while it holds the clock") += by;
    }

    /// Moves the clock forward to that moment; one that is past leaves it alone.
    pub fn advance_to(&self, moment: Timestamp) {
        let mut now = self.0.lock().expect("no test panics while it holds the clock");
        *now = moment.max(*now);
    }
}

impl Default for FakeClock {
    /// A clock that shows 2026-01-01T00:00:00Z.
    fn default() -> Self {
        Self::new(Timestamp::from_second(1_767_225_600).expect("a second of the year 2026"))
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().expect("no test panics while it holds the clock")
    }
}
