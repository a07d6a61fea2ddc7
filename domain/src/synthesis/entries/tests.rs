//! What `synthesis::entries` is held to.

use proptest::prelude::*;

use super::*;
use crate::feed::{ContentKind, FeedFormat};

const NOW: &str = "2026-05-20T12:00:00Z";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn item(link: &str, at: Option<&str>) -> FeedItem {
    FeedItem {
        link: Some(PrivateUrl::new(link.parse().unwrap())),
        link_from: Some(LinkFrom::Link),
        published_at: at.map(time),
        ..FeedItem::default()
    }
}

fn urls(items: Vec<FeedItem>) -> Vec<String> {
    let document = FeedDocument { items, ..FeedDocument::empty(FeedFormat::Rss20) };
    from_feed(document, time(NOW)).iter().map(|candidate| candidate.url.redacted()).collect()
}

#[test]
fn newest_first_and_undated_last_in_document_order() {
    let items = vec![
        item("https://a.example/undated-1", None),
        item("https://a.example/old", Some("2026-05-01T00:00:00Z")),
        item("https://a.example/new", Some("2026-05-19T00:00:00Z")),
        item("https://a.example/new-too", Some("2026-05-19T00:00:00Z")),
        item("https://a.example/undated-2", None),
    ];
    let expected = ["new", "new-too", "old", "undated-1", "undated-2"].map(|name| format!("https://a.example/{name}"));
    assert_eq!(urls(items), expected);
}

#[test]
fn a_date_more_than_a_day_ahead_counts_as_none() {
    let items = vec![
        item("https://a.example/next-month", Some("2026-06-20T12:00:00Z")),
        item("https://a.example/old", Some("2026-05-01T00:00:00Z")),
        item("https://a.example/tomorrow", Some("2026-05-21T12:00:00Z")),
    ];
    let expected = ["tomorrow", "old", "next-month"].map(|name| format!("https://a.example/{name}"));
    assert_eq!(urls(items), expected);
}

#[test]
fn an_update_stands_in_for_a_missing_date_of_publication() {
    let mut updated = item("https://a.example/updated", None);
    updated.updated_at = Some(time("2026-05-19T00:00:00Z"));
    let items = vec![item("https://a.example/old", Some("2026-05-01T00:00:00Z")), updated];
    assert_eq!(urls(items), ["https://a.example/updated", "https://a.example/old"]);
}

#[test]
fn entries_without_a_web_link_of_their_own_are_no_articles() {
    let attached = FeedItem { link_from: Some(LinkFrom::Enclosure), ..item("https://a.example/talk.mp3", None) };
    let items =
        vec![FeedItem::default(), attached, item("mailto:a@b.example", None), item("https://a.example/1", None)];
    assert_eq!(urls(items), ["https://a.example/1"]);
}

#[test]
fn urls_that_differ_in_tracking_only_are_one() {
    let items = vec![
        item("https://a.example/1?utm_source=rss", None),
        item("https://A.example:443/1#top", None),
        item("https://a.example/2", None),
    ];
    assert_eq!(urls(items), ["https://a.example/1?utm_source=rss", "https://a.example/2"]);
}

#[test]
fn the_longer_body_is_kept() {
    let body = |raw: &str| Some(Content { raw: raw.to_owned(), kind: ContentKind::Html, base: None });
    assert_eq!(longer(body("short"), body("much longer")), body("much longer"));
    assert_eq!(longer(body("much longer"), body("short")), body("much longer"));
    assert_eq!(longer(None, body("short")), body("short"));
    assert_eq!(longer(None, None), None);
}

proptest! {
    #[test]
    fn dates_never_rise_along_the_list(days in proptest::collection::vec(proptest::option::of(0i64..800), 0..30)) {
        let now = time(NOW);
        let date = |day: i64| now - SignedDuration::from_hours(24 * (day - 100));
        let items: Vec<FeedItem> = days
            .iter()
            .enumerate()
            .map(|(number, day)| FeedItem {
                published_at: day.map(date),
                ..item(&format!("https://a.example/{number}"), None)
            })
            .collect();
        let document = FeedDocument { items, ..FeedDocument::empty(FeedFormat::Atom10) };
        let candidates = from_feed(document, now);
        prop_assert_eq!(candidates.len(), days.len());
        let dates: Vec<_> = candidates.iter().map(|candidate| candidate.published_at).collect();
        prop_assert!(dates.windows(2).all(|pair| pair[0] >= pair[1]));
        prop_assert!(dates.iter().flatten().all(|at| at.duration_since(now) <= SignedDuration::from_hours(24)));
    }
}
