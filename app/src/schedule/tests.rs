//! What `schedule` is held to.

use super::*;

/// The first times after a moment.
#[track_caller]
fn check(expression: &str, zone: &str, after: &str, expected: &[&str]) {
    let schedule = Schedule::parse(expression, zone).unwrap();
    let mut at = after.parse().unwrap();
    for expected in expected {
        at = schedule.next_after(at).unwrap();
        assert_eq!(at.to_string(), *expected, "{expression} {zone} after {after}");
    }
}

#[track_caller]
fn refused(expression: &str, zone: &str, says: &str) {
    let error = Schedule::parse(expression, zone).unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidSchedule);
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn five_and_six_fields_and_names() {
    check(
        "*/20 * * * *",
        "UTC",
        "2024-05-01T10:00:00Z",
        &["2024-05-01T10:20:00Z", "2024-05-01T10:40:00Z", "2024-05-01T11:00:00Z"],
    );
    check("30 0 12 * * MON", "UTC", "2024-05-01T10:00:00Z", &["2024-05-06T12:00:30Z", "2024-05-13T12:00:30Z"]);
    check("0 9 1 * *", "Asia/Tokyo", "2024-05-01T00:00:00Z", &["2024-06-01T00:00:00Z"]);
    check("@daily", "America/New_York", "2024-05-01T10:00:00Z", &["2024-05-02T04:00:00Z"]);
    check("0 0 29 2 *", "Europe/Berlin", "2097-01-01T00:00:00Z", &["2104-02-28T23:00:00Z"]);
    check("0 0 * * *", "UTC", "2024-05-01T00:00:00Z", &["2024-05-02T00:00:00Z"]);
    check("0 0 * * *", "UTC", "2024-04-30T23:59:59.999Z", &["2024-05-01T00:00:00Z"]);
}

#[test]
fn intervals() {
    check("@every 90s", "UTC", "2024-05-01T10:00:00Z", &["2024-05-01T10:01:30Z", "2024-05-01T10:03:00Z"]);
    check("@every 1h30m", "UTC", "2024-05-01T10:00:00Z", &["2024-05-01T11:30:00Z"]);
    check("@every 2d", "Europe/Berlin", "2024-03-30T10:00:00Z", &["2024-04-01T10:00:00Z"]);
}

#[test]
fn a_fixed_time_in_the_hour_left_out_fires_once_after_it() {
    check(
        "30 2 * * *",
        "Europe/Berlin",
        "2024-03-29T12:00:00Z",
        &["2024-03-30T01:30:00Z", "2024-03-31T01:00:00Z", "2024-04-01T00:30:00Z"],
    );
    check("0,30 2 * * *", "Europe/Berlin", "2024-03-30T12:00:00Z", &["2024-03-31T01:00:00Z", "2024-04-01T00:00:00Z"]);
    check("0 2,3 * * *", "Europe/Berlin", "2024-03-30T12:00:00Z", &["2024-03-31T01:00:00Z", "2024-04-01T00:00:00Z"]);
    check("30 2 * * *", "Europe/Berlin", "2024-03-31T00:59:59Z", &["2024-03-31T01:00:00Z"]);
    check("30 2 * * *", "Europe/Berlin", "2024-03-31T01:00:00Z", &["2024-04-01T00:30:00Z"]);
    check("30 2 10 3 *", "America/New_York", "2024-01-01T00:00:00Z", &["2024-03-10T07:00:00Z", "2025-03-10T06:30:00Z"]);
    check(
        "15 2 * * *",
        "Australia/Lord_Howe",
        "2024-10-05T12:00:00Z",
        &["2024-10-05T15:30:00Z", "2024-10-06T15:15:00Z"],
    );
    check(
        "0 12 * * *",
        "Pacific/Apia",
        "2011-12-29T12:00:00Z",
        &["2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"],
    );
}

#[test]
fn a_fixed_time_in_the_hour_that_comes_twice_fires_the_first_time() {
    check(
        "30 2 * * *",
        "Europe/Berlin",
        "2024-10-25T12:00:00Z",
        &["2024-10-26T00:30:00Z", "2024-10-27T00:30:00Z", "2024-10-28T01:30:00Z"],
    );
    check(
        "0,30 2 * * *",
        "Europe/Berlin",
        "2024-10-26T12:00:00Z",
        &["2024-10-27T00:00:00Z", "2024-10-27T00:30:00Z", "2024-10-28T01:00:00Z"],
    );
    check("30 2 * * *", "Europe/Berlin", "2024-10-27T01:10:00Z", &["2024-10-28T01:30:00Z"]);
    check("0 3 * * *", "Europe/Berlin", "2024-10-26T12:00:00Z", &["2024-10-27T02:00:00Z", "2024-10-28T02:00:00Z"]);
    check("0 2 * * *", "Europe/Berlin", "2024-10-27T00:00:00Z", &["2024-10-28T01:00:00Z"]);
}

#[test]
fn what_repeats_follows_the_time_that_passes() {
    let spring = ["2024-03-31T00:30:00Z", "2024-03-31T01:00:00Z", "2024-03-31T01:30:00Z", "2024-03-31T02:00:00Z"];
    check("*/30 * * * *", "Europe/Berlin", "2024-03-31T00:00:00Z", &spring);
    let autumn = [
        "2024-10-27T00:00:00Z",
        "2024-10-27T00:30:00Z",
        "2024-10-27T01:00:00Z",
        "2024-10-27T01:30:00Z",
        "2024-10-27T02:00:00Z",
    ];
    check("*/30 * * * *", "Europe/Berlin", "2024-10-26T23:30:00Z", &autumn);
    check("@hourly", "Europe/Berlin", "2024-10-27T00:00:00Z", &["2024-10-27T01:00:00Z", "2024-10-27T02:00:00Z"]);
    check("*/30 2 * * *", "Europe/Berlin", "2024-03-30T12:00:00Z", &["2024-04-01T00:00:00Z"]);
}

#[test]
fn nonsense_is_refused_with_what_is_wrong() {
    refused("61 * * * *", "UTC", "\"61 * * * *\": the minute 61 is not between 0 and 59");
    refused("0 0 24 * * *", "UTC", "the hour 24 is not between 0 and 23");
    refused("0 0-30/0 * * * *", "UTC", "the step of the minute \"0-30/0\" is no number above 0");
    refused("0 5-2 * * *", "UTC", "the hour \"5-2\" ends before it begins");
    refused("0 0 * foo *", "UTC", "the month \"foo\" is not understood");
    refused("0 0 * * mon-fly", "UTC", "the day of the week \"fly\" is not understood");
    refused("* * * *", "UTC", "it has 4 fields, where five or six are needed");
    refused("0 0 0 1 1 * 2030", "UTC", "it has 7 fields");
    refused("", "UTC", "it is empty");
    refused("every day", "UTC", "it has 2 fields");
    refused("@sometimes", "UTC", "there is no such name");
    refused("0 0 30 2 *", "UTC", "never fires");
    refused("0 0 * * *", "Mars/Olympus", "Mars/Olympus");
    refused("@every", "UTC", "@every");
    refused("@every 0s", "UTC", "between a second and a year");
    refused("@every -1h", "UTC", "@every");
    refused("@every 1mo", "UTC", "@every");
}
