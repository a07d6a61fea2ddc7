//! Tests of the document of a discovery.

use super::*;

#[test]
fn writes_the_document_of_the_contract() {
    let url = PrivateUrl::new(Url::parse("https://example.org/feed").unwrap());
    let feed = FeedLink {
        url: url.clone(),
        kind: FeedKind::Atom,
        title: None,
        role: FeedRole::Comments,
        via: FoundVia::Header,
    };
    let document = document(&[feed], Some(&url));
    let expected = json!({
        "feeds": [{"url": "https://example.org/feed", "type": "atom", "role": "comments", "via": "header"}],
        "best": "https://example.org/feed",
    });
    assert_eq!(document, expected);
}

#[test]
fn takes_headers_apart() {
    assert_eq!(name_and_value("Link: <a>; rel=b").unwrap(), ("Link", "<a>; rel=b"));
    assert!(name_and_value("nothing").is_err());
    assert!(name_and_value(": x").is_err());
}
