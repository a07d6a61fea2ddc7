//! What `request` is held to.

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::{Header, Method};
use http::HeaderValue;
use url::Url;

use super::{Headers, build};
use crate::connection::Protocol;
use crate::credentials::Basic;

fn header(name: &str, value: &str, secret: bool) -> Header {
    Header { name: name.to_owned(), value: Secret::new(value.as_bytes().to_vec()), secret }
}

fn headers(own: &[Header]) -> Headers {
    Headers::new(&HeaderValue::from_static("Test/1"), None, own).unwrap()
}

#[track_caller]
fn sent(headers: &Headers, url: &str, name: &str) -> Vec<String> {
    let request = build(&Url::parse(url).unwrap(), &Method::Get, headers, Protocol::One).unwrap();
    request.headers().get_all(name).iter().map(|value| value.to_str().unwrap().to_owned()).collect()
}

#[test]
fn own_headers_replace_the_defaults_by_name_and_may_repeat() {
    let own = [header("ACCEPT", "text/x", false), header("X-A", "1", false), header("x-a", "2", false)];
    let headers = headers(&own);
    assert_eq!(sent(&headers, "http://a.example/", "accept"), ["text/x"]);
    assert_eq!(sent(&headers, "http://a.example/", "user-agent"), ["Test/1"]);
    assert_eq!(sent(&headers, "http://a.example/", "x-a"), ["1", "2"]);
}

#[test]
fn secrets_are_gone_for_good_once_the_origin_was_left() {
    let own = [
        header("Authorization", "Bearer t", false),
        header("cookie", "c", false),
        header("X-Key", "k", true),
        header("X-Open", "o", false),
    ];
    let mut headers = headers(&own);
    let request = build(&Url::parse("http://a.example/").unwrap(), &Method::Get, &headers, Protocol::One).unwrap();
    assert!(["authorization", "cookie", "x-key"].iter().all(|name| request.headers()[*name].is_sensitive()));
    headers.leave_origin();
    for name in ["authorization", "cookie", "x-key"] {
        assert!(sent(&headers, "http://a.example/", name).is_empty(), "{name}");
    }
    assert_eq!(sent(&headers, "http://b.example/", "x-open"), ["o"]);
}

#[test]
fn user_information_is_sent_to_its_origin_unless_something_else_authorises() {
    let basic = || Basic::take_from(&mut Url::parse("https://u:p@a.example/").unwrap());
    let headers = Headers::new(&HeaderValue::from_static("Test/1"), basic(), &[]).unwrap();
    assert_eq!(sent(&headers, "https://a.example/x", "authorization"), ["Basic dTpw"]);
    assert!(sent(&headers, "https://b.example/", "authorization").is_empty());
    let headers =
        Headers::new(&HeaderValue::from_static("Test/1"), basic(), &[header("Authorization", "Bearer t", true)])
            .unwrap();
    assert_eq!(sent(&headers, "https://a.example/x", "authorization"), ["Bearer t"]);
}

#[test]
fn what_is_no_header_is_refused_without_its_value() {
    for (name, value) in
        [("a b", "x"), ("X-A", "s3cret\r\nX-B: 1"), ("Host", "s3cret"), ("Content-Length", "s3cret"), ("", "x")]
    {
        let error = Headers::new(&HeaderValue::from_static("Test/1"), None, &[header(name, value, true)]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidConfig);
        assert!(!format!("{error:?}").contains("s3cret"), "{error:?}");
    }
}

#[test]
fn every_url_can_be_written_in_a_request_line() {
    let url = Url::parse("http://a.example:8080/a`b|c^d?q=`{}|^\\\"<>é#frag").unwrap();
    let target = "/a%60b%7Cc%5Ed?q=%60%7B%7D%7C%5E%5C%22%3C%3E%C3%A9";
    let post = Method::Post(Bytes::from_static(b"x"));
    let request = build(&url, &post, &headers(&[]), Protocol::One).unwrap();
    assert_eq!((request.method().as_str(), request.uri().to_string().as_str()), ("POST", target));
    assert_eq!(request.headers()["host"], "a.example:8080");
    let request = build(&url, &post, &headers(&[]), Protocol::Two).unwrap();
    assert_eq!(request.uri().to_string(), format!("http://a.example:8080{target}"));
    assert!(!request.headers().contains_key("host"));
}
