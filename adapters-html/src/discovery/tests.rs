//! Tests of feed discovery.

use super::*;

fn page(html: &str) -> Vec<FeedLink> {
    let url = Url::parse("https://example.org/blog/").unwrap();
    feeds(&PageInput { bytes: html.as_bytes(), url: &url, content_type: None, headers: None })
}

#[track_caller]
fn check(html: &str, expected: &[&str]) {
    let found: Vec<_> = page(html).iter().map(|feed| feed.url.expose().to_string()).collect();
    assert_eq!(found, expected, "of {html}");
}

#[test]
fn finds_links_by_relation_and_type() {
    check("<link rel='alternate' type='application/rss&#43;xml' href=a.xml>", &["https://example.org/blog/a.xml"]);
    check("<LINK REL='feed ALTERNATE' TYPE='Application/RSS+XML; charset=x' HREF=/rss>", &["https://example.org/rss"]);
    check("<link rel=feed href=/x>", &["https://example.org/x"]);
    check("<link rel='alternate stylesheet' type=application/rss+xml href=x>", &[]);
    check("<link rel=alternate type='application/atom+xml;type=entry' href=x>", &[]);
    check("<link rel=alternate href=/feed.xml>", &[]);
    check("<link rel=alternate type=application/rss+xml>", &[]);
    check("<link rel=alternate type=application/rss+xml href=javascript:x>", &[]);
}

#[test]
fn takes_generic_types_only_by_name() {
    check("<link rel=alternate type=application/json title='JSON Feed' href=/f.json>", &["https://example.org/f.json"]);
    check("<link rel=alternate type=application/json href=/wp-json/wp/v2/posts/1>", &[]);
    check("<link rel=alternate type=application/json+oembed href=/feed>", &[]);
}

#[test]
fn resolves_against_the_base_of_the_page() {
    let link = "<link rel=alternate type=application/rss+xml href=rss.xml>";
    check(&format!("{link}<base href=/site/><base href=/other/>"), &["https://example.org/site/rss.xml"]);
    check("<link rel=alternate type=application/rss+xml href='feed://example.com/x'>", &["http://example.com/x"]);
}

#[test]
fn ignores_what_a_browser_does_not_see() {
    let link = "<link rel=alternate type=application/rss+xml href=/no>";
    for html in [
        format!("<!-- {link} -->"),
        format!("<script>'{link}'</script>"),
        format!("<template>{link}</template>"),
        format!("<textarea>{link}</textarea>"),
        format!("<noembed>{link}</noembed>"),
    ] {
        check(&html, &[]);
    }
    check(&format!("<body><p>{link}"), &["https://example.org/no"]);
}

#[test]
fn reads_link_headers() {
    let url = Url::parse("https://example.org/a/b").unwrap();
    let mut headers = Headers::default();
    headers.append("Link", "</s.css>; rel=preload");
    headers.append("Link", "<f.atom>; rel=\"alternate\"; type=\"application/atom+xml\"; title=\"F\"");
    let html = b"<base href=/x/><link rel=alternate type=application/rss+xml href=r>";
    let found = feeds(&PageInput { bytes: html, url: &url, content_type: None, headers: Some(&headers) });
    let found: Vec<_> = found.iter().map(|feed| (feed.url.expose().as_str(), feed.via)).collect();
    assert_eq!(
        found,
        [("https://example.org/x/r", FoundVia::Link), ("https://example.org/a/f.atom", FoundVia::Header)]
    );
}

#[test]
fn falls_back_to_anchors() {
    check("<a href=/feed/>x</a><a href=/about>y</a>", &["https://example.org/feed/"]);
    check("<a href=/x.cgi><img alt=RSS></a>", &["https://example.org/x.cgi"]);
    check("<a href='/?feed=rss2'>x</a>", &["https://example.org/?feed=rss2"]);
    check("<a href=/sitemap.xml>x</a><a href=https://feedly.com/i/feed>RSS</a>", &[]);
    check("<a href=/feed>x</a><link rel=alternate type=application/rss+xml href=/y>", &["https://example.org/y"]);
}

#[test]
fn recognises_feeds_whatever_they_are_called() {
    for (body, kind) in [
        ("\u{FEFF}<?xml version='1.0'?><!-- x --><rss version='2.0'><channel><title>T</title>", FeedKind::Rss),
        ("<rdf:RDF xmlns:rdf='x'><channel><title>T</title>", FeedKind::Rss),
        ("<!DOCTYPE feed><feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>", FeedKind::Atom),
        ("<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:title>T</a:title>", FeedKind::Atom),
    ] {
        let found = page(body);
        assert_eq!(found.len(), 1, "of {body}");
        assert_eq!((found[0].kind, found[0].via, found[0].title.as_deref()), (kind, FoundVia::Document, Some("T")));
    }
    assert_eq!(page("{ \"version\": \"https://jsonfeed.org/version/1.1\" }")[0].kind, FeedKind::Json);
    assert!(page("<html><p>&lt;rss></p></html>").is_empty());
}
