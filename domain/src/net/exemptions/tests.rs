//! What `net::exemptions` is held to.

use super::Exemptions;

#[track_caller]
fn exempt(text: &str) -> Exemptions {
    let mut exemptions = Exemptions::default();
    exemptions.add(text).unwrap();
    exemptions
}

#[track_caller]
fn address(text: &str, address: &str, port: u16) -> bool {
    exempt(text).covers_address(address.parse().unwrap(), port)
}

#[test]
fn a_host_covers_itself_on_the_ports_it_names() {
    assert!(exempt("Wiki.Corp").covers_host("wiki.corp", 1));
    assert!(exempt("wiki.corp.").covers_host("wiki.corp.", 1));
    assert!(!exempt("wiki.corp").covers_host("a.wiki.corp", 1));
    assert!(exempt("wiki.corp:81").covers_host("wiki.corp", 81));
    assert!(!exempt("wiki.corp:81").covers_host("wiki.corp", 80));
    assert!(exempt("bücher.lan").covers_host("xn--bcher-kva.lan", 80));
}

#[test]
fn a_suffix_covers_what_ends_in_it_at_a_dot() {
    for text in ["*.corp", ".corp"] {
        assert!(exempt(text).covers_host("a.b.corp", 1));
        assert!(exempt(text).covers_host("corp", 1));
        assert!(!exempt(text).covers_host("notcorp", 1));
    }
}

#[test]
fn addresses_and_networks_cover_what_they_contain() {
    assert!(address("127.0.0.1", "127.0.0.1", 9));
    assert!(!address("127.0.0.1", "127.0.0.2", 9));
    assert!(address("127.0.0.1:9", "127.0.0.1", 9) && !address("127.0.0.1:9", "127.0.0.1", 8));
    assert!(address("10.0.0.0/8:80", "10.9.9.9", 80) && !address("10.0.0.0/8:80", "10.9.9.9", 81));
    assert!(address("0x7f.1", "127.0.0.1", 9));
    assert!(address("::1", "::1", 9) && address("[::1]", "::1", 9));
    assert!(address("[::1]:9", "::1", 9) && !address("[::1]:9", "::1", 8));
    assert!(address("fd00::/8", "fd12::1", 9) && !address("fd00::/8", "fe80::1", 9));
}

#[test]
fn what_is_none_of_these_is_refused() {
    for text in ["", "a b", "host:port", "host:99999", "*.10.0.0.1", "10.0.0.0/33", "http://host/"] {
        assert!(Exemptions::default().add(text).is_err(), "{text:?}");
    }
}
