//! Tests of the search for a date.

use super::*;

fn find(html: &str, address: &str) -> Option<String> {
    let document = crate::tree::build(html).expect("a small page");
    let metas = Metas::read(&document);
    published(&document, &metas, None, &Url::parse(address).unwrap()).map(|at| at.to_string())
}

#[track_caller]
fn check(html: &str, expected: Option<&str>) {
    assert_eq!(find(html, "https://example.org/a").as_deref(), expected, "of {html}");
}

#[test]
fn reads_metas_before_times() {
    check(
        "<time datetime=2024-01-01>x</time><meta property=article:published_time content=2024-05-02T10:00:00+02:00>",
        Some("2024-05-02T08:00:00Z"),
    );
    check("<meta name=date content=nonsense><time datetime=2024-01-01>x</time>", Some("2024-01-01T00:00:00Z"));
}

#[test]
fn reads_marked_elements() {
    check("<span itemprop=datePublished content=2024-05-02></span>", Some("2024-05-02T00:00:00Z"));
    check("<div class=post-date>Published: 2 May 2024 | by A</div>", Some("2024-05-02T00:00:00Z"));
    check("<p class=date>no date at all</p>", None);
}

#[test]
fn reads_the_address_last() {
    for (address, expected) in [
        ("https://example.org/2024/05/02/a", Some("2024-05-02T00:00:00Z")),
        ("https://example.org/a-2024-5-2.html", Some("2024-05-02T00:00:00Z")),
        ("https://example.org/20240502/a", Some("2024-05-02T00:00:00Z")),
        ("https://example.org/99999999/a", None),
        ("https://example.org/a", None),
    ] {
        assert_eq!(find("<p>x", address).as_deref(), expected, "of {address}");
    }
}
