//! What `synthesis::health` is held to.

use super::*;
use crate::feed::fetch_state::{Failure, Outcome, Validators, record};
use crate::feed::pace::Pace;
use crate::secret::Redacted;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_714_644_000 + seconds).unwrap()
}

fn failed(kind: ErrorKind, status: Option<u16>) -> Outcome {
    Outcome::Failed(Failure { kind, http_status: status, message: Redacted::text("no"), asked_wait: None })
}

/// The health after these outcomes, a second apart.
fn after(outcomes: Vec<Outcome>) -> Health {
    let (mut state, policy) = (FeedFetchState::default(), ReaderPolicy::default());
    for (second, outcome) in outcomes.into_iter().enumerate() {
        record(&mut state, outcome, at(second as i64), &policy, 0);
    }
    Health::of(&state, at(100), &policy)
}

#[test]
fn what_was_never_asked_and_what_is_well_need_no_advice() {
    let never = after(Vec::new());
    assert_eq!((never.outcome, never.advice, never.next_attempt_at), (LastOutcome::Never, None, None));
    let read =
        Outcome::Read { validators: Validators::default(), truncated: false, pace: Pace::default(), moved: None };
    let well = after(vec![failed(ErrorKind::Timeout, None), read]);
    assert_eq!((well.outcome, well.advice, well.failures), (LastOutcome::Ok, None, 0));
    assert_eq!(well.last_read_at, Some(at(1)));
}

#[test]
fn each_failure_says_what_to_do() {
    #[track_caller]
    fn check(kind: ErrorKind, status: Option<u16>, expected: &str) {
        let health = after(vec![failed(kind, status)]);
        assert_eq!(health.outcome, LastOutcome::Failed);
        assert!(health.advice.unwrap().contains(expected), "{health:?}");
    }
    check(ErrorKind::HttpStatus, Some(404), "feed discover");
    check(ErrorKind::HttpStatus, Some(500), "by itself");
    check(ErrorKind::HttpStatus, Some(403), "user_agent");
    check(ErrorKind::Auth, Some(401), "source add");
    check(ErrorKind::Throttled, Some(429), "nothing to do");
    check(ErrorKind::Dns, None, "name is not known");
    check(ErrorKind::Tls, None, "--ca-file");
}

#[test]
fn an_open_circuit_and_an_ended_feed_wait_for_their_owner() {
    let open = after(vec![failed(ErrorKind::Timeout, None); 5]);
    assert_eq!((open.circuit, open.failures), (Circuit::Open, 5));
    assert!(open.advice.unwrap().contains("headwater run URL"));
    let (mut state, policy) = (FeedFetchState::default(), ReaderPolicy::default());
    for second in [0, 86_400] {
        record(&mut state, failed(ErrorKind::HttpStatus, Some(410)), at(second), &policy, 0);
    }
    let gone = Health::of(&state, at(86_400), &policy);
    assert_eq!((gone.outcome, gone.next_attempt_at), (LastOutcome::Gone, None));
    assert!(gone.advice.unwrap().starts_with("remove it"));
}
