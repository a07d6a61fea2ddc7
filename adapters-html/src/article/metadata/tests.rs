//! Tests of the reading of metadata.

use super::*;

fn read(html: &str) -> Metadata {
    let document = crate::tree::build(html).expect("a small page");
    let url = Url::parse("https://example.org/a/").unwrap();
    metadata(&document, &[], &url, &url)
}

#[test]
fn reads_what_pages_name() {
    let found = read(
        "<html lang=en_GB><head><meta property=og:site_name content='Tom &amp;amp; Co'><meta name=author content='By A B'>\
         <meta name=description content=D><meta property=og:image content=i.jpg><link rel=canonical href=/c>",
    );
    assert_eq!(found.site_name.as_deref(), Some("Tom & Co"));
    assert_eq!(found.byline.as_deref(), Some("A B"));
    assert_eq!(found.language.as_deref(), Some("en-GB"));
    assert_eq!(found.description.as_deref(), Some("D"));
    assert_eq!(found.lead_image.as_ref().map(Url::as_str), Some("https://example.org/a/i.jpg"));
    assert_eq!(found.canonical_url.as_ref().map(Url::as_str), Some("https://example.org/c"));
}

#[test]
fn takes_an_author_from_the_text() {
    assert_eq!(read("<a rel=author href=x>C D</a>").byline.as_deref(), Some("C D"));
    assert_eq!(
        read("<meta name=author content=https://example.org/x><p class=byline>von E F").byline.as_deref(),
        Some("E F")
    );
    assert_eq!(read("<p>x").byline, None);
}

#[test]
fn believes_no_nonsense() {
    let found = read("<html lang='x-very-long-nonsense-tag'><link rel=canonical href='javascript:x'>");
    assert_eq!((found.language, found.canonical_url), (None, None));
}
