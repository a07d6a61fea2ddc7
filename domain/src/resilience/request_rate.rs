//! How fast an account may be asked.

use std::time::Duration;

use jiff::Timestamp;

/// Spreads the requests of one account: so many at once, then one more each interval (the generic cell rate algorithm).
///
/// Call [`poll_turn`](Self::poll_turn) before each request, retries too, with a `now` that never goes back, and wait until
/// the moment that it gives; a turn that was given is spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRate {
    interval: Duration,
    burst: u32,
    /// When the allowance is whole again.
    whole_at: Option<Timestamp>,
    /// The server asked for silence until then.
    silent_until: Option<Timestamp>,
}

impl RequestRate {
    /// At most `burst` requests at once (0 counts as 1), and one more each `interval`.
    pub fn new(interval: Duration, burst: u32) -> Self {
        Self { interval, burst: burst.max(1), whole_at: None, silent_until: None }
    }

    /// When the next request may go: `now` or later. The turn is spent.
    pub fn poll_turn(&mut self, now: Timestamp) -> Timestamp {
        let earliest = self.silent_until.map_or(now, |until| until.max(now));
        let whole_at = self.whole_at.map_or(earliest, |at| at.max(earliest));
        let room = self.interval.saturating_mul(self.burst - 1);
        let turn = back(whole_at, room).max(earliest);
        self.whole_at = Some(later(whole_at, self.interval));
        turn
    }

    /// Whether the server asked for silence and it lasts: a turn that was given before is void.
    pub fn is_silent(&self, now: Timestamp) -> bool {
        self.silent_until.is_some_and(|until| until > now)
    }

    /// The server asked to be left alone until then: no turn is given before, whoever asks.
    pub fn on_wait(&mut self, until: Timestamp) {
        self.silent_until = Some(self.silent_until.map_or(until, |known| known.max(until)));
    }
}

fn later(at: Timestamp, wait: Duration) -> Timestamp {
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}

fn back(at: Timestamp, wait: Duration) -> Timestamp {
    at.checked_sub(wait).unwrap_or(Timestamp::MIN)
}
