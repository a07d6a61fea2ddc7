//! A timer whose clock runs ahead when something sleeps.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use headwater_ports::{Clock, Timer};
use jiff::{SignedDuration, Timestamp};

use super::FakeClock;

/// A timer that takes no time: the clock beside it jumps to the moment until which the first of the sleepers wanted to
/// wait. Sleepers wake in the order of their moments, so what happens at one pace on a real clock happens so here.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// # use std::{sync::Arc, time::Duration};
/// # use headwater_ports::{Clock, Timer};
/// # use headwater_tests::fakes::{FakeClock, FakeTimer};
/// let clock = Arc::new(FakeClock::default());
/// let timer = FakeTimer::new(Arc::clone(&clock));
/// let before = clock.now();
/// timer.sleep(Duration::from_secs(3600)).await;
/// assert_eq!(clock.now().duration_since(before).as_secs(), 3600);
/// assert_eq!(timer.slept(), [Duration::from_secs(3600)]);
/// # });
/// ```
#[derive(Debug)]
pub struct FakeTimer {
    clock: Arc<FakeClock>,
    asleep: Mutex<Sleepers>,
}

#[derive(Debug, Default)]
struct Sleepers {
    next: u64,
    until: BTreeSet<(Timestamp, u64)>,
    slept: Vec<Duration>,
}

/// A sleeper's place; given up when it wakes or its future is dropped.
struct Place<'t> {
    timer: &'t FakeTimer,
    key: (Timestamp, u64),
}

impl FakeTimer {
    /// A timer beside that clock.
    pub fn new(clock: Arc<FakeClock>) -> Self {
        Self { clock, asleep: Mutex::default() }
    }

    /// How long each sleeper wanted to sleep, in the order in which they lay down.
    pub fn slept(&self) -> Vec<Duration> {
        self.sleepers().slept.clone()
    }

    fn sleepers(&self) -> MutexGuard<'_, Sleepers> {
        self.asleep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lie_down(&self, wait: Duration) -> Place<'_> {
        let wait_signed = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
        let until = self.clock.now().checked_add(wait_signed).unwrap_or(Timestamp::MAX);
        let mut sleepers = self.sleepers();
        sleepers.next += 1;
        sleepers.slept.push(wait);
        let key = (until, sleepers.next);
        sleepers.until.insert(key);
        Place { timer: self, key }
    }
}

impl Place<'_> {
    fn is_first(&self) -> bool {
        self.timer.sleepers().until.first() == Some(&self.key)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.timer.sleepers().until.remove(&self.key);
    }
}

#[async_trait]
impl Timer for FakeTimer {
    async fn sleep(&self, wait: Duration) {
        let place = self.lie_down(wait);
        // A sleeper that nobody polls would hold up all others: after a while it is overtaken.
        for _ in 0..PATIENCE {
            tokio::task::yield_now().await;
            if place.is_first() {
                break;
            }
        }
        self.clock.advance_to(place.key.0);
    }
}

/// So often the others get a turn before a sleeper is overtaken.
const PATIENCE: usize = 100;
