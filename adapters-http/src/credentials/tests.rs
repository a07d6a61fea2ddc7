//! What `credentials` is held to.

use url::Url;

use super::{Basic, decode};

#[test]
fn user_information_becomes_a_header_in_utf8() {
    let mut url = Url::parse("https://alice:s3cr%C3%A9t@example.org/feed.xml").unwrap();
    let basic = Basic::take_from(&mut url).unwrap();
    assert_eq!(url.as_str(), "https://example.org/feed.xml");
    assert_eq!(basic.header_for(&url), Some("Basic YWxpY2U6czNjcsOpdA=="));
    assert!(!format!("{basic:?}").contains("YWxp"));
}

#[test]
fn it_stays_with_its_origin() {
    let mut url = Url::parse("https://token@example.org/").unwrap();
    let basic = Basic::take_from(&mut url).unwrap();
    for other in ["http://example.org/", "https://example.org:8443/", "https://a.example.org/", "https://example.com/"]
    {
        assert_eq!(basic.header_for(&Url::parse(other).unwrap()), None, "{other}");
    }
    assert!(Basic::take_from(&mut url).is_none());
}

#[test]
fn percent_encoding_is_undone_where_it_is_sound() {
    assert_eq!(decode("a%20b%2Fc"), b"a b/c");
    assert_eq!(decode("100%"), b"100%");
    assert_eq!(decode("%zz%4"), b"%zz%4");
    assert_eq!(decode("%ff"), b"\xff");
}
