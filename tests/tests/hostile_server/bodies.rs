//! Bodies: endless, slow, of the wrong length, cut, coded in every way.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use headwater_adapters_http::HyperFetcher;
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{FetchResponse, Fetcher};
use headwater_tests::server::{Act, Reply, StandIn};

use crate::client::{fetch, leading_to, refusal, request, response};

const URL: &str = "http://hostile.example/feed.xml";
const FEED: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>A feed</title></channel></rss>";

async fn answering(acts: Vec<Act>) -> StandIn {
    StandIn::start(move |_| Reply::raw(acts.clone())).await
}

async fn sending(wire: &[u8]) -> FetchResponse {
    let server = answering(vec![Act::send(wire.to_vec()), Act::Close]).await;
    response(fetch(&server, URL).await)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn an_endless_body_ends_at_the_cap() {
    for head in ["", "Content-Length: 99999999999\r\n", "Transfer-Encoding: chunked\r\n"] {
        let flood = if head.starts_with('T') { "4\r\nabcd\r\n" } else { "abcdefgh" };
        let head = format!("HTTP/1.1 200 OK\r\n{head}\r\n");
        let server = answering(vec![Act::send(head), Act::Flood(flood.repeat(1000).into())]).await;
        let mut request = request(URL);
        request.limits.max_body_bytes = 100_000;
        let exchange = HyperFetcher::new(leading_to(&server)).unwrap().fetch(request).await;
        assert_eq!(exchange.requests, 1);
        refusal(exchange, ErrorKind::BodyTooLarge);
    }
}

#[tokio::test]
async fn exactly_the_cap_passes_and_one_more_fails() {
    let cap = usize::try_from(limits::MAX_BODY_BYTES).unwrap();
    assert_eq!(cap, 52_428_800);
    for (size, fits) in [(cap, true), (cap + 1, false)] {
        let block = b"<a/>  \r\n".repeat(1 << 17);
        let rest = &block[..size % block.len()];
        let body = [block.repeat(size / block.len()), rest.to_vec()].concat();
        let coded = [gzip(&block).repeat(size / block.len()), gzip(rest)].concat();
        let server = StandIn::start(move |request| match request.path() {
            "/plain" => Reply::ok(body.clone()),
            _ => Reply::ok(coded.clone()).header("Content-Encoding", "gzip"),
        })
        .await;
        for path in ["plain", "coded"] {
            let exchange = fetch(&server, &format!("http://hostile.example/{path}")).await;
            match fits {
                true => assert_eq!(response(exchange).body.len(), size, "{path}"),
                false => drop(refusal(exchange, ErrorKind::BodyTooLarge)),
            }
        }
    }
}

#[tokio::test]
async fn a_trickle_ends_at_the_whole_deadline_and_a_silence_at_the_read_timeout() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    let trickle = Act::Trickle("x".into(), Duration::from_millis(50));
    for (act, told) in [(trickle, "the exchange took longer"), (Act::Hang, "silent")] {
        let server = answering(vec![Act::send(head), Act::send("x"), act]).await;
        let mut request = request(URL);
        request.limits.read_timeout = Duration::from_millis(500);
        request.limits.timeout = Duration::from_millis(1500);
        let exchange = HyperFetcher::new(leading_to(&server)).unwrap().fetch(request).await;
        assert!(refusal(exchange, ErrorKind::Timeout).detail.contains(told));
    }
}

#[tokio::test]
async fn a_body_that_ends_early_is_kept_and_marked() {
    let cut = [
        format!("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{FEED}"),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{FEED}\r\n", FEED.len()),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{FEED}", FEED.len() + 9),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{FEED}\r\nxyz\r\n", FEED.len()),
        format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{FEED}\r\nfffffffffffffffff\r\n",
            FEED.len()
        ),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{FEED}\r\n-5\r\nabcde\r\n", FEED.len()),
    ];
    for wire in cut {
        let response = sending(wire.as_bytes()).await;
        assert_eq!((response.status, response.body_cut), (200, true), "{wire}");
        assert_eq!(response.body, FEED, "{wire}");
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_before_it_began_ends_as_connect() {
    for rest in ["fffffffffffffffff\r\nabc", "xyz\r\nabc", "-1\r\nabc", ""] {
        let wire = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{rest}");
        let server = answering(vec![Act::send(wire), Act::Close]).await;
        let exchange = fetch(&server, URL).await;
        assert_eq!(exchange.requests, 1, "{rest}");
        refusal(exchange, ErrorKind::Connect);
    }
    let server = answering(vec![Act::send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), Act::Close]).await;
    refusal(fetch(&server, URL).await, ErrorKind::Connect);
}

#[tokio::test]
async fn what_comes_beyond_the_length_is_not_part_of_the_body_nor_of_the_next_response() {
    let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
    let wire = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{FEED}{smuggled}", FEED.len());
    let server = StandIn::start(move |request| match request.path() {
        "/first" => Reply::raw([Act::send(wire.clone())]),
        _ => Reply::ok("good"),
    })
    .await;
    let fetcher = HyperFetcher::new(leading_to(&server)).unwrap();
    let first = response(fetcher.fetch(request("http://hostile.example/first")).await);
    assert_eq!((first.body.as_ref(), first.body_cut), (FEED.as_bytes(), false));
    let second = response(fetcher.fetch(request("http://hostile.example/second")).await);
    assert_eq!(second.body, "good");
}

#[tokio::test]
async fn responses_without_a_body_have_none() {
    for head in
        ["304 Not Modified\r\nContent-Length: 500", "304 Not Modified\r\nContent-Encoding: gzip", "204 No Content"]
    {
        let response = sending(format!("HTTP/1.1 {head}\r\nETag: \"a\"\r\n\r\n").as_bytes()).await;
        assert!(response.body.is_empty() && !response.body_cut, "{head}");
        assert_eq!(response.headers.text("etag"), Some("\"a\""));
    }
    let response = sending(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n").await;
    assert!(response.body.is_empty() && !response.body_cut);
}

#[tokio::test]
async fn each_coding_and_each_lie_about_it_is_read() {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(FEED.as_bytes()).unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
    raw.write_all(FEED.as_bytes()).unwrap();
    let (zlib, raw, plain) = (zlib.finish().unwrap(), raw.finish().unwrap(), FEED.as_bytes().to_vec());
    let halves = [gzip(&plain[..20]), gzip(&plain[20..])].concat();
    let bodies = [
        (Some("gzip"), gzip(&plain)),
        (Some("X-GZIP"), gzip(&plain)),
        (Some("gzip, identity"), gzip(&plain)),
        (Some("gzip"), halves),
        (Some("gzip"), [gzip(&plain), b"\0\0junk".to_vec()].concat()),
        (Some("gzip, gzip"), gzip(&gzip(&plain))),
        (Some("deflate"), zlib),
        (Some("deflate"), raw),
        (Some("deflate"), gzip(&plain)),
        (None, gzip(&plain)),
        (Some("gzip"), plain.clone()),
        (Some("br"), plain.clone()),
        (Some("zstd"), plain.clone()),
        (Some("utf-8"), plain.clone()),
        (Some("none"), plain),
    ];
    for (label, body) in bodies {
        let server = StandIn::start(move |_| match label {
            Some(label) => Reply::ok(body.clone()).header("Content-Encoding", label),
            None => Reply::ok(body.clone()),
        })
        .await;
        let response = response(fetch(&server, URL).await);
        assert_eq!((response.body.as_ref(), response.body_cut), (FEED.as_bytes(), false), "{label:?}");
    }
}

#[tokio::test]
async fn bytes_in_no_known_coding_end_as_unsupported_encoding() {
    let noise: Vec<u8> = (0..500_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for label in ["gzip", "zstd", "compress", "gzip, gzip, gzip, gzip, gzip"] {
        let body = noise.clone();
        let server = StandIn::start(move |_| Reply::ok(body.clone()).header("Content-Encoding", label)).await;
        refusal(fetch(&server, URL).await, ErrorKind::UnsupportedEncoding);
    }
}

#[tokio::test]
async fn a_coded_body_cut_short_keeps_what_it_decodes_to() {
    let feed = (0..5000).map(|n| format!("<item>{}</item>", n * n)).collect::<String>();
    let coded = gzip(feed.as_bytes());
    let half = coded[..coded.len() / 2].to_vec();
    let server = StandIn::start(move |_| Reply::ok(half.clone()).header("Content-Encoding", "gzip")).await;
    let response = response(fetch(&server, URL).await);
    assert!(response.body_cut && response.body.len() > 1000 && feed.as_bytes().starts_with(&response.body));
}

#[tokio::test]
async fn the_status_of_a_failure_counts_whatever_its_body() {
    let bodies = [
        ("Content-Length: 99999999999\r\n", vec![Act::Flood("x".repeat(10_000).into())]),
        ("Content-Encoding: compress\r\nContent-Length: 4\r\n", vec![Act::send(b"\x1f\x9d\x90\0".to_vec())]),
    ];
    for (head, rest) in bodies {
        let head = Act::send(format!("HTTP/1.1 503 Busy\r\nRetry-After: 60\r\n{head}\r\n"));
        let server = answering([vec![head], rest].concat()).await;
        let response = response(fetch(&server, URL).await);
        assert_eq!((response.status, response.headers.text("retry-after")), (503, Some("60")));
        assert!(response.body_cut);
    }
}
