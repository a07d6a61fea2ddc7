//! Times and texts on their way into columns and back.

use super::*;

#[test]
fn a_time_survives_to_the_microsecond() {
    let time: Timestamp = "2026-11-30T19:41:00.123456789Z".parse().unwrap();
    assert_eq!(time_text(time), "2026-11-30T19:41:00.123456Z");
    assert_eq!(stored_time(time), "2026-11-30T19:41:00.123456Z".parse().unwrap());
}

#[test]
fn texts_of_times_sort_as_they_do() {
    let times = ["1969-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:01Z"];
    let texts: Vec<String> = times.iter().map(|time| time_text(time.parse().unwrap())).collect();
    assert!(texts.is_sorted(), "{texts:?}");
}

#[test]
fn times_of_other_writers_are_understood() {
    let expected: Timestamp = "2026-11-30T19:41:00Z".parse().unwrap();
    for text in ["2026-11-30 19:41:00", "2026-11-30T20:41:00+01:00", "2026-11-30 19:41:00+00", " 2026-11-30T19:41:00Z "]
    {
        assert_eq!(parse_time(text), Some(expected), "{text}");
    }
    assert_eq!(parse_time("yesterday"), None);
    assert_eq!(parse_time(""), None);
}

#[test]
fn nul_never_reaches_a_column() {
    assert_eq!(text("a\0b"), "a\u{fffd}b");
    assert_eq!(text("plain"), "plain");
}
