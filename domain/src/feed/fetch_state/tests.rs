//! What `feed::fetch_state` is held to.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::resilience::BreakerPolicy;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_714_644_000 + seconds).unwrap()
}

fn policy() -> ReaderPolicy {
    ReaderPolicy { interval: Some(Duration::from_secs(3600)), ..ReaderPolicy::default() }
}

fn etag(value: &str) -> Validators {
    Validators { etag: Some(value.as_bytes().to_vec()), last_modified: None }
}

fn read(value: &str) -> Outcome {
    Outcome::Read { validators: etag(value), truncated: false, pace: Pace::default(), moved: None }
}

fn unmodified() -> Outcome {
    Outcome::NotModified { validators: Validators::default(), fresh: None, moved: None }
}

fn failed(kind: ErrorKind, status: u16) -> Outcome {
    Outcome::Failed(Failure { kind, http_status: Some(status), message: Redacted::text("no"), asked_wait: None })
}

fn waits(state: &FeedFetchState, now: i64) -> i64 {
    state.next_attempt_at().unwrap().duration_since(at(now)).as_secs()
}

#[track_caller]
fn asks_by(state: &FeedFetchState, now: i64, expected: Option<&str>) {
    let expected = expected.map_or_else(Validators::default, etag);
    assert_eq!(plan(state, at(now), &policy()), Plan::Fetch { validators: expected, probe: false });
}

#[track_caller]
fn skips(state: &FeedFetchState, now: i64, why: SkipReason) {
    assert!(matches!(plan(state, at(now), &policy()), Plan::Skip { why: seen, .. } if seen == why));
}

#[test]
fn failures_wait_longer_and_longer_and_success_forgets_them() {
    let policy = ReaderPolicy { circuit: BreakerPolicy { max_failures: 0, cool_down: None }, ..policy() };
    let mut state = FeedFetchState::default();
    for expected in [60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600] {
        record(&mut state, failed(ErrorKind::HttpStatus, 500), at(0), &policy, 0);
        assert_eq!(waits(&state, 0), expected);
    }
    record(&mut state, read("v1"), at(0), &policy, 0);
    assert_eq!((state.failures(), state.last_error()), (0, None));
}

#[test]
fn an_asked_wait_counts_where_it_is_longer_up_to_its_limit() {
    for (asked, expected) in [(10, 60), (90, 90), (50 * 3600, DAY)] {
        let mut state = FeedFetchState::default();
        let asked_wait = Some(Duration::from_secs(asked));
        let failure =
            Failure { kind: ErrorKind::HttpStatus, http_status: Some(503), message: Redacted::text(""), asked_wait };
        record(&mut state, Outcome::Failed(failure), at(0), &policy(), 0);
        assert_eq!(waits(&state, 0), expected);
    }
}

#[test]
fn five_failures_open_the_circuit_but_throttling_does_not() {
    let mut state = FeedFetchState::default();
    for _ in 0..9 {
        record(&mut state, failed(ErrorKind::Throttled, 429), at(0), &policy(), 0);
    }
    for expected in [Circuit::Closed, Circuit::Closed, Circuit::Closed, Circuit::Closed, Circuit::Open] {
        record(&mut state, failed(ErrorKind::Timeout, 0), at(0), &policy(), 0);
        assert_eq!(state.circuit(at(0), &policy()), expected);
    }
    skips(&state, 400 * DAY, SkipReason::CircuitOpen);
    state.reset_circuit();
    asks_by(&state, 0, None);
}

#[test]
fn a_half_open_circuit_lets_one_probe_through() {
    let circuit = BreakerPolicy { max_failures: 1, cool_down: Some(Duration::from_secs(600)) };
    let policy = ReaderPolicy { circuit, ..policy() };
    let mut state = FeedFetchState::default();
    record(&mut state, failed(ErrorKind::Dns, 0), at(0), &policy, 0);
    assert_eq!(plan(&state, at(599), &policy), Plan::Skip { until: Some(at(600)), why: SkipReason::CircuitOpen });
    assert_eq!(plan(&state, at(600), &policy), Plan::Fetch { validators: Validators::default(), probe: true });
    record(&mut state, unmodified(), at(600), &policy, 0);
    assert_eq!(state.circuit(at(600), &policy), Circuit::Closed);
}

#[test]
fn nothing_is_asked_before_it_is_due() {
    let mut state = FeedFetchState::default();
    record(&mut state, read("v1"), at(0), &policy(), 0);
    skips(&state, 3599, SkipReason::NotDue);
    asks_by(&state, 3600, Some("v1"));
}

#[test]
fn a_round_takes_along_what_is_nearly_due_and_nothing_else() {
    let round = |state: &FeedFetchState, now| plan_for(state, at(now), &policy(), Occasion::Round);
    let mut state = FeedFetchState::default();
    record(&mut state, read("a"), at(0), &policy(), 0);
    assert!(matches!(round(&state, HOUR * 7 / 8 - 1), Plan::Skip { why: SkipReason::NotDue, .. }));
    assert!(matches!(round(&state, HOUR * 7 / 8), Plan::Fetch { .. }));
    skips(&state, HOUR - 1, SkipReason::NotDue);
    record(&mut state, failed(ErrorKind::Timeout, 0), at(HOUR), &policy(), 0);
    assert!(matches!(round(&state, HOUR + 59), Plan::Skip { why: SkipReason::NotDue, .. }), "failures wait in full");
}

#[test]
fn by_hand_everything_is_asked_but_a_server_that_asked_for_less() {
    let by_hand = |state: &FeedFetchState, now| plan_for(state, at(now), &policy(), Occasion::ByHand);
    let asks = |plan| matches!(plan, Plan::Fetch { .. });
    let mut state = FeedFetchState::default();
    record(&mut state, read("a"), at(0), &policy(), 0);
    assert_eq!(by_hand(&state, 1), Plan::Fetch { validators: etag("a"), probe: false });
    for _ in 0..6 {
        record(&mut state, failed(ErrorKind::HttpStatus, 500), at(1), &policy(), 0);
    }
    skips(&state, 2, SkipReason::CircuitOpen);
    assert!(asks(by_hand(&state, 2)), "the circuit is open, and somebody wants to know");
    let Outcome::Failed(failure) = failed(ErrorKind::HttpStatus, 500) else { unreachable!() };
    let asked = Outcome::Failed(Failure { asked_wait: Some(Duration::from_secs(7200)), ..failure });
    record(&mut state, asked, at(10), &policy(), 0);
    let until = Some(at(10 + 2 * HOUR));
    assert_eq!(by_hand(&state, 20), Plan::Skip { until, why: SkipReason::Throttled });
    assert!(asks(by_hand(&state, 10 + 2 * HOUR)));
    let mut state = FeedFetchState::default();
    record(&mut state, failed(ErrorKind::Throttled, 429), at(0), &policy(), 0);
    assert!(!asks(by_hand(&state, 59)), "throttling asks for a wait even where it names none");
    assert!(asks(by_hand(&state, 60)));
}

#[test]
fn what_is_to_be_revisited_is_asked_for_in_full_and_at_once() {
    let mut state = FeedFetchState::default();
    record(&mut state, read("a"), at(0), &policy(), 0);
    state.revisit();
    asks_by(&state, 1, None);
    record(&mut state, failed(ErrorKind::Timeout, 0), at(1), &policy(), 0);
    state.revisit();
    skips(&state, 2, SkipReason::NotDue);
}

#[test]
fn validators_come_from_what_was_read_and_are_refreshed_by_a_304() {
    let mut state = FeedFetchState::default();
    record(&mut state, read("v1"), at(0), &policy(), 0);
    record(&mut state, failed(ErrorKind::NotAFeed, 200), at(HOUR), &policy(), 0);
    asks_by(&state, 2 * HOUR, Some("v1"));
    record(
        &mut state,
        Outcome::NotModified { validators: etag("v2"), fresh: None, moved: None },
        at(2 * HOUR),
        &policy(),
        0,
    );
    asks_by(&state, 3 * HOUR, Some("v2"));
    record(&mut state, unmodified(), at(3 * HOUR), &policy(), 0);
    asks_by(&state, 4 * HOUR, Some("v2"));
    let bare =
        Outcome::Read { validators: Validators::default(), truncated: false, pace: Pace::default(), moved: None };
    record(&mut state, bare, at(4 * HOUR), &policy(), 0);
    asks_by(&state, 5 * HOUR, None);
}

#[test]
fn a_truncated_document_gives_no_validators() {
    let mut state = FeedFetchState::default();
    let cut = Outcome::Read { validators: etag("v1"), truncated: true, pace: Pace::default(), moved: None };
    record(&mut state, cut, at(0), &policy(), 0);
    asks_by(&state, HOUR, None);
}

#[test]
fn after_a_week_of_304_one_request_is_unconditional() {
    let mut state = FeedFetchState::default();
    record(&mut state, read("v1"), at(0), &policy(), 0);
    asks_by(&state, 8 * DAY, Some("v1"));
    record(&mut state, unmodified(), at(DAY), &policy(), 0);
    asks_by(&state, 6 * DAY, Some("v1"));
    asks_by(&state, 7 * DAY, None);
    record(&mut state, failed(ErrorKind::Timeout, 0), at(7 * DAY), &policy(), 0);
    asks_by(&state, 8 * DAY, None);
    record(&mut state, read("v9"), at(8 * DAY), &policy(), 0);
    asks_by(&state, 9 * DAY, Some("v9"));
}

#[test]
fn two_410_a_day_apart_end_the_feed() {
    let mut state = FeedFetchState::default();
    let gone =
        |state: &mut FeedFetchState, now| record(state, failed(ErrorKind::HttpStatus, 410), at(now), &policy(), 0);
    assert_eq!(gone(&mut state, 0), Some(ErrorKind::HttpStatus));
    assert_eq!(gone(&mut state, HOUR), Some(ErrorKind::HttpStatus));
    record(&mut state, failed(ErrorKind::Timeout, 0), at(2 * HOUR), &policy(), 0);
    assert_eq!(gone(&mut state, DAY), Some(ErrorKind::Gone));
    skips(&state, 1000 * DAY, SkipReason::Gone);
    assert_eq!(state.next_attempt_at(), None);
    state.reset_circuit();
    asks_by(&state, 1000 * DAY, None);
}

#[test]
fn a_good_answer_between_two_410_saves_the_feed() {
    let mut state = FeedFetchState::default();
    record(&mut state, failed(ErrorKind::HttpStatus, 410), at(0), &policy(), 0);
    record(&mut state, unmodified(), at(HOUR), &policy(), 0);
    record(&mut state, failed(ErrorKind::HttpStatus, 410), at(2 * DAY), &policy(), 0);
    assert!(!state.is_gone());
}

fn moved(to: &str) -> Outcome {
    let moved = Some(Move { from: Redacted::text("https://old.example/"), to: Redacted::text(to) });
    Outcome::Read { validators: Validators::default(), truncated: false, pace: Pace::default(), moved }
}

#[test]
fn three_equal_permanent_redirects_over_a_day_move_the_feed() {
    let mut state = FeedFetchState::default();
    for (now, to) in [
        (0, "https://x.example/"),
        (1, "https://new.example/"),
        (HOUR, "https://new.example/"),
        (DAY, "https://new.example/"),
    ] {
        record(&mut state, moved(to), at(now), &policy(), 0);
        assert_eq!(state.moved_to(), None, "at {now}");
    }
    record(&mut state, moved("https://new.example/"), at(DAY + 1), &policy(), 0);
    assert_eq!(state.moved_to(), Some("https://new.example/"));
    assert_eq!(state.aliases().collect::<Vec<_>>(), ["https://old.example/"]);
}

#[test]
fn a_poll_without_the_redirect_starts_the_count_anew() {
    let mut state = FeedFetchState::default();
    for (now, outcome) in [
        (0, moved("https://n.example/")),
        (DAY, moved("https://n.example/")),
        (2 * DAY, unmodified()),
        (3 * DAY, moved("https://n.example/")),
    ] {
        record(&mut state, outcome, at(now), &policy(), 0);
    }
    assert_eq!(state.moved_to(), None);
}

#[test]
fn a_challenge_waits_long() {
    let mut state = FeedFetchState::default();
    record(&mut state, failed(ErrorKind::BlockedByChallenge, 403), at(0), &policy(), 0);
    assert_eq!(waits(&state, 0), 6 * HOUR);
}

#[test]
fn a_wait_that_a_wrong_clock_left_holds_nothing_for_ever() {
    let mut state = FeedFetchState::default();
    record(&mut state, read("v1"), at(20_000 * DAY), &policy(), 0);
    asks_by(&state, 0, Some("v1"));
}

#[test]
fn the_state_survives_storage_byte_for_byte() {
    let mut state = FeedFetchState::default();
    let validators = Validators { etag: Some(b"W/\"\xff\x00a\"".to_vec()), last_modified: Some(b"yesterday".to_vec()) };
    record(
        &mut state,
        Outcome::Read { validators, truncated: false, pace: Pace::default(), moved: None },
        at(0),
        &policy(),
        0,
    );
    record(&mut state, failed(ErrorKind::HttpStatus, 410), at(1), &policy(), 7);
    let text = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<FeedFetchState>(&text).unwrap(), state);
}

/// What a server may do next.
fn any_outcome() -> impl Strategy<Value = Outcome> {
    let kinds = prop::sample::select(vec![
        ErrorKind::HttpStatus,
        ErrorKind::Timeout,
        ErrorKind::Throttled,
        ErrorKind::BlockedByChallenge,
    ]);
    let failure = (kinds, prop::sample::select(vec![0, 404, 410, 429, 500]), prop::option::of(0_u64..200_000))
        .prop_map(|(kind, status, asked)| {
            let asked_wait = asked.map(Duration::from_secs);
            Outcome::Failed(Failure { kind, http_status: Some(status), message: Redacted::text("no"), asked_wait })
        });
    prop_oneof![Just(read("v")), Just(unmodified()), Just(moved("https://n.example/")), failure.clone(), failure]
}

proptest! {
    /// Whatever happens, nothing is asked before its time, no failure is forgotten but by a success, and with a
    /// cool-down the feed is asked again within bounds, unless it is gone.
    #[test]
    fn no_sequence_of_outcomes_breaks_the_promises(
        steps in prop::collection::vec((any_outcome(), 1_i64..200_000, any::<u64>()), 1..60),
    ) {
        let circuit = BreakerPolicy { max_failures: 3, cool_down: Some(Duration::from_secs(7200)) };
        let policy = ReaderPolicy { circuit, ..ReaderPolicy::default() };
        let (mut state, mut now) = (FeedFetchState::default(), 0);
        for (outcome, pause, chance) in steps {
            now += pause;
            match plan(&state, at(now), &policy) {
                Plan::Skip { why: SkipReason::Gone, .. } => {
                    prop_assert!(state.is_gone());
                    break;
                }
                Plan::Skip { until, .. } => {
                    let until = until.expect("with a cool-down every wait ends");
                    prop_assert!(until > at(now) && until.duration_since(at(now)) <= SignedDuration::from_hours(27));
                }
                Plan::Fetch { .. } => {
                    prop_assert!(state.next_attempt_at().is_none_or(|due| due <= at(now)), "too early");
                    let before = state.failures();
                    let good = !matches!(outcome, Outcome::Failed(_));
                    record(&mut state, outcome, at(now), &policy, chance);
                    prop_assert_eq!(state.failures(), if good { 0 } else { before + 1 });
                    prop_assert_eq!(state.last_error().is_none(), good);
                    prop_assert!(state.is_gone() || state.next_attempt_at().is_some_and(|due| due > at(now)));
                }
            }
        }
    }
}
