//! What `config` is held to.

use super::ConnectTo;

#[track_caller]
fn check(rule: &str, host: &str, port: u16, expected: Option<(&str, u16)>) {
    let applied = rule.parse::<ConnectTo>().unwrap().apply(host, port);
    assert_eq!(applied.as_ref().map(|(host, port)| (host.as_str(), *port)), expected, "{rule} for {host}:{port}");
}

#[test]
fn a_rule_applies_to_its_host_and_port() {
    check("example.org:443:127.0.0.1:8443", "example.org", 443, Some(("127.0.0.1", 8443)));
    check("Example.org:443:127.0.0.1:8443", "example.org", 443, Some(("127.0.0.1", 8443)));
    check("example.org:443:127.0.0.1:8443", "example.org", 80, None);
    check("example.org:443:127.0.0.1:8443", "a.example.org", 443, None);
}

#[test]
fn empty_parts_stand_for_any_and_the_same() {
    check("::127.0.0.1:8443", "example.org", 80, Some(("127.0.0.1", 8443)));
    check("example.org::other.example:", "example.org", 81, Some(("other.example", 81)));
    check("example.org:80::8080", "example.org", 80, Some(("example.org", 8080)));
}

#[test]
fn v6_hosts_stand_in_brackets() {
    check("[2001:db8::1]:80:[::1]:8080", "2001:db8::1", 80, Some(("::1", 8080)));
}

#[test]
fn other_texts_are_refused() {
    for text in ["", "a", "a:1", "a:1:b", "a:1:b:2:c", "a:x:b:2", "a:1:b:99999", "[::1:80:b:2"] {
        assert!(text.parse::<ConnectTo>().is_err(), "{text:?}");
    }
}
