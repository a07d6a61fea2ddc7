//! Tests of the ranking of feeds.

use super::*;

fn link(url: &str, title: Option<&str>, via: FoundVia) -> FeedLink {
    let url = Url::parse(url).unwrap();
    let role = FeedRole::of(title, &url);
    FeedLink { url: url.into(), kind: FeedKind::Rss, title: title.map(str::to_owned), role, via }
}

#[track_caller]
fn check_role(title: Option<&str>, url: &str, expected: FeedRole) {
    assert_eq!(FeedRole::of(title, &Url::parse(url).unwrap()), expected, "of {title:?} {url}");
}

#[test]
fn knows_media_types() {
    for (text, expected) in [
        ("application/rss+xml", Some(FeedKind::Rss)),
        ("Application/RSS+XML; charset=utf-8", Some(FeedKind::Rss)),
        ("application/atom+xml;type=feed", Some(FeedKind::Atom)),
        ("application/atom+xml; type=entry", None),
        ("application/feed+json", Some(FeedKind::Json)),
        ("application/json+oembed", None),
        ("text/xml+oembed", None),
        ("text/html", None),
        ("", None),
    ] {
        assert_eq!(FeedKind::of_media_type(text), expected, "of {text}");
    }
}

#[test]
fn tells_what_a_feed_is_for() {
    check_role(Some("Blog » Feed"), "https://example.org/feed/", FeedRole::Main);
    check_role(Some("Blog » Comments Feed"), "https://example.org/x", FeedRole::Comments);
    check_role(Some("Blog » Kommentar-Feed"), "https://example.org/x", FeedRole::Comments);
    check_role(None, "https://example.org/comments/feed/", FeedRole::Comments);
    check_role(None, "https://example.org/?feed=comments-rss2", FeedRole::Comments);
    check_role(None, "https://example.org/feeds/12/comments/default", FeedRole::Comments);
    check_role(None, "https://example.org/category/rust/feed", FeedRole::Other);
    check_role(Some("Blog » Rust Category Feed"), "https://example.org/x", FeedRole::Other);
    check_role(None, "https://example.org/commentary/feed", FeedRole::Main);
}

#[test]
fn puts_comments_last_and_anchors_behind() {
    let ranked = rank(vec![
        link("https://example.org/comments/feed", None, FoundVia::Link),
        link("https://example.org/anchor.xml", None, FoundVia::Anchor),
        link("https://example.org/tag/a/feed", None, FoundVia::Link),
        link("https://example.org/b.xml", None, FoundVia::Link),
        link("https://example.org/a.xml", None, FoundVia::Header),
    ]);
    let paths: Vec<_> = ranked.iter().map(|link| link.url.expose().path().to_owned()).collect();
    assert_eq!(paths, ["/b.xml", "/a.xml", "/anchor.xml", "/tag/a/feed", "/comments/feed"]);
}

#[test]
fn merges_the_same_address() {
    let ranked = rank(vec![
        link("https://example.org/feed", None, FoundVia::Link),
        link("https://example.org/feed", Some("Blog"), FoundVia::Header),
    ]);
    assert_eq!(ranked.len(), 1);
    assert_eq!((ranked[0].via, ranked[0].title.as_deref()), (FoundVia::Link, Some("Blog")));
}
