//! What `secret::glance` is held to.

use proptest::prelude::*;

use super::{may_hold_secret, url_may_hold_secret};
use crate::secret::redact::{STORED_TEXT, STORED_URL};
use crate::secret::scan::find;

#[test]
fn what_bodies_are_made_of_is_passed_over() {
    for text in [
        "<p class=\"a\">1 = 2; write to ann@example.org or @ann</p>",
        "<a href=\"https://example.org/a/b.html?page=2&amp;id=7#top\">designed by keys</a>",
        "<img src='https://example.org/a%20b.jpg?w=640&h=480'/> &#8220;passes&#8221;",
        "https://social.example/@ann/1",
    ] {
        assert!(!may_hold_secret(text.as_bytes()), "{text}");
    }
}

/// Pieces of which texts with secrets are made.
fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "%22",
        "&quot;",
        "https://",
        "//",
        "/",
        "\\/",
        "%2F",
        "&#47;",
        "?",
        "&",
        "&amp;",
        "%26",
        "=",
        "%3D",
        "\\u003d",
        "&#61;",
        "@",
        "%40",
        ":",
        ":80",
        "user",
        "pass",
        "passkey",
        "p%61sskey",
        "token",
        "key",
        "sig",
        "pid",
        "announce",
        "download",
        "scrape",
        "rss",
        "auto.1.",
        ".torrent",
        "torrent",
        "0123456789abcdef0123456789abcdef",
        "12345",
        "KEY",
        "a",
        " ",
        "\"",
        "<",
        ">",
        ";",
        "#",
        "\n",
        "-",
        "_",
        ".",
        "[",
        "]",
        "example.org",
        "apikey",
        "%25",
        "é",
        "'",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn no_secret_is_passed_over(text in text()) {
        if !may_hold_secret(text.as_bytes()) {
            prop_assert!(find(&text, STORED_TEXT).is_empty(), "{text}");
        }
        if !url_may_hold_secret(text.as_bytes()) {
            prop_assert!(find(&text, STORED_URL).is_empty(), "{text}");
        }
    }
}
