//! What `net::url_guard` is held to.

use proptest::prelude::*;
use url::Url;

use super::{CLOSED_PORTS, UrlGuard};
use crate::ErrorKind;
use crate::net::{Exemptions, inside};

#[track_caller]
fn judge(guard: &UrlGuard, url: &str) -> Option<ErrorKind> {
    match Url::parse(url) {
        Ok(url) => guard.judge_url(&url).err().map(|refusal| refusal.kind()),
        Err(_) => Some(ErrorKind::InvalidUrl),
    }
}

#[track_caller]
fn check(url: &str, expected: Option<ErrorKind>) {
    assert_eq!(judge(&UrlGuard::default(), url), expected, "{url}");
}

#[track_caller]
fn guard(exempt: &[&str]) -> UrlGuard {
    let mut exemptions = Exemptions::default();
    exempt.iter().for_each(|text| exemptions.add(text).unwrap());
    UrlGuard::new(exemptions)
}

#[test]
fn every_spelling_of_an_inside_address_is_refused() {
    let hosts = [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7F.1",
        "0177.0.0.1",
        "017700000001",
        "0x7f.0x0.0x0.0x1",
        "127.0.0.1.",
        "127.0.0.1..",
        "127.0.0.1...",
        "%31%32%37.0.0.1",
        "127%2E0%2E0%2E1",
        "127。0。0。1",
        "①②⑦.⓪.⓪.①",
        "１２７.０.０.１",
        "0",
        "0.0.0.0",
        "00",
        "10.0.0.5",
        "0xa.0.0.5",
        "012.5",
        "169.254.169.254",
        "0xa9fea9fe",
        "2852039166",
        "0251.0376.0251.0376",
        "100.64.0.1",
        "192.168.257",
        "172.16.1",
        "255.255.255.255",
        "4294967295",
        "224.0.0.1",
        "198.18.0.1",
        "192.0.2.1",
        "203.0.113.9",
        "168.63.129.16",
        "[::]",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::127.0.0.1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::FFFF:a9fe:a9fe]",
        "[::ffff:0:127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::808:808]",
        "[2002:7f00:1::]",
        "[2001::ffff:ffff]",
        "[fe80::1]",
        "[fec0::1]",
        "[fd00:ec2::254]",
        "[fc00::]",
        "[ff02::1]",
        "[2001:db8::1]",
        "[3fff::1]",
        "[100::1]",
        "[5f00::1]",
    ];
    for host in hosts {
        for form in
            ["http://{}/", "https://{}", "http://{}:8080/feed", "http://user:pw@{}/", "HTTP:\\\\{}\\feed", "https:{}"]
        {
            check(&form.replace("{}", host), Some(ErrorKind::BlockedAddress));
        }
    }
}

#[test]
fn inside_names_are_refused_in_any_case_and_with_dots_behind() {
    let names = [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "localhost..",
        "ⓛocalhost",
        "metadata.localhost",
        "a.b.localhost.",
        "printer.local",
        "metadata.google.internal",
        "METADATA.google.internal.",
        "metadata",
        "metadata.goog",
        "instance-data",
        "metadata.tencentyun.com",
        "host.docker.internal",
        "kubernetes",
        "kubernetes.default.svc",
        "a.svc.cluster.local",
        "router",
        "nas.lan",
        "wiki.corp",
        "x.home",
        "x.home.arpa",
        "db.intranet",
        "localhost.localdomain",
        "fritz.box",
    ];
    for name in names {
        check(&format!("http://{name}/"), Some(ErrorKind::BlockedAddress));
    }
}

#[test]
fn what_is_no_web_url_is_invalid() {
    let urls = [
        "file:///etc/hostname",
        "gopher://example.org/",
        "ftp://example.org/f.xml",
        "data:text/xml,<rss/>",
        "javascript:1",
        "feed.xml",
        "//example.org/",
        "http://",
        "http:///",
        "mailto:a@example.org",
        "http://1.2.3.256/",
        "http://[::g]/",
        "http://4294967296/",
        "ws://example.org/",
        "view-source:http://example.org/",
        "http://exa mple.org/",
        "http://.../",
    ];
    for url in urls {
        check(url, Some(ErrorKind::InvalidUrl));
    }
    check(&format!("http://example.org/{}", "a".repeat(20_000)), Some(ErrorKind::InvalidUrl));
}

#[test]
fn the_public_web_is_allowed() {
    let urls = [
        "http://93.184.216.34/",
        "https://example.org/",
        "http://[2606:2800:220:1:248:1893:25c8:1946]/",
        "https://example.org./",
        "http://example.org:8080/feed",
        "https://bücher.example/feed",
        "http://user:pw@example.com/",
        "http://0x5db8d822/",
        "http://localhost.example.org/",
        "http://[64:ff9b::8.8.8.8]/",
        "http://corp.example/",
        "http://my-metadata.example.com/",
        "http://fritz.boxes.example/",
    ];
    for url in urls {
        check(url, None);
    }
}

#[test]
fn ports_of_other_protocols_are_closed() {
    assert!(CLOSED_PORTS.is_sorted());
    for port in [22, 25, 53, 3306, 5432, 6379, 6667, 9200, 11211, 27017] {
        check(&format!("http://example.org:{port}/"), Some(ErrorKind::BlockedAddress));
        check(&format!("http://93.184.216.34:{port}/"), Some(ErrorKind::BlockedAddress));
    }
    for port in [80, 81, 443, 3000, 8000, 8080, 8443, 8888, 9000] {
        check(&format!("http://example.org:{port}/"), None);
    }
}

#[test]
fn exemptions_open_what_they_name_and_no_more() {
    let guard = guard(&["127.0.0.1", "wiki.corp:8443", "*.lan", "example.org:6379", "fd00::/16"]);
    for url in [
        "http://127.0.0.1:6379/",
        "http://127.1/",
        "https://wiki.corp:8443/",
        "http://a.lan./",
        "http://example.org:6379/",
        "http://[fd00::1]/",
    ] {
        assert_eq!(judge(&guard, url), None, "{url}");
    }
    for url in [
        "http://127.0.0.2/",
        "http://localhost/",
        "https://wiki.corp/",
        "http://example.com:6379/",
        "http://[fd01::1]/",
        "ftp://a.lan/",
    ] {
        assert!(judge(&guard, url).is_some(), "{url}");
    }
}

#[test]
fn an_exempt_name_may_lead_anywhere_and_an_exempt_address_be_named_anything() {
    let guard = guard(&["wiki.corp", "127.0.0.1"]);
    let inside = "10.0.0.1".parse().unwrap();
    assert!(guard.judge_address("wiki.corp", 443, inside).is_ok());
    assert!(guard.judge_address("example.org", 443, inside).is_err());
    assert!(guard.judge_address("example.org", 443, "127.0.0.1".parse().unwrap()).is_ok());
    assert!(guard.judge_address("example.org", 443, "127.0.0.2".parse().unwrap()).is_err());
    assert!(guard.judge_address("example.org", 443, "93.184.216.34".parse().unwrap()).is_ok());
}

proptest! {
    #[test]
    fn no_spelling_of_an_address_says_more_than_the_address(bits: u32, form in 0..6usize, dots in 0..3usize) {
        let address = std::net::Ipv4Addr::from_bits(bits);
        let [a, b, c, d] = address.octets();
        let host = match form {
            0 => address.to_string(),
            1 => bits.to_string(),
            2 => format!("{bits:#x}"),
            3 => format!("0{bits:o}"),
            4 => format!("{a:#x}.{b}.{}", u32::from(c) << 8 | u32::from(d)),
            _ => format!("0{a:o}.{}", bits & 0xff_ffff),
        };
        let url = format!("http://{host}{}/", ".".repeat(dots));
        let blocked = judge(&UrlGuard::default(), &url) == Some(ErrorKind::BlockedAddress);
        prop_assert_eq!(blocked, inside(address.into()).is_some(), "{}", url);
    }

    #[test]
    fn judging_never_panics(text in "\\PC*", name in "[a-z0-9.\\-]{0,30}") {
        let guard = UrlGuard::default();
        let _ = judge(&guard, &text);
        let _ = judge(&guard, &format!("http://{name}/"));
        let _ = guard.judge_name(&name, 80);
    }
}

#[test]
fn mail_has_ports_of_its_own_and_the_same_addresses() {
    let guard = UrlGuard::for_mail(Exemptions::default());
    for port in [25, 465, 587, 2525] {
        assert!(guard.judge_name("mail.example.org", port).is_ok(), "{port}");
        assert!(UrlGuard::default().judge_name("mail.example.org", port).is_err() || port == 2525, "{port}");
    }
    for (name, port) in [("mail.example.org", 80), ("mail.example.org", 443), ("localhost", 25), ("[::1]", 587)] {
        let refusal = guard.judge_name(name, port).unwrap_err();
        assert_eq!(refusal.kind(), ErrorKind::BlockedAddress, "{name}:{port}");
    }
    assert!(guard.judge_address("mail.example.org", 587, "10.0.0.1".parse().unwrap()).is_err());
    assert!(guard.judge_address("mail.example.org", 587, "93.184.216.34".parse().unwrap()).is_ok());
}
