//! What `watch` is held to.

use std::sync::Mutex;

use async_trait::async_trait;
use headwater_tests::fakes::{FakeClock, MemoryStore};
use jiff::SignedDuration;

use super::*;
use crate::synthesis::stop::StopSwitch;

/// A timer that moves the clock, up to a time at which the watch is stopped.
struct FakeTimer {
    clock: Arc<FakeClock>,
    stop: StopSwitch,
    end: Timestamp,
}

#[async_trait]
impl Timer for FakeTimer {
    async fn sleep(&self, length: Duration) {
        self.clock.advance(SignedDuration::try_from(length).unwrap());
        if self.clock.now() >= self.end {
            self.stop.stop();
        }
        tokio::task::yield_now().await;
    }
}

/// A watcher with its stop; it ends after so many hours.
fn watcher(slots: &Arc<MemoryStore>, clock: &Arc<FakeClock>, holder: &str, hours: i64) -> (Watch, Stop) {
    let (switch, stop) = Stop::new();
    let end = clock.now() + SignedDuration::from_hours(hours);
    let watch = Watch {
        schedule: Schedule::parse("0 * * * *", "UTC").unwrap(),
        name: "run".to_owned(),
        tenant: TenantId::default(),
        holder: holder.to_owned(),
        slots: Arc::clone(slots) as Arc<dyn SlotStore>,
        clock: Arc::clone(clock) as Arc<dyn Clock>,
        timer: Arc::new(FakeTimer { clock: Arc::clone(clock), stop: switch, end }),
    };
    (watch, stop)
}

fn hours(runs: &Mutex<Vec<Timestamp>>) -> Vec<i64> {
    let runs = runs.lock().unwrap();
    let first = runs[0].as_second().div_euclid(3600);
    runs.iter().map(|at| at.as_second().div_euclid(3600) - first).collect()
}

#[tokio::test]
async fn each_slot_runs_once_and_a_restart_makes_up_for_those_missed() {
    let (slots, clock) = (Arc::new(MemoryStore::default()), Arc::new(FakeClock::default()));
    let runs = Mutex::new(Vec::new());
    let note = async || {
        runs.lock().unwrap().push(clock.now());
        RunEnd::Done
    };
    let (watch, stop) = watcher(&slots, &clock, "first", 5);
    watch.run(&stop, note).await;
    assert_eq!(hours(&runs), [0, 1, 2, 3]);
    clock.advance(SignedDuration::from_hours(20));
    let (watch, stop) = watcher(&slots, &clock, "second", 2);
    watch.run(&stop, note).await;
    assert_eq!(hours(&runs)[4..], [24, 25], "one run for all that were missed, and at once");
}

#[tokio::test]
async fn a_failing_run_is_tried_again_later_and_later_and_ends_nothing() {
    let (slots, clock) = (Arc::new(MemoryStore::default()), Arc::new(FakeClock::default()));
    let runs = Mutex::new(Vec::new());
    let (watch, stop) = watcher(&slots, &clock, "only", 12);
    watch
        .run(&stop, async || {
            runs.lock().unwrap().push(clock.now());
            if runs.lock().unwrap().len() < 8 { RunEnd::Failed } else { RunEnd::Done }
        })
        .await;
    let runs = runs.lock().unwrap();
    let waits: Vec<i64> = runs.windows(2).map(|pair| pair[1].duration_since(pair[0]).as_secs() / 60).collect();
    assert_eq!(waits[..7], [1, 2, 4, 8, 16, 32, 60]);
    assert!(runs.len() > 12, "and then the schedule goes on: {waits:?}");
}

#[tokio::test]
async fn two_watchers_on_one_store_do_not_run_a_slot_twice() {
    let (slots, clock) = (Arc::new(MemoryStore::default()), Arc::new(FakeClock::default()));
    let runs = Mutex::new(Vec::new());
    // The job takes longer than a lease: it is renewed meanwhile.
    let job = async || {
        runs.lock().unwrap().push(clock.now());
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        RunEnd::Done
    };
    let (one, one_stop) = watcher(&slots, &clock, "one", 6);
    let (other, other_stop) = watcher(&slots, &clock, "other", 6);
    tokio::join!(one.run(&one_stop, job), other.run(&other_stop, job));
    let hours = hours(&runs);
    let mut distinct = hours.clone();
    distinct.dedup();
    assert_eq!(hours, distinct);
    assert!(hours.len() >= 5, "{hours:?}");
}

#[tokio::test]
async fn a_stop_ends_the_wait_at_once_and_a_stopped_run_is_gone_on_with() {
    let (slots, clock) = (Arc::new(MemoryStore::default()), Arc::new(FakeClock::default()));
    let (switch, stop) = Stop::new();
    switch.stop();
    let (watch, _) = watcher(&slots, &clock, "one", 2);
    watch.run(&stop, async || panic!("nothing is due")).await;

    let (switch, stop) = Stop::new();
    let job = async || {
        switch.stop();
        RunEnd::Stopped
    };
    watch.run(&stop, job).await;
    let slot = slots.slot(&TenantId::default(), "run").await.unwrap().unwrap();
    assert!(!slot.is_done && slot.until <= clock.now(), "{slot:?}");
}
