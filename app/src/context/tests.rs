//! What `context` is held to.

use super::*;

#[test]
fn a_host_gets_its_addresses() {
    let resolve = parse_resolve("Example.org=192.0.2.1,[2001:db8::1]").unwrap();
    assert_eq!(resolve.host, "example.org");
    assert_eq!(resolve.addresses, ["192.0.2.1".parse::<IpAddr>().unwrap(), "2001:db8::1".parse().unwrap()]);
}

#[test]
fn a_wrong_address_is_named() {
    assert_eq!(parse_resolve("example.org=nowhere"), Err("\"nowhere\" is no IP address".to_owned()));
    assert!(parse_resolve("example.org").is_err());
}

#[test]
fn a_setting_is_split_at_its_first_equals_sign() {
    assert_eq!(split_set("store.url=sqlite:a=b").unwrap(), ("store.url".to_owned(), "sqlite:a=b".to_owned()));
    for (text, told) in
        [("no-value", "has no `=`"), ("=x", "names no key"), (" .a=1", "names no key"), ("a b=1", "names no key")]
    {
        let error = split_set(text).unwrap_err();
        assert!(error.0.contains(told), "{text}: {error}");
    }
    assert!(!split_set("fetch.proxy:http://u:s3cret@p.example").unwrap_err().0.contains("s3cret"));
}
