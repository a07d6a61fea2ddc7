//! Heads of responses: floods, trickles, garbage, silence.

use std::time::Duration;

use headwater_adapters_http::HyperFetcher;
use headwater_domain::ErrorKind;
use headwater_ports::Fetcher;
use headwater_tests::server::{Act, Reply, StandIn};

use crate::client::{fetch, leading_to, refusal, request, response};

const URL: &str = "http://hostile.example/feed.xml";

async fn answering(acts: Vec<Act>) -> StandIn {
    StandIn::start(move |_| Reply::raw(acts.clone())).await
}

#[tokio::test]
async fn a_flood_of_headers_ends_as_connect() {
    let head: String = (0..2000).map(|n| format!("X-Flood-{n}: {n}\r\n")).collect();
    let server = answering(vec![Act::send(format!("HTTP/1.1 200 OK\r\n{head}\r\n"))]).await;
    let exchange = fetch(&server, URL).await;
    assert_eq!(exchange.requests, 1);
    assert!(refusal(exchange, ErrorKind::Connect).detail.contains("too large"));
}

#[tokio::test]
async fn one_endless_header_and_headers_without_end_end_as_connect() {
    for flood in [
        "xxxxxxxxxxxxxxxxxxxxxxxx",
        "X-Flood: 1\r\n",
        "X-Long: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n",
    ] {
        let server = answering(vec![Act::send("HTTP/1.1 200 OK\r\nX-A: "), Act::Flood(flood.into())]).await;
        refusal(fetch(&server, URL).await, ErrorKind::Connect);
    }
}

#[tokio::test]
async fn what_is_not_http_ends_as_connect() {
    for garbage in [
        "SSH-2.0-OpenSSH_9.9\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
        "<html></html>\r\n\r\n",
        "HTTP/1.1 99999 X\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
    ] {
        let server = answering(vec![Act::send(garbage), Act::Close]).await;
        refusal(fetch(&server, URL).await, ErrorKind::Connect);
    }
}

#[tokio::test]
async fn headers_that_contradict_each_other_end_as_connect() {
    for lengths in [
        "Content-Length: 3\r\nContent-Length: 5\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 99999999999999999999\r\n",
    ] {
        let server = answering(vec![Act::send(format!("HTTP/1.1 200 OK\r\n{lengths}\r\nabcde")), Act::Close]).await;
        refusal(fetch(&server, URL).await, ErrorKind::Connect);
    }
}

#[tokio::test]
async fn a_connection_closed_without_an_answer_ends_as_connect() {
    let server = answering(vec![Act::Close]).await;
    let exchange = fetch(&server, URL).await;
    assert_eq!(exchange.requests, 1);
    refusal(exchange, ErrorKind::Connect);
    let server = answering(vec![Act::send("HTTP/1.1 200 OK\r\nContent-"), Act::Close]).await;
    refusal(fetch(&server, URL).await, ErrorKind::Connect);
}

#[tokio::test]
async fn silence_ends_at_the_read_timeout() {
    let server = answering(vec![Act::Hang]).await;
    let mut request = request(URL);
    request.limits.read_timeout = Duration::from_millis(200);
    let exchange = HyperFetcher::new(leading_to(&server)).unwrap().fetch(request).await;
    assert_eq!(exchange.requests, 1);
    assert!(refusal(exchange, ErrorKind::Timeout).detail.contains("silent"));
}

#[tokio::test]
async fn a_trickled_head_is_not_silence_and_ends_at_the_whole_deadline() {
    let trickle = Act::Trickle("X-Slow: 1\r\n".into(), Duration::from_millis(50));
    let server = answering(vec![Act::send("HTTP/1.1 200 OK\r\n"), trickle]).await;
    let mut request = request(URL);
    request.limits.read_timeout = Duration::from_millis(400);
    request.limits.timeout = Duration::from_millis(1200);
    let exchange = HyperFetcher::new(leading_to(&server)).unwrap().fetch(request).await;
    assert_eq!(exchange.requests, 1);
    assert!(refusal(exchange, ErrorKind::Timeout).detail.contains("the exchange took longer"));
}

#[tokio::test]
async fn interim_responses_are_passed_over_but_not_for_ever() {
    let acts = vec![
        Act::Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".into(), 5),
        Act::send("HTTP/1.1 204 No\r\n\r\n"),
    ];
    let server = answering(acts).await;
    assert_eq!(response(fetch(&server, URL).await).status, 204);
    let server = answering(vec![Act::Flood("HTTP/1.1 100 Continue\r\n\r\n".into())]).await;
    let mut request = request(URL);
    request.limits.timeout = Duration::from_millis(500);
    let exchange = HyperFetcher::new(leading_to(&server)).unwrap().fetch(request).await;
    refusal(exchange, ErrorKind::Timeout);
}

#[tokio::test]
async fn odd_but_readable_heads_are_read() {
    let acts = vec![
        Act::send(b"HTTP/1.0 200\r\nX-Latin: caf\xe9\r\nETag: \"a\"\r\nx-latin: two\r\n\r\nbody".to_vec()),
        Act::Close,
    ];
    let server = answering(acts).await;
    let response = response(fetch(&server, URL).await);
    assert_eq!(response.headers.bytes("x-latin"), Some(&b"caf\xe9"[..]));
    assert_eq!(response.headers.all("x-latin").count(), 2);
    assert_eq!((response.body.as_ref(), response.body_cut), (&b"body"[..], false));
}

#[tokio::test]
async fn cookies_are_neither_kept_nor_sent() {
    let server = StandIn::start(|_| Reply::ok("x").header("Set-Cookie", "id=1; Path=/")).await;
    let fetcher = HyperFetcher::new(leading_to(&server)).unwrap();
    for _ in 0..2 {
        response(fetcher.fetch(request(URL)).await);
    }
    assert!(server.requests().iter().all(|request| request.values("cookie").is_empty()));
}
