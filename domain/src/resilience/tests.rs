//! What `resilience` is held to.

use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_714_644_000 + seconds).unwrap()
}

#[test]
fn waits_double_up_to_the_limit_for_any_number_of_failures() {
    let backoff = Backoff::default();
    for (failures, seconds) in [(0, 0), (1, 60), (2, 120), (9, 15_360), (10, 21_600), (33, 21_600), (u32::MAX, 21_600)]
    {
        assert_eq!(backoff.wait(failures).as_secs(), seconds, "after {failures}");
    }
    assert_eq!(Backoff::new(Duration::from_secs(9), Duration::from_secs(1)).wait(5).as_secs(), 9);
}

#[test]
fn an_asked_wait_is_read_in_every_form() {
    // 2024-05-02T10:00:00Z.
    let now = at(0);
    for (name, value, expected) in [
        ("retry-after", "120", Some(120)),
        ("retry-after", " 7 ", Some(7)),
        ("retry-after", "Thu, 02 May 2024 12:00:00 GMT", Some(7200)),
        ("retry-after", "Thursday, 02-May-24 12:00:00 GMT", Some(7200)),
        ("retry-after", "Thu May  2 12:00:00 2024", Some(7200)),
        ("retry-after", "Thu, 02 May 2024 09:00:00 GMT", None),
        ("retry-after", "soon", None),
        ("retry-after", "-5", None),
        ("retry-after", "0", None),
        ("retry-after", "NaN", None),
        ("retry-after", "", None),
        ("x-ratelimit-reset", "42", Some(42)),
        ("x-ratelimit-reset", "41.2", Some(42)),
        ("x-ratelimit-reset", "1714644060", Some(60)),
        ("x-ratelimit-reset", "1714644060000", Some(60)),
        ("x-ratelimit-reset", "1514644060", None),
        ("ratelimit", "limit=10, remaining=0, reset=30", Some(30)),
        ("ratelimit", "\"default\";r=0;t=31", Some(31)),
        ("ratelimit", "limit=10", None),
    ] {
        assert_eq!(asked_wait(name, value, now).map(|wait| wait.as_secs()), expected, "{name}: {value}");
    }
}

#[test]
fn a_breaker_without_cool_down_waits_for_the_reset() {
    let policy = BreakerPolicy { max_failures: 2, cool_down: None };
    let mut breaker = Breaker::default();
    breaker.on_failure(at(0), &policy);
    assert_eq!(breaker.poll_permit(at(0), &policy), Permit::Allow);
    breaker.on_failure(at(1), &policy);
    assert_eq!(breaker.poll_permit(at(1_000_000), &policy), Permit::Reject(None));
    breaker.reset();
    assert_eq!((breaker.poll_permit(at(2), &policy), breaker.failures()), (Permit::Allow, 0));
}

#[test]
fn a_probe_closes_the_breaker_or_opens_it_anew() {
    let policy = BreakerPolicy { max_failures: 1, cool_down: Some(Duration::from_secs(100)) };
    let mut breaker = Breaker::default();
    breaker.on_failure(at(0), &policy);
    assert_eq!(breaker.poll_permit(at(99), &policy), Permit::Reject(Some(at(100))));
    assert_eq!(breaker.circuit(at(100), &policy), Circuit::HalfOpen);
    breaker.on_failure(at(100), &policy);
    assert_eq!(breaker.poll_permit(at(150), &policy), Permit::Reject(Some(at(200))));
    breaker.on_success(at(200), &policy);
    assert_eq!(breaker.circuit(at(200), &policy), Circuit::Closed);
}

#[test]
fn a_late_success_does_not_close_an_open_breaker() {
    let policy = BreakerPolicy { max_failures: 1, cool_down: Some(Duration::from_secs(100)) };
    let mut breaker = Breaker::default();
    breaker.on_failure(at(0), &policy);
    breaker.on_success(at(1), &policy);
    assert_eq!(breaker.circuit(at(1), &policy), Circuit::Open);
}

#[test]
fn a_host_is_left_alone_as_long_as_any_feed_was_told() {
    let mut waits = HostWaits::default();
    waits.on_wait("a.example", at(50), at(0));
    waits.on_wait("a.example", at(20), at(0));
    assert_eq!(waits.until("a.example", at(49)), Some(at(50)));
    assert_eq!(waits.until("a.example", at(50)), None);
    assert_eq!(waits.until("b.example", at(0)), None);
}

#[test]
fn a_failed_job_rests_ever_longer_and_is_given_up_in_the_end() {
    let retries = Retries { backoff: Backoff::default(), max_attempts: 4 };
    assert_eq!(retries.after(1, at(0), 0), Some(at(60)));
    assert_eq!(retries.after(3, at(100), 0), Some(at(340)));
    assert!(retries.after(3, at(100), 999).is_some_and(|later| later > at(340)));
    assert_eq!(retries.after(4, at(0), 0), None);
    assert_eq!(Retries { max_attempts: u32::MAX, ..retries }.after(99, Timestamp::MAX, 0), Some(Timestamp::MAX));
}

#[test]
fn remembered_hosts_are_bounded() {
    let mut waits = HostWaits::default();
    for number in 0..MAX_HOSTS + 10 {
        waits.on_wait(&format!("h{number}.example"), at(100 + number as i64), at(0));
    }
    assert_eq!(waits.until("h0.example", at(0)), None);
    assert_eq!(waits.until("h20.example", at(0)), Some(at(120)));
}

proptest! {
    #[test]
    fn jitter_only_adds_and_at_most_a_tenth(seconds in 0_u64..1_000_000, chance: u64) {
        let wait = Duration::from_secs(seconds);
        let jittered = jittered(wait, chance);
        prop_assert!(jittered >= wait && jittered <= wait + wait / 10);
    }

    #[test]
    fn reading_a_header_never_panics(name in "[a-z-]{0,12}", value in "\\PC{0,40}", seconds: i32) {
        let wait = asked_wait(&name, &value, at(i64::from(seconds)));
        prop_assert!(wait.is_none_or(|wait| !wait.is_zero()));
    }
}

#[test]
fn an_account_is_asked_no_faster_than_its_rate() {
    let second = |n: i64| Timestamp::from_second(n).unwrap();
    let mut rate = RequestRate::new(Duration::from_secs(2), 3);
    let turns: Vec<_> = (0..5).map(|_| rate.poll_turn(second(100))).collect();
    assert_eq!(turns, [100, 100, 100, 102, 104].map(second));
    rate.on_wait(second(200));
    let turns: Vec<_> = (0..4).map(|_| rate.poll_turn(second(150))).collect();
    assert_eq!(turns, [200, 200, 200, 202].map(second));
    assert_eq!(rate.poll_turn(second(1000)), second(1000));
}

#[test]
fn attempts_are_counted_and_a_long_wait_ends_them() {
    let seconds = Duration::from_secs;
    let patience = Patience { attempts: 3, backoff: Backoff::new(seconds(1), seconds(30)), max_wait: seconds(60) };
    assert_eq!(patience.after(1, None), Some(seconds(1)));
    assert_eq!(patience.after(2, Some(seconds(7))), Some(seconds(7)));
    assert_eq!(patience.after(2, Some(seconds(61))), None);
    assert_eq!(patience.after(3, None), None);
    assert!(may_pass(503) && !may_pass(401) && !may_pass(200));
}
