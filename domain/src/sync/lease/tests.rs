//! One run at a time writes; the dead are replaced; what kills every run is left alone.

use proptest::prelude::*;

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn run(name: &str) -> RunId {
    RunId(name.to_owned())
}

fn granted(claim: Claim) -> (FencingToken, u32, Option<RunId>) {
    match claim {
        Claim::Granted { token, attempt, interrupted } => (token, attempt, interrupted),
        other => panic!("not granted: {other:?}"),
    }
}

#[test]
fn a_held_lease_names_its_run_until_it_expires() {
    let policy = LeasePolicy::default();
    let mut lease = Lease::default();
    let (first, attempt, interrupted) = granted(lease.claim(&run("a"), at(0), &policy));
    assert_eq!((attempt, interrupted), (1, None));
    assert_eq!(lease.claim(&run("b"), at(59), &policy), Claim::Held(run("a")));
    assert!(lease.extend(first, at(50), &policy));
    assert_eq!(lease.claim(&run("b"), at(109), &policy), Claim::Held(run("a")));
    let (second, attempt, interrupted) = granted(lease.claim(&run("b"), at(110), &policy));
    assert_eq!((attempt, interrupted), (2, Some(run("a"))));
    assert!(second > first && !lease.permits(first) && lease.permits(second));
    assert!(!lease.extend(first, at(111), &policy) && !lease.release(first));
    assert!(lease.release(second));
    assert!(!lease.permits(second), "a run that has ended writes no more");
    let (_, attempt, interrupted) = granted(lease.claim(&run("c"), at(111), &policy));
    assert_eq!((attempt, interrupted), (1, None));
}

#[test]
fn a_run_that_is_late_but_not_replaced_goes_on() {
    let policy = LeasePolicy::default();
    let mut lease = Lease::default();
    let (token, ..) = granted(lease.claim(&run("a"), at(0), &policy));
    assert!(lease.extend(token, at(500), &policy), "nobody wanted it in the meantime");
    assert_eq!(lease.claim(&run("b"), at(559), &policy), Claim::Held(run("a")));
    assert!(lease.extend(token, at(100), &policy), "a clock that went back shortens nothing");
    assert_eq!(lease.claim(&run("b"), at(559), &policy), Claim::Held(run("a")));
}

#[test]
fn what_kills_every_run_is_refused_in_the_end() {
    let policy = LeasePolicy { max_attempts: 3, ..LeasePolicy::default() };
    let mut lease = Lease::default();
    for attempt in 1..=3 {
        let claim = lease.claim(&run(&attempt.to_string()), at(i64::from(attempt) * 100), &policy);
        assert_eq!(granted(claim).1, attempt);
    }
    let last = lease.token;
    assert_eq!(lease.claim(&run("4"), at(1000), &policy), Claim::Poisoned { interrupted: run("3"), attempts: 3 });
    assert!(!lease.permits(last), "the last one is kept out too");
    assert_eq!(granted(lease.claim(&run("5"), at(1000), &policy)).1, 1, "a person has seen to it");
}

/// What may happen to a lease: a claim, or a worker that extends or releases what it was once granted.
#[derive(Debug, Clone, Copy)]
enum Event {
    Claim,
    Extend(usize),
    Release(usize),
    Wait(i64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => Just(Event::Claim),
        2 => (0..8_usize).prop_map(Event::Extend),
        1 => (0..8_usize).prop_map(Event::Release),
        3 => (0..90_i64).prop_map(Event::Wait),
    ]
}

proptest! {
    #[test]
    fn tokens_grow_and_at_most_the_last_one_is_let_in(events in proptest::collection::vec(event(), 1..120)) {
        let policy = LeasePolicy { max_attempts: 3, ..LeasePolicy::default() };
        let mut lease = Lease::default();
        let mut tokens: Vec<FencingToken> = Vec::new();
        let mut now = 0;
        for (number, event) in events.into_iter().enumerate() {
            let pick = |index: usize, tokens: &[FencingToken]| tokens.iter().rev().nth(index).copied();
            match event {
                Event::Wait(seconds) => now += seconds,
                Event::Extend(index) => if let Some(token) = pick(index, &tokens) {
                    prop_assert_eq!(lease.extend(token, at(now), &policy), lease.permits(token));
                },
                Event::Release(index) => if let Some(token) = pick(index, &tokens) {
                    let permitted = lease.permits(token);
                    prop_assert_eq!(lease.release(token), permitted);
                    prop_assert!(!lease.permits(token));
                },
                Event::Claim => {
                    let before = lease.clone();
                    match lease.claim(&run(&number.to_string()), at(now), &policy) {
                        Claim::Granted { token, attempt, interrupted } => {
                            prop_assert!(tokens.last().is_none_or(|last| token > *last));
                            prop_assert!((1..=3).contains(&attempt));
                            prop_assert_eq!(interrupted, before.run);
                            tokens.push(token);
                        }
                        Claim::Held(holder) => {
                            prop_assert_eq!(Some(holder), before.run.clone());
                            prop_assert_eq!(&lease, &before, "who finds it held changes nothing");
                        }
                        Claim::Poisoned { attempts, .. } => prop_assert_eq!(attempts, 3),
                    }
                }
            }
            let let_in = tokens.iter().filter(|token| lease.permits(**token)).count();
            prop_assert!(let_in <= 1);
            prop_assert!(let_in == 0 || lease.permits(tokens[tokens.len() - 1]));
        }
    }
}
