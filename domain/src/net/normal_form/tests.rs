//! What `net::normal_form` is held to.

use proptest::prelude::*;
use url::Url;

use super::{display_form, normal_form};

#[track_caller]
fn check(url: &str, expected: &str) {
    assert_eq!(normal_form(&Url::parse(url).unwrap()), expected, "{url}");
}

#[track_caller]
fn shown(url: &str, expected: &str) {
    assert_eq!(display_form(&Url::parse(url).unwrap()), expected, "{url}");
}

#[test]
fn scheme_host_and_port_are_folded() {
    check("HTTPS://Example.ORG:443", "https://example.org/");
    check("http://example.org:80/a", "http://example.org/a");
    check("http://example.org:8080/a", "http://example.org:8080/a");
    check("https://example.org:80/a", "https://example.org:80/a");
    check("https://example.org./a", "https://example.org/a");
    check("https://user:pw@example.org/a", "https://example.org/a");
    check("http://0x5d.184.216.34/", "http://93.184.216.34/");
    check("http://[2606:2800:0220:0001:0:0:0:0001]/", "http://[2606:2800:220:1::1]/");
}

#[test]
fn international_hosts_have_one_form() {
    for url in [
        "https://bücher.example/feed",
        "https://xn--bcher-kva.example/feed",
        "https://b%C3%BCcher.example/feed",
        "HTTPS://BÜCHER.EXAMPLE:443/feed",
    ] {
        check(url, "https://xn--bcher-kva.example/feed");
        shown(url, "https://bücher.example/feed");
    }
}

#[test]
fn paths_are_folded() {
    check("http://example.org/a/./b/../c", "http://example.org/a/c");
    check("http://example.org/%7Eme/%2e%2E/x", "http://example.org/x");
    check("http://example.org/%41%2f%c3%a9", "http://example.org/A%2F%C3%A9");
    check("http://example.org/é", "http://example.org/%C3%A9");
    check("http://example.org/a%", "http://example.org/a%25");
    check("http://example.org/%%34A", "http://example.org/%254A");
    check("http://example.org/%2541", "http://example.org/%2541");
    check("http://example.org/a#b", "http://example.org/a");
}

#[test]
fn tracking_goes_and_the_rest_keeps_its_order() {
    check("http://example.org/?b=1&utm_source=x&a=2&fbclid=y", "http://example.org/?b=1&a=2");
    check(
        "http://example.org/?UTM_Medium=x&%75tm_id=1&gclid=1&mc_cid=2&mc_eid=3&igshid=4&spm=a.b",
        "http://example.org/",
    );
    check("http://example.org/?", "http://example.org/");
    check("http://example.org/?utmost=1&spmx=2&xfbclid=3", "http://example.org/?utmost=1&spmx=2&xfbclid=3");
    check("http://example.org/?q=%61%26b&&q=+c", "http://example.org/?q=a%26b&q=+c");
}

#[test]
fn what_is_shown_reads_well_and_hides_nothing() {
    shown("https://xn--fsqu00a.xn--0zwm56d/%E4%BE%8B?q=%C3%A9", "https://例子.测试/例?q=é");
    shown("https://example.org/%E2%80%AEtxt.exe", "https://example.org/%E2%80%AEtxt.exe");
    shown("https://example.org/%FF%C3%A9", "https://example.org/%FFé");
    shown("https://example.org/a%20b%2Fc", "https://example.org/a%20b%2Fc");
    // Cyrillic look-alikes, alone and mixed with Latin.
    shown("https://xn--80ak6aa92e.com/", "https://xn--80ak6aa92e.com/");
    shown("https://xn--pple-43d.com/", "https://xn--pple-43d.com/");
    shown("https://xn--e1afmkfd.xn--p1ai/", "https://пример.рф/");
}

proptest! {
    #[test]
    fn normalising_twice_changes_nothing(path in "[a-z0-9/.%~ ?&=_#éüA-F]{0,40}", host in "[a-zA-Zéü0-9]{1,10}\\.(org|example)") {
        let Ok(url) = Url::parse(&format!("https://{host}/{path}")) else { return Ok(()) };
        let once = normal_form(&url);
        let again = normal_form(&Url::parse(&once).unwrap());
        prop_assert_eq!(&again, &once);
        prop_assert!(once.is_ascii() && !once.contains('#'));
    }

    #[test]
    fn what_is_shown_leads_to_the_same_page(path in "[a-z0-9/%~?&=éüABC-F]{0,40}", label in "[a-zéüдж中0-9]{1,8}") {
        let Ok(url) = Url::parse(&format!("https://{label}.example/{path}")) else { return Ok(()) };
        let back = Url::parse(&display_form(&url)).unwrap();
        prop_assert_eq!(normal_form(&back), normal_form(&url));
    }

    #[test]
    fn odd_input_never_panics(text in "\\PC*") {
        if let Ok(url) = Url::parse(&text) {
            let _ = (normal_form(&url), display_form(&url));
        }
        if let Ok(url) = Url::parse(&format!("http://xn--{text}.example/")) {
            let _ = display_form(&url);
        }
    }
}
