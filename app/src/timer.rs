//! How the program waits: on the runtime's timer, beside the clock that it has.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use headwater_ports::{Clock, Timer};
use jiff::Timestamp;

use crate::clock::FixedClock;

/// Waits on the runtime's timer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokioTimer;

/// Waits on the runtime's timer and moves a clock that stands still by as much: whoever spreads work over time would
/// otherwise wait longer and longer for moments that never come.
#[derive(Debug)]
pub(crate) struct FixedTimer(pub(crate) Arc<FixedClock>);

#[async_trait]
impl Timer for TokioTimer {
    async fn sleep(&self, wait: Duration) {
        tokio::time::sleep(wait).await;
    }
}

#[async_trait]
impl Timer for FixedTimer {
    async fn sleep(&self, wait: Duration) {
        let until = self.0.now().checked_add(wait).unwrap_or(Timestamp::MAX);
        tokio::time::sleep(wait).await;
        self.0.advance_to(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_fixed_clock_moves_by_what_was_waited_for() {
        let clock = Arc::new(FixedClock::new(Timestamp::UNIX_EPOCH));
        let timer = FixedTimer(Arc::clone(&clock));
        let waits = [2, 5].map(|ms| timer.sleep(Duration::from_millis(ms)));
        let [one, other] = waits;
        tokio::join!(one, other);
        assert_eq!(clock.now().as_millisecond(), 5, "waits side by side do not add up");
        timer.sleep(Duration::from_millis(1)).await;
        assert_eq!(clock.now().as_millisecond(), 6);
    }
}
