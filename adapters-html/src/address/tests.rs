//! Tests of address resolution.

use super::*;

#[test]
fn resolves_against_the_base() {
    let base = Url::parse("https://example.org/a/b").unwrap();
    for (value, expected) in [
        (" c ", "https://example.org/a/c"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("#top", "https://example.org/a/b#top"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ] {
        assert_eq!(link(value, Some(&base)).map(String::from).as_deref(), Some(expected), "of {value}");
    }
}

#[test]
fn refuses_what_no_reader_may_follow() {
    let base = Url::parse("https://example.org/").unwrap();
    for value in ["javascript:x()", "jav\tascript:x()", " JAVASCRIPT:x()", "data:text/html,x", "vbscript:x", ""] {
        assert_eq!(link(value, Some(&base)), None, "of {value:?}");
    }
    assert_eq!(web("mailto:a@example.org", Some(&base)), None);
    assert_eq!(link("c", None), None);
}
