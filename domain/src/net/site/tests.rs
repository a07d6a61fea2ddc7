//! Tests of the comparison of sites.

use super::*;

#[track_caller]
fn check(a: &str, b: &str, expected: bool) {
    let (a, b) = (Url::parse(a).unwrap(), Url::parse(b).unwrap());
    assert_eq!(same_site(&a, &b), expected, "{a} and {b}");
    assert_eq!(same_site(&b, &a), expected, "{b} and {a}");
}

#[test]
fn goes_by_the_registrable_domain() {
    check("https://www.example.com/", "http://blog.example.com:8080/x", true);
    check("https://a.example.co.uk/", "https://example.co.uk/", true);
    check("https://a.co.uk/", "https://b.co.uk/", false);
    check("https://a.github.io/", "https://b.github.io/", false);
    check("https://example.com/", "https://example.com.evil.net/", false);
}

#[test]
fn goes_by_address_and_port_where_there_is_no_domain() {
    check("http://127.0.0.1:8001/a", "http://127.0.0.1:8001/b", true);
    check("http://127.0.0.1:8001/a", "http://127.0.0.1:8002/b", false);
    check("http://localhost:8001/a", "http://localhost:8001/b", true);
    check("http://localhost:8001/a", "http://localhost:8002/b", false);
    check("http://[::1]/a", "http://127.0.0.1/b", false);
}
