//! A run ends once, as its counts say, and its counts are exact.

use proptest::prelude::*;

use super::*;

fn counts(outcomes: &[(ItemOutcome, u64)]) -> RunCounts {
    let mut counts = RunCounts::default();
    outcomes.iter().for_each(|(outcome, number)| counts.add_many(*outcome, *number));
    counts
}

#[track_caller]
fn check(end: RunEnd, outcomes: &[(ItemOutcome, u64)], expected: RunStatus) {
    assert_eq!(RunStatus::Running.after(end, &counts(outcomes)), expected);
}

#[test]
fn counts_decide_how_a_run_ends() {
    use ItemOutcome::{Created, Deleted, Failed, Skipped, Unchanged, Waiting};
    use RunEnd::{Broken, Canceled, Complete, Interrupted};
    check(Complete, &[], RunStatus::Success);
    check(Complete, &[(Created, 3), (Waiting, 100)], RunStatus::Success);
    check(Complete, &[(Failed, 2)], RunStatus::Failed);
    check(Complete, &[(Failed, 2), (Created, 1)], RunStatus::Partial);
    check(Complete, &[(Failed, 2), (Unchanged, 1)], RunStatus::Partial);
    check(Complete, &[(Failed, 2), (Skipped(SkipReason::Draft), 1)], RunStatus::Partial);
    check(Broken, &[], RunStatus::Failed);
    check(Broken, &[(Failed, 1)], RunStatus::Failed);
    check(Broken, &[(Deleted, 1)], RunStatus::Partial);
    check(Canceled, &[(Failed, 2)], RunStatus::Canceled);
    check(Interrupted, &[(Created, 2)], RunStatus::Interrupted);
}

#[test]
fn counts_survive_json_with_a_word_a_reason() {
    let counts = counts(&[(ItemOutcome::Skipped(SkipReason::Draft), 2), (ItemOutcome::Failed, 5000)]);
    let text = serde_json::to_string(&counts).unwrap();
    assert!(text.contains(r#""skipped":{"draft":2}"#) && text.contains(r#""failed":5000"#), "{text}");
    assert_eq!(serde_json::from_str::<RunCounts>(&text).unwrap(), counts);
    assert_eq!(serde_json::from_str::<RunCounts>("{}").unwrap(), RunCounts::default(), "older rows have fewer words");
}

fn outcome() -> impl Strategy<Value = ItemOutcome> {
    prop_oneof![
        Just(ItemOutcome::Created),
        Just(ItemOutcome::Updated),
        Just(ItemOutcome::Deleted),
        Just(ItemOutcome::Marked),
        Just(ItemOutcome::Waiting),
        Just(ItemOutcome::Unchanged),
        Just(ItemOutcome::Failed),
        Just(ItemOutcome::Skipped(SkipReason::Empty)),
        Just(ItemOutcome::Skipped(SkipReason::Draft)),
    ]
}

fn end() -> impl Strategy<Value = RunEnd> {
    prop_oneof![Just(RunEnd::Complete), Just(RunEnd::Broken), Just(RunEnd::Canceled), Just(RunEnd::Interrupted)]
}

proptest! {
    #[test]
    fn the_total_is_the_number_of_things_met(outcomes in proptest::collection::vec(outcome(), 0..200)) {
        let mut counts = RunCounts::default();
        outcomes.iter().for_each(|outcome| counts.add(*outcome));
        prop_assert_eq!(counts.total(), outcomes.len() as u64);
        let skipped = outcomes.iter().filter(|outcome| matches!(outcome, ItemOutcome::Skipped(_))).count();
        prop_assert_eq!(counts.skipped(), skipped as u64);
    }

    #[test]
    fn a_run_ends_once(ends in proptest::collection::vec((end(), 0..3_u64, 0..3_u64), 1..6)) {
        let mut status = RunStatus::Running;
        let mut first = None;
        for (end, failed, created) in ends {
            let counts = counts(&[(ItemOutcome::Failed, failed), (ItemOutcome::Created, created)]);
            status = status.after(end, &counts);
            prop_assert!(status.is_over());
            prop_assert_eq!(*first.get_or_insert(status), status);
            prop_assert_eq!(RunStatus::parse(status.as_str()), Some(status));
        }
    }

    #[test]
    fn nothing_failed_is_never_a_failure_and_nothing_done_never_a_success(failed in 0..3_u64, created in 0..3_u64) {
        let counts = counts(&[(ItemOutcome::Failed, failed), (ItemOutcome::Created, created)]);
        let status = RunStatus::Running.after(RunEnd::Complete, &counts);
        let expected = match (failed, created) {
            (0, _) => RunStatus::Success,
            (_, 0) => RunStatus::Failed,
            _ => RunStatus::Partial,
        };
        prop_assert_eq!(status, expected);
    }
}

#[test]
fn counts_never_run_over() {
    let counts = counts(&[(ItemOutcome::Created, u64::MAX), (ItemOutcome::Created, 1), (ItemOutcome::Failed, 9)]);
    assert_eq!(counts.total(), u64::MAX);
}
