//! What `race` is held to.

use std::net::SocketAddr;

use super::alternate;

#[track_caller]
fn check(addresses: &[&str], expected: &[&str]) {
    let parse = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<SocketAddr>>();
    assert_eq!(alternate(&parse(addresses)), parse(expected));
}

#[test]
fn families_alternate_from_the_first() {
    check(&["[::1]:1", "[::2]:1", "1.1.1.1:1", "[::3]:1"], &["[::1]:1", "1.1.1.1:1", "[::2]:1", "[::3]:1"]);
    check(&["1.1.1.1:1", "[::1]:1"], &["1.1.1.1:1", "[::1]:1"]);
    check(&[], &[]);
}

#[test]
fn a_name_with_very_many_addresses_is_cut() {
    let many: Vec<SocketAddr> = (0..100).map(|n| SocketAddr::from(([1, 1, 1, n], 1))).collect();
    assert_eq!(alternate(&many).len(), 8);
}
