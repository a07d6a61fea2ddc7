//! What `feed::pace` is held to.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::feed::{FeedFormat, Weekday};

/// Thursday.
fn now() -> Timestamp {
    "2024-05-02T10:00:00Z".parse().unwrap()
}

fn document(ages_h: &[i64]) -> FeedDocument {
    let date = |age: &i64| now().checked_sub(SignedDuration::from_hours(*age)).unwrap();
    let item = |age: &i64| FeedItem { published_at: Some(date(age)), ..FeedItem::default() };
    FeedDocument { items: ages_h.iter().map(item).collect(), ..FeedDocument::empty(FeedFormat::Rss20) }
}

#[track_caller]
fn check(pace: &Pace, policy: &ReaderPolicy, expected_s: i64) {
    assert_eq!(pace.next_poll(now(), policy, 0).duration_since(now()).as_secs(), expected_s);
}

fn auto() -> ReaderPolicy {
    ReaderPolicy::default()
}

fn fixed(seconds: u64) -> ReaderPolicy {
    ReaderPolicy { interval: Some(Duration::from_secs(seconds)), ..auto() }
}

#[test]
fn half_the_rhythm_within_bounds() {
    check(&Pace::of(&document(&[1, 5, 9, 13]), now()), &auto(), 2 * 3600);
    check(&Pace::of(&document(&[]), now()), &auto(), 3600);
    check(&Pace::of(&document(&[0, 0, 0]), now()), &auto(), 600);
    check(&Pace::of(&document(&[1, 1000, 2000]), now()), &auto(), 86_400);
}

#[test]
fn a_silent_feed_is_asked_less_often() {
    check(&Pace::of(&document(&[100, 101, 102]), now()), &auto(), 10 * 3600);
}

#[test]
fn a_gap_brings_the_next_poll_forward() {
    check(&Pace::of(&document(&[1, 5, 9, 13]), now()).with_gap(true), &auto(), 1800);
    check(&Pace::of(&document(&[1, 5]), now()).with_gap(true), &fixed(7200), 7200);
}

#[test]
fn the_longest_of_what_is_asked_for_counts_up_to_the_limit() {
    let mut asking = document(&[1, 2, 3]);
    (asking.ttl_minutes, asking.update_period_minutes) = (Some(90), Some(120));
    let pace = Pace::of(&asking, now());
    check(&pace, &auto(), 7200);
    check(&pace.clone().with_fresh(Some(Duration::from_secs(9000))), &auto(), 9000);
    check(&pace.clone().with_fresh(Some(Duration::from_secs(31_536_000))), &auto(), 86_400);
    check(&pace, &ReaderPolicy { max_interval: Some(Duration::from_secs(3600)), ..auto() }, 3600);
    check(&pace, &fixed(300), 7200);
    check(&pace, &fixed(10_000), 10_000);
}

#[test]
fn a_fixed_interval_has_no_jitter_but_a_measured_one_has() {
    let pace = Pace::default();
    assert_eq!(pace.next_poll(now(), &fixed(300), 999).duration_since(now()).as_secs(), 300);
    assert_eq!(pace.next_poll(now(), &auto(), 500).duration_since(now()).as_secs(), 3780);
}

#[test]
fn skipped_hours_and_days_are_waited_out() {
    let skipping = |hours: &[u8], days: &[Weekday]| {
        let mut document = document(&[]);
        (document.skip_hours, document.skip_days) = (hours.to_vec(), days.to_vec());
        Pace::of(&document, now())
    };
    check(&skipping(&[11, 12], &[]), &fixed(3600), 3 * 3600);
    check(&skipping(&[9, 10], &[]), &fixed(3600), 3600);
    check(&skipping(&[], &[Weekday::Thursday]), &fixed(3600), 14 * 3600);
    check(&skipping(&[0, 1], &[Weekday::Thursday, Weekday::Friday]), &fixed(3600), (14 + 24 + 2) * 3600);
    let capped = ReaderPolicy { max_interval: Some(Duration::from_secs(86_400)), ..fixed(3600) };
    check(&skipping(&[], &[Weekday::Thursday, Weekday::Friday]), &capped, 86_400);
    let all: Vec<u8> = (0..24).collect();
    check(&skipping(&all, &[]), &fixed(3600), 3600);
}

#[test]
fn an_ended_feed_is_asked_once_a_day() {
    let ended = FeedDocument { complete: true, ..document(&[1, 2, 3]) };
    check(&Pace::of(&ended, now()), &auto(), 86_400);
}

#[test]
fn headers_say_how_long_an_answer_stays_fresh() {
    for (cache_control, age, expires, expected) in [
        (Some("public, max-age=3600"), None, None, Some(3600)),
        (Some("Max-Age=\"60\""), Some("20"), None, Some(40)),
        (Some("max-age=60"), Some("80"), None, None),
        (Some("no-cache, max-age=60"), None, None, None),
        (None, None, Some("Thu, 02 May 2024 11:00:00 GMT"), Some(3600)),
        (None, None, Some("Thu, 02 May 2024 09:00:00 GMT"), None),
        (None, None, Some("-1"), None),
        (Some("max-age=60"), None, Some("Thu, 02 May 2024 11:00:00 GMT"), Some(60)),
        (Some("max-age=99999999999999999999"), None, None, None),
    ] {
        let fresh = fresh_for(cache_control, age, expires, now()).map(|fresh| fresh.as_secs());
        assert_eq!(fresh, expected, "{cache_control:?} {age:?} {expires:?}");
    }
}

proptest! {
    #[test]
    fn the_next_poll_lies_ahead_and_within_bounds(
        ages in prop::collection::vec(-100_i64..10_000, 0..20),
        ttl in prop::option::of(any::<u32>()),
        hours in prop::collection::vec(0_u8..24, 0..24),
        fresh in prop::option::of(any::<u32>()),
        chance: u64,
    ) {
        let mut document = document(&ages);
        (document.ttl_minutes, document.skip_hours) = (ttl, hours);
        let pace = Pace::of(&document, now()).with_fresh(fresh.map(|fresh| Duration::from_secs(u64::from(fresh))));
        let wait = pace.next_poll(now(), &auto(), chance).duration_since(now());
        prop_assert!(wait >= SignedDuration::from_secs(600) && wait <= SignedDuration::from_secs(95_040), "{}", wait);
        let text = serde_json::to_string(&pace).unwrap();
        prop_assert_eq!(serde_json::from_str::<Pace>(&text).unwrap(), pace);
    }
}
