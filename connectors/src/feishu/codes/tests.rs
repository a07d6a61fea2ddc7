//! Codes count more than statuses.

use super::{JobStatus, Meaning, job_status, meaning};

#[test]
fn codes_count_more_than_statuses() {
    let cases = [
        (200, Some(0), Meaning::Fine),
        (200, Some(10_014), Meaning::WrongCredentials),
        (400, Some(99_991_400), Meaning::Throttled),
        (400, Some(11_232), Meaning::Throttled),
        (429, None, Meaning::Throttled),
        (429, Some(5), Meaning::Throttled),
        (400, Some(99_991_663), Meaning::StaleToken),
        (400, Some(99_991_672), Meaning::LacksScope),
        (400, Some(131_005), Meaning::Missing),
        (400, Some(131_006), Meaning::Hidden),
        (403, Some(1_061_004), Meaning::Hidden),
        (500, Some(1_663), Meaning::Passing),
        (200, Some(1_254_290), Meaning::Throttled),
        (400, Some(131_002), Meaning::Refused),
        (502, None, Meaning::Passing),
        (404, None, Meaning::Refused),
        (403, None, Meaning::Refused),
    ];
    for (status, code, expected) in cases {
        assert_eq!(meaning(status, code), expected, "{status} {code:?}");
    }
}

#[test]
fn only_two_states_of_a_task_are_pending() {
    let pending: Vec<_> = (0..=6000).filter(|status| job_status(*status) == JobStatus::Pending).collect();
    assert_eq!(pending, [1, 2]);
    assert_eq!(job_status(111), JobStatus::Missing);
    assert_eq!(job_status(122), JobStatus::Forbidden);
}
