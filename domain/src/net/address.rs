//! Which addresses may be dialled, and what is wrong with the others.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address lies inside: somewhere a stranger's link must never lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Inside {
    /// `0.0.0.0/8` and `::`: this host on this network.
    Unspecified,
    /// `127.0.0.0/8` and `::1`.
    Loopback,
    /// `10/8`, `172.16/12` and `192.168/16` (RFC 1918).
    Private,
    /// `169.254/16` and `fe80::/10`: also where clouds keep their metadata.
    LinkLocal,
    /// `100.64/10`: carrier-grade NAT (RFC 6598).
    Shared,
    /// `192.0.0/24`, `192.88.99/24` and `2001::/23`: protocol assignments, Teredo among them.
    ProtocolAssignment,
    /// `198.18/15` (RFC 2544).
    Benchmarking,
    /// `192.0.2/24`, `198.51.100/24`, `203.0.113/24`, `2001:db8::/32` and `3fff::/20`.
    Documentation,
    /// `224/4` and `ff00::/8`.
    Multicast,
    /// `255.255.255.255`.
    Broadcast,
    /// `240/4`, and all of IPv6 that is not allocated to the internet.
    Reserved,
    /// `fc00::/7`: unique local addresses.
    UniqueLocal,
    /// `fec0::/10`, deprecated but still routed by some.
    SiteLocal,
    /// An IPv4 address in an IPv6 dress that no public host wears: mapped, compatible, translated or 6to4.
    Ipv4InIpv6,
    /// `64:ff9b::/96` around an inside IPv4 address, or the local-use `64:ff9b:1::/48`.
    Nat64,
    /// A public address at which a cloud answers only its own machines.
    CloudService,
}

/// Why `address` must not be dialled, or `None` if it is a public unicast address.
///
/// For IPv6 the rule is a positive list: `2000::/3` less the special blocks in it, and NAT64 (`64:ff9b::/96`) around a
/// public IPv4 address, since that is how a host without IPv4 reaches the rest of the world.
/// Source: the IANA special-purpose registries (RFC 6890).
pub fn inside(address: IpAddr) -> Option<Inside> {
    match address {
        IpAddr::V4(v4) => inside_v4(v4),
        IpAddr::V6(v6) => inside_v6(v6),
    }
}

impl Inside {
    /// The kind of address in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Unspecified => "an unspecified address",
            Self::Loopback => "a loopback address",
            Self::Private => "a private address",
            Self::LinkLocal => "a link-local address",
            Self::Shared => "a carrier-grade NAT address",
            Self::ProtocolAssignment => "a protocol assignment",
            Self::Benchmarking => "a benchmarking address",
            Self::Documentation => "a documentation address",
            Self::Multicast => "a multicast address",
            Self::Broadcast => "the broadcast address",
            Self::Reserved => "a reserved address",
            Self::UniqueLocal => "a unique local address",
            Self::SiteLocal => "a site-local address",
            Self::Ipv4InIpv6 => "an IPv4 address written as IPv6",
            Self::Nat64 => "an inside address behind NAT64",
            Self::CloudService => "a cloud's own service address",
        }
    }
}

impl fmt::Display for Inside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.describe())
    }
}

fn inside_v4(address: Ipv4Addr) -> Option<Inside> {
    Some(match address.octets() {
        [0, ..] => Inside::Unspecified,
        [127, ..] => Inside::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Inside::Private,
        [169, 254, ..] => Inside::LinkLocal,
        [100, 64..=127, ..] => Inside::Shared,
        [192, 0, 0, _] | [192, 88, 99, _] => Inside::ProtocolAssignment,
        [198, 18..=19, ..] => Inside::Benchmarking,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Inside::Documentation,
        [224..=239, ..] => Inside::Multicast,
        [255, 255, 255, 255] => Inside::Broadcast,
        [240..=255, ..] => Inside::Reserved,
        // Azure's platform channel: public by its number, reachable only from inside a virtual machine.
        [168, 63, 129, 16] => Inside::CloudService,
        _ => return None,
    })
}

fn inside_v6(address: Ipv6Addr) -> Option<Inside> {
    Some(match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Inside::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Inside::Loopback,
        [0, 0, 0, 0, 0, 0, _, _] | [0, 0, 0, 0, 0, 0xffff, _, _] | [0, 0, 0, 0, 0xffff, 0, _, _] => Inside::Ipv4InIpv6,
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => return inside_v4(embedded(high, low)).map(|_| Inside::Nat64),
        [0x64, 0xff9b, 1, ..] => Inside::Nat64,
        [0xfc00..=0xfdff, ..] => Inside::UniqueLocal,
        [0xfe80..=0xfebf, ..] => Inside::LinkLocal,
        [0xfec0..=0xfeff, ..] => Inside::SiteLocal,
        [0xff00..=0xffff, ..] => Inside::Multicast,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Inside::Documentation,
        [0x2001, 0..=0x1ff, ..] => Inside::ProtocolAssignment,
        [0x2002, ..] => Inside::Ipv4InIpv6,
        [0x2000..=0x3fff, ..] => return None,
        _ => Inside::Reserved,
    })
}

/// The IPv4 address in the last 32 bits.
fn embedded(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits((u32::from(high) << 16) | u32::from(low))
}

#[cfg(test)]
mod tests;
