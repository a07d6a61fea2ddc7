//! What `synthesis::fetch` is held to.

use headwater_ports::{Exchange, MockFetcher};

use super::*;

fn response(status: u16, headers: &[(&str, &str)], body: &'static str) -> FetchResponse {
    let mut head = Headers::default();
    headers.iter().for_each(|(name, value)| head.append(name, *value));
    FetchResponse {
        status,
        final_url: PrivateUrl::new("https://a.example/".parse().unwrap()),
        permanent_url: None,
        headers: head,
        body: Bytes::from_static(body.as_bytes()),
        body_cut: false,
    }
}

#[track_caller]
fn check(status: u16, headers: &[(&str, &str)], expected: ErrorKind, definite: bool) {
    let missing = refusal(&response(status, headers, "body")).unwrap();
    assert_eq!((missing.error.kind, missing.definite), (expected, definite), "{status}");
}

#[test]
fn a_status_that_is_no_success_is_a_failure_of_its_kind() {
    check(404, &[], ErrorKind::HttpStatus, true);
    check(410, &[], ErrorKind::Gone, true);
    check(500, &[], ErrorKind::HttpStatus, false);
    check(403, &[], ErrorKind::HttpStatus, false);
    check(403, &[("cf-mitigated", "challenge")], ErrorKind::BlockedByChallenge, false);
    check(401, &[], ErrorKind::Auth, false);
    check(429, &[], ErrorKind::Throttled, false);
    check(503, &[], ErrorKind::HttpStatus, false);
    check(503, &[("Retry-After", "60")], ErrorKind::Throttled, false);
    check(304, &[], ErrorKind::HttpStatus, false);
}

#[test]
fn a_good_status_needs_a_body() {
    assert!(refusal(&response(200, &[], "x")).is_none());
    assert_eq!(refusal(&response(200, &[], "")).unwrap().error.kind, ErrorKind::EmptyBody);
    assert_eq!(refusal(&response(204, &[], "")).unwrap().error.kind, ErrorKind::EmptyBody);
}

#[tokio::test]
async fn after_a_429_the_host_is_not_asked_again() {
    let mut fetcher = MockFetcher::new();
    let answer = |_| Exchange { requests: 1, outcome: Ok(response(429, &[], "slow down")) };
    fetcher.expect_fetch().times(1).returning(answer);
    let web = Web::new(Arc::new(fetcher), 2);
    let wish = Wish::article(Duration::from_secs(1), 1000);
    for path in ["1", "2"] {
        let url = PrivateUrl::new(format!("https://a.example/{path}").parse().unwrap());
        assert_eq!(web.document(&url, wish).await.unwrap_err().error.kind, ErrorKind::Throttled);
    }
}

#[test]
fn a_page_is_known_by_its_first_tags() {
    let fetched = |body: &'static str| Fetched {
        status: 200,
        body: Bytes::from_static(body.as_bytes()),
        url: "https://a.example/".parse().unwrap(),
        lasting_url: PrivateUrl::new("https://a.example/".parse().unwrap()),
        headers: Headers::default(),
        body_cut: false,
    };
    assert!(fetched("<!DOCTYPE HTML><title>x</title>").looks_like_html());
    assert!(fetched("<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>").looks_like_html());
    assert!(!fetched("<rss><channel/></rss>").looks_like_html());
    assert!(!fetched("{}").looks_like_html());
}
