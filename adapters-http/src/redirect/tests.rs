//! What `redirect` is held to.

use headwater_domain::ErrorKind;
use url::Url;

use super::{Hop, Trail};

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[track_caller]
fn step(trail: &mut Trail, from: &str, status: u16, location: &str) -> Result<Option<Hop>, ErrorKind> {
    trail.follow(&url(from), false, status, Some(location.as_bytes())).map_err(|error| error.kind)
}

fn to(target: &str) -> Result<Option<Hop>, ErrorKind> {
    Ok(Some(Hop { url: url(target), drops_body: false }))
}

#[test]
fn five_statuses_with_a_location_lead_on() {
    for status in [301, 302, 303, 307, 308] {
        let mut trail = Trail::new(10);
        assert_eq!(step(&mut trail, "http://a.example/x", status, "/y"), to("http://a.example/y"));
        assert!(trail.follow(&url("http://a.example/y"), false, status, None).unwrap().is_none());
    }
    let mut trail = Trail::new(10);
    for status in [200, 300, 304, 305, 306, 400] {
        assert_eq!(step(&mut trail, "http://a.example/x", status, "/y"), Ok(None));
    }
}

#[test]
fn locations_of_any_form_are_resolved() {
    let from = "https://a.example/x/y#part";
    for (location, target) in [
        (" z ", "https://a.example/x/z#part"),
        ("//b.example", "https://b.example/#part"),
        ("?q", "https://a.example/x/y?q#part"),
        ("/z#other", "https://a.example/z#other"),
        ("https://b.example/é", "https://b.example/%C3%A9#part"),
    ] {
        let mut trail = Trail::new(10);
        assert_eq!(step(&mut trail, from, 302, location), to(target));
    }
    let mut trail = Trail::new(10);
    let latin = trail.follow(&url(from), false, 302, Some(b"/caf\xe9")).unwrap();
    assert_eq!(latin.unwrap().url.as_str(), "https://a.example/caf%C3%A9#part");
    assert_eq!(step(&mut trail, from, 302, "https://[/"), Err(ErrorKind::InvalidUrl));
}

#[test]
fn circles_and_long_walks_end() {
    let mut trail = Trail::new(10);
    assert_eq!(step(&mut trail, "http://a.example/1", 302, "/2"), to("http://a.example/2"));
    assert_eq!(step(&mut trail, "http://a.example/2", 302, "/1#x"), Err(ErrorKind::RedirectLoop));
    let mut trail = Trail::new(10);
    for n in 1..=10 {
        assert!(step(&mut trail, "http://a.example/", 302, &format!("/{n}")).is_ok());
    }
    assert_eq!(step(&mut trail, "http://a.example/", 302, "/11"), Err(ErrorKind::TooManyRedirects));
    let mut none = Trail::new(0);
    assert_eq!(step(&mut none, "http://a.example/0", 302, "/1"), Err(ErrorKind::TooManyRedirects));
}

#[test]
fn nothing_leads_from_https_to_http() {
    let mut trail = Trail::new(10);
    assert_eq!(step(&mut trail, "https://a.example/", 301, "http://a.example/x"), Err(ErrorKind::BlockedAddress));
    let mut trail = Trail::new(10);
    assert_eq!(step(&mut trail, "http://a.example/", 301, "https://a.example/"), to("https://a.example/"));
}

#[test]
fn the_permanent_run_ends_at_the_first_other_redirect() {
    let run = |statuses: &[u16]| {
        let mut trail = Trail::new(10);
        for (n, status) in statuses.iter().enumerate() {
            step(&mut trail, "http://a.example/", *status, &format!("/{}", n + 1)).unwrap();
        }
        trail.permanent().map(|url| url.path().to_owned())
    };
    assert_eq!(run(&[301, 308]).as_deref(), Some("/2"));
    assert_eq!(run(&[301, 302, 301]).as_deref(), Some("/1"));
    assert_eq!(run(&[307, 301]), None);
    assert_eq!(run(&[]), None);
}

#[test]
fn a_post_becomes_a_get_or_stays_at_its_origin() {
    for (status, location, expected) in [
        (301, "/y", Some(true)),
        (302, "https://b.example/", Some(true)),
        (303, "/y", Some(true)),
        (307, "/y", Some(false)),
        (308, "/y", Some(false)),
        (307, "https://b.example/", None),
        (308, "https://a.example:8443/", None),
    ] {
        let mut trail = Trail::new(10);
        let hop = trail.follow(&url("https://a.example/x"), true, status, Some(location.as_bytes())).unwrap();
        assert_eq!(hop.map(|hop| hop.drops_body), expected, "{status} {location}");
    }
}
