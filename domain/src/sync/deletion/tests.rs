//! Few deletions pass, many wait for a yes, and a yes is for no more than it says.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(deletions: u64, known: u64, confirmed: Option<u64>, expected: DeletionVerdict) {
    assert_eq!(DeletionGuard::default().judge(deletions, known, confirmed, FollowDeletions::Yes), expected);
}

#[test]
fn only_many_that_are_also_most_wait() {
    use DeletionVerdict::{Delete, DeleteAsConfirmed, Wait};
    check(20, 20, None, Delete);
    check(21, 42, None, Delete);
    check(21, 41, None, Wait);
    check(500, 100_000, None, Delete);
    check(100, 100, Some(99), Wait);
    check(100, 100, Some(100), DeleteAsConfirmed);
    check(3, 3, Some(100), Delete);
    check(100, 0, None, Wait);
    check(0, 0, None, Delete);
}

#[test]
fn a_deletion_can_be_undone_for_thirty_days() {
    let deleted: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
    assert_eq!(restorable_until(deleted), "2026-12-01T00:00:00Z".parse().unwrap());
    assert_eq!(restorable_until(Timestamp::MAX), Timestamp::MAX);
}

proptest! {
    #[test]
    fn deletions_that_are_not_followed_are_marked(deletions: u64, known: u64, confirmed: Option<u64>) {
        let verdict = DeletionGuard::default().judge(deletions, known, confirmed, FollowDeletions::No);
        prop_assert_eq!(verdict, DeletionVerdict::Mark);
    }

    #[test]
    fn fewer_deletions_never_fare_worse(deletions in 1..u64::MAX, known: u64) {
        let guard = DeletionGuard::default();
        if guard.judge(deletions, known, None, FollowDeletions::Yes) == DeletionVerdict::Delete {
            prop_assert_eq!(guard.judge(deletions - 1, known, None, FollowDeletions::Yes), DeletionVerdict::Delete);
        }
    }
}
