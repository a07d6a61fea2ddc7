//! What `net::address` is held to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use proptest::prelude::*;

use super::{Inside, inside};

/// The blocks that the IANA special-purpose registries call not globally reachable, with the reason we give.
const TABLE: &[(&str, Inside)] = &[
    ("0.0.0.0/8", Inside::Unspecified),
    ("10.0.0.0/8", Inside::Private),
    ("100.64.0.0/10", Inside::Shared),
    ("127.0.0.0/8", Inside::Loopback),
    ("169.254.0.0/16", Inside::LinkLocal),
    ("172.16.0.0/12", Inside::Private),
    ("192.0.0.0/24", Inside::ProtocolAssignment),
    ("192.0.2.0/24", Inside::Documentation),
    ("192.88.99.0/24", Inside::ProtocolAssignment),
    ("192.168.0.0/16", Inside::Private),
    ("198.18.0.0/15", Inside::Benchmarking),
    ("198.51.100.0/24", Inside::Documentation),
    ("203.0.113.0/24", Inside::Documentation),
    ("224.0.0.0/4", Inside::Multicast),
    ("240.0.0.0/5", Inside::Reserved),
    ("255.255.255.255/32", Inside::Broadcast),
    ("168.63.129.16/32", Inside::CloudService),
    ("::/128", Inside::Unspecified),
    ("::1/128", Inside::Loopback),
    ("::127.0.0.0/104", Inside::Ipv4InIpv6),
    ("::ffff:0:0/96", Inside::Ipv4InIpv6),
    ("::ffff:0:0:0/96", Inside::Ipv4InIpv6),
    ("64:ff9b::7f00:0/104", Inside::Nat64),
    ("64:ff9b::a9fe:0/112", Inside::Nat64),
    ("64:ff9b:1::/48", Inside::Nat64),
    ("100::/64", Inside::Reserved),
    ("2001::/23", Inside::ProtocolAssignment),
    ("2001:db8::/32", Inside::Documentation),
    ("2002::/16", Inside::Ipv4InIpv6),
    ("3fff::/20", Inside::Documentation),
    ("4000::/2", Inside::Reserved),
    ("5f00::/16", Inside::Reserved),
    ("fc00::/7", Inside::UniqueLocal),
    ("fe80::/10", Inside::LinkLocal),
    ("fec0::/10", Inside::SiteLocal),
    ("ff00::/8", Inside::Multicast),
];

#[test]
fn first_and_last_address_of_each_block_are_inside() {
    for (block, reason) in TABLE {
        let net: IpNet = block.parse().unwrap();
        check(net.network(), Some(*reason));
        check(net.broadcast(), Some(*reason));
    }
}

#[test]
fn the_neighbours_of_the_blocks_are_outside() {
    let outside = [
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.0.3.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "203.0.114.0",
        "223.255.255.255",
        "93.184.216.34",
        "168.63.129.17",
        "2606:2800:220:1:248:1893:25c8:1946",
        "2001:200::",
        "2001:4860:4860::8888",
        "2003::",
        "2000::",
        "3fff:1000::",
        "64:ff9b::808:808",
    ];
    for address in outside {
        check(address.parse().unwrap(), None);
    }
}

#[track_caller]
fn check(address: IpAddr, expected: Option<Inside>) {
    assert_eq!(inside(address), expected, "{address}");
}

fn listed(address: IpAddr) -> bool {
    TABLE.iter().any(|(block, _)| block.parse::<IpNet>().unwrap().contains(&address))
}

proptest! {
    #[test]
    fn v4_is_inside_just_where_the_tables_and_std_say_so(bits: u32) {
        let v4 = Ipv4Addr::from_bits(bits);
        let special = v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_broadcast()
            || v4.is_documentation() || v4.is_multicast() || v4.is_unspecified();
        prop_assert!(!special || inside(v4.into()).is_some(), "{}", v4);
        let expected = listed(v4.into()) || v4.octets()[0] >= 240;
        prop_assert_eq!(inside(v4.into()).is_some(), expected, "{}", v4);
    }

    #[test]
    fn v6_in_a_listed_block_is_never_outside(index in 0..TABLE.len(), host: u128) {
        let net: IpNet = TABLE[index].0.parse().unwrap();
        let IpNet::V6(v6) = net else { return Ok(()) };
        let mask = v6.hostmask().to_bits();
        let address = Ipv6Addr::from_bits(v6.network().to_bits() | (host & mask));
        prop_assert!(inside(address.into()).is_some(), "{}", address);
    }

    #[test]
    fn nothing_but_allocated_unicast_and_nat64_is_outside(bits: u128) {
        let v6 = Ipv6Addr::from_bits(bits);
        if inside(v6.into()).is_none() {
            prop_assert!(v6.segments()[0] & 0xe000 == 0x2000 || bits >> 32 == 0x64_ff9b << 64);
            prop_assert!(!listed(v6.into()), "{}", v6);
        }
    }

    #[test]
    fn a_dress_around_an_inside_v4_is_inside(index in 0..17_usize, host: u32) {
        let IpNet::V4(net) = TABLE[index].0.parse().unwrap() else { return Ok(()) };
        let bits = net.network().to_bits() | (host & net.hostmask().to_bits());
        let v4 = Ipv4Addr::from_bits(bits);
        let low = u128::from(bits);
        let dresses = [
            low, low | 0xffff << 32, low | 0xffff << 48, low | 0x64_ff9b << 96, low | 0x64_ff9b_0001 << 80,
            0x2002 << 112 | low << 80, 0x2001 << 112 | low, 0x2001 << 112 | u128::from(!bits),
        ];
        for dress in dresses {
            prop_assert!(inside(Ipv6Addr::from_bits(dress).into()).is_some(), "{} as {}", v4, Ipv6Addr::from_bits(dress));
        }
    }
}
