//! What `synthesis::rss_first` is held to.

use proptest::prelude::*;

use super::*;

const NOW: &str = "2026-05-20T12:00:00Z";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn url(text: &str) -> PrivateUrl {
    PrivateUrl::new(text.parse().unwrap())
}

fn location(at: Option<&str>) -> FeedLocation {
    FeedLocation { rss_url: url("https://a.example/feed"), rss_discovered_at: at.map(time) }
}

#[track_caller]
fn is_fresh(at: Option<&str>, expected: bool) {
    let approach = approach(Some(&location(at)), time(NOW), 30);
    assert_eq!(matches!(approach, Approach::ParseCached(_)), expected, "{approach:?}");
    assert_eq!(matches!(approach, Approach::Rediscover(_)), !expected, "{approach:?}");
}

#[test]
fn a_feed_url_is_fresh_for_less_than_thirty_days() {
    is_fresh(Some("2026-05-20T12:00:00Z"), true);
    is_fresh(Some("2026-04-20T12:00:01Z"), true);
    is_fresh(Some("2026-04-20T12:00:00Z"), false);
    is_fresh(Some("2020-01-01T00:00:00Z"), false);
    is_fresh(Some("2026-05-20T12:00:01Z"), false);
    is_fresh(None, false);
}

#[test]
fn a_source_without_a_feed_url_is_discovered() {
    assert_eq!(approach(None, time(NOW), 30), Approach::Discover);
}

#[test]
fn what_was_found_decides_what_is_stored() {
    let stored = location(Some("2026-01-01T00:00:00Z"));
    let now = time(NOW);
    let other = url("https://a.example/atom.xml");
    let set = CacheAction::Set { url: other.clone(), at: now };
    assert_eq!(after_discovery(Some(&stored), Finding::Found(stored.rss_url.clone()), now), CacheAction::Touch(now));
    assert_eq!(after_discovery(Some(&stored), Finding::Found(other.clone()), now), set);
    assert_eq!(after_discovery(None, Finding::Found(other), now), set);
    assert_eq!(after_discovery(Some(&stored), Finding::Absent, now), CacheAction::Clear);
    assert_eq!(after_discovery(Some(&stored), Finding::Unknown, now), CacheAction::Keep);
    assert_eq!(after_discovery(None, Finding::Absent, now), CacheAction::Keep);
}

#[test]
fn only_a_definite_answer_is_absence() {
    assert!(is_definite_absence(ErrorKind::HttpStatus, Some(404)));
    assert!(is_definite_absence(ErrorKind::Gone, Some(410)));
    assert!(is_definite_absence(ErrorKind::NotAFeed, Some(200)));
    for status in [400, 403, 500, 502, 503] {
        assert!(!is_definite_absence(ErrorKind::HttpStatus, Some(status)), "{status}");
    }
    for kind in [ErrorKind::Timeout, ErrorKind::Dns, ErrorKind::Connect, ErrorKind::Throttled, ErrorKind::Malformed] {
        assert!(!is_definite_absence(kind, None), "{kind}");
    }
}

#[test]
fn an_action_says_what_to_store() {
    let stored = location(Some("2026-01-01T00:00:00Z"));
    let now = time(NOW);
    assert_eq!(CacheAction::Keep.change(Some(&stored)), None);
    assert_eq!(CacheAction::Touch(now).change(None), None);
    assert_eq!(CacheAction::Clear.change(Some(&stored)), Some(None));
    let touched = FeedLocation { rss_url: stored.rss_url.clone(), rss_discovered_at: Some(now) };
    assert_eq!(CacheAction::Touch(now).change(Some(&stored)), Some(Some(touched)));
    let other = url("https://a.example/atom.xml");
    let set = FeedLocation { rss_url: other.clone(), rss_discovered_at: Some(now) };
    assert_eq!(CacheAction::Set { url: other, at: now }.change(Some(&stored)), Some(Some(set)));
}

proptest! {
    #[test]
    fn a_touched_or_set_location_is_fresh_at_once(seconds in 0i64..4_000_000_000, days in 1i64..400) {
        let now = Timestamp::from_second(seconds).unwrap();
        let stored = location(None);
        for finding in [Finding::Found(stored.rss_url.clone()), Finding::Found(url("https://b.example/"))] {
            let action = after_discovery(Some(&stored), finding, now);
            let stored = action.change(Some(&stored)).unwrap().unwrap();
            prop_assert_eq!(approach(Some(&stored), now, days), Approach::ParseCached(stored.rss_url.clone()));
        }
    }

    #[test]
    fn an_unknown_outcome_never_changes_what_is_stored(at in proptest::option::of(0i64..2_000_000_000)) {
        let rss_discovered_at = at.map(|at| Timestamp::from_second(at).unwrap());
        let stored = FeedLocation { rss_url: url("https://a.example/feed"), rss_discovered_at };
        prop_assert_eq!(after_discovery(Some(&stored), Finding::Unknown, time(NOW)), CacheAction::Keep);
    }
}
