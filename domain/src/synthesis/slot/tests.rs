//! What `synthesis::slot` is held to.

use jiff::SignedDuration;

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

/// Every hour, on the hour.
fn hourly(after: Timestamp) -> Option<Timestamp> {
    Some(at(after.as_second().div_euclid(3600) * 3600 + 3600))
}

fn poll(last: Option<&Slot>, now: i64) -> Turn {
    Slot::poll(last, "us", at(10), at(now), hourly)
}

#[track_caller]
fn taken(last: Option<&Slot>, now: i64) -> Slot {
    match poll(last, now) {
        Turn::Take(slot) => slot,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_first_slot_is_waited_for_and_each_runs_once() {
    assert_eq!(poll(None, 11), Turn::Wait(at(3600)));
    let slot = taken(None, 3600);
    assert_eq!((slot.at, slot.until), (at(3600), at(3660)));
    assert_eq!(poll(Some(&slot), 3630), Turn::Wait(at(3660)), "it runs");
    let slot = slot.renewed(at(3650));
    assert_eq!(poll(Some(&slot), 3670), Turn::Wait(at(3710)), "it runs still");
    assert_eq!(poll(Some(&slot.done(at(3680))), 3690), Turn::Wait(at(7200)));
}

#[test]
fn missed_slots_are_made_up_for_by_one_run() {
    let done = taken(None, 3600).done(at(3610));
    let now = 3600 * 100 + 5;
    let slot = taken(Some(&done), now);
    assert_eq!(slot.at, at(now));
    assert_eq!(poll(Some(&slot.done(at(now + 1))), now + 2), Turn::Wait(at(3600 * 101)));
    assert_eq!(taken(Some(&done), 7205).at, at(7200), "one slot that is a little late is that slot");
}

#[test]
fn the_slot_of_a_watcher_that_died_is_taken_when_its_lease_is_over() {
    let slot = taken(None, 3600);
    let again = taken(Some(&slot), 3660);
    assert_eq!((again.at, again.failures), (at(3600), 0));
}

#[test]
fn a_failing_run_waits_longer_and_longer_and_never_ends_the_schedule() {
    let mut slot = taken(None, 3600);
    let mut now = 3600;
    for wait in [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600] {
        slot = slot.failed(at(now));
        assert_eq!(poll(Some(&slot), now + wait - 1), Turn::Wait(at(now + wait)));
        now += wait;
        slot = taken(Some(&slot), now);
    }
    let slot = slot.done(at(now));
    assert!(matches!(poll(Some(&slot), now + 1), Turn::Wait(next) if next <= at(now) + SignedDuration::from_hours(1)));
    assert_eq!(slot.failures, 0);
}

#[test]
fn a_run_that_was_stopped_goes_on_with_the_next_watcher() {
    let slot = taken(None, 3600).stopped(at(3605));
    assert_eq!(taken(Some(&slot), 3606).at, at(3600));
}

#[test]
fn a_schedule_that_ends_is_over() {
    assert_eq!(Slot::poll(None, "us", at(0), at(1), |_| None), Turn::Never);
}
