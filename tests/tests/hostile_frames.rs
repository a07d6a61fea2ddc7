//! Whether servers that break the rules of HTTP/2 get the better of the client.
//!
//! Each attack must end with its code, within its deadline, and without costing memory. Apart from `hostile_server`, since
//! the memory of the whole process is measured.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

use std::time::Duration;

use bytes::Bytes;
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_domain::ErrorKind;
use headwater_domain::net::Exemptions;
use headwater_ports::{Exchange, FetchRequest, Fetcher, Method};
use headwater_tests::server::{Act, Authority, END_HEADERS, END_STREAM, FrameKind, StandIn, frame};

/// Everything about one attack: what the server does, and what the client must make of it.
struct Attack {
    name: &'static str,
    acts: Vec<Act>,
    /// Either will do where it depends on the moment whether the connection or the patience ends first.
    kinds: &'static [ErrorKind],
}

const BROKEN: &[ErrorKind] = &[ErrorKind::Connect];
const LATE: &[ErrorKind] = &[ErrorKind::Timeout];
const EITHER: &[ErrorKind] = &[ErrorKind::Connect, ErrorKind::Timeout];

#[tokio::test]
async fn each_attack_ends_with_its_code_and_costs_no_memory() {
    let root = Authority::root("Test Root");
    let identity = root.identity(&["two.example"]);
    let before = memory("VmRSS:");
    for Attack { name, acts, kinds } in attacks() {
        let server = StandIn::start_frames(&identity, &acts).await;
        let exchange = fetch(&server, &root, Method::Get).await;
        assert_eq!(exchange.requests, 1, "{name}");
        match exchange.outcome {
            Err(error) => assert!(kinds.contains(&error.kind), "{name}: {error:?}"),
            Ok(response) => panic!("{name}: status {}", response.status),
        }
        let cost = memory("VmHWM:").saturating_sub(before);
        assert!(cost < 24 * 1024, "{name}: {cost} KiB");
    }
}

fn attacks() -> Vec<Attack> {
    let flood = |one: Bytes| Act::Flood(one.repeat(200).into());
    let attack = |name, acts, kinds| Attack { name, acts, kinds };
    vec![
        attack(
            "a head without end",
            vec![Act::send(headers(0, OK)), flood(frame(FrameKind::Continuation, 0, 1, &field("x-a", 100)))],
            BROKEN,
        ),
        attack(
            "a head of empty pieces without end",
            vec![Act::send(headers(0, OK)), flood(frame(FrameKind::Continuation, 0, 1, &[]))],
            BROKEN,
        ),
        attack("a head that is small on the wire and large in memory", vec![Act::send(head_bomb()), Act::Hang], EITHER),
        attack("pings without end", vec![flood(frame(FrameKind::Ping, 0, 0, &[7; 8]))], EITHER),
        attack("settings without end", vec![flood(frame(FrameKind::Settings, 0, 0, &[0, 3, 0, 0, 0, 9]))], EITHER),
        attack(
            "answers to pings that nobody sent",
            vec![flood(frame(FrameKind::Ping, END_STREAM, 0, &[7; 8]))],
            EITHER,
        ),
        attack("the stream reset", vec![Act::send(reset(1)), Act::Hang], BROKEN),
        attack("resets of streams that nobody opened", vec![Act::Flood(resets())], BROKEN),
        attack(
            "a frame larger than agreed on",
            vec![Act::send(vec![0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]), Act::Hang],
            EITHER,
        ),
        attack("a response that nobody asked for", vec![Act::send(push()), Act::Hang], BROKEN),
        attack(
            "a window beyond its bound",
            vec![flood(frame(FrameKind::WindowUpdate, 0, 0, &[0x7f, 0xff, 0xff, 0xff]))],
            BROKEN,
        ),
        attack("data before a head", vec![Act::send(data(0, b"<rss/>")), Act::Hang], EITHER),
        attack("a connection given up before an answer", vec![Act::send(go_away(0)), Act::Close], BROKEN),
        attack("pieces of nothing without end", vec![Act::send(headers(END_HEADERS, OK)), flood(data(0, b""))], EITHER),
        attack("a body that is never sent", vec![Act::send(headers(END_HEADERS, OK)), Act::Hang], LATE),
        attack("something else than HTTP/2", vec![Act::send("HTTP/1.1 200 OK\r\n\r\n"), Act::Hang], EITHER),
    ]
}

#[tokio::test]
async fn a_body_that_breaks_off_is_kept_and_marked() {
    let begun = [headers(END_HEADERS, OK), data(0, b"<rss>")].concat();
    for (name, acts) in [
        ("given up", vec![Act::send(begun.clone()), Act::send(go_away(1)), Act::Close]),
        (
            "given up with an error",
            vec![
                Act::send(begun.clone()),
                Act::send(frame(FrameKind::GoAway, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 2])),
                Act::Close,
            ],
        ),
        ("reset", vec![Act::send(begun.clone()), Act::send(reset(1)), Act::Hang]),
        ("closed", vec![Act::send(begun.clone()), Act::Close]),
    ] {
        let root = Authority::root("Test Root");
        let server = StandIn::start_frames(&root.identity(&["two.example"]), &acts).await;
        let response = fetch(&server, &root, Method::Get).await.outcome.unwrap();
        assert_eq!((response.status, response.body_cut), (200, true), "{name}");
        assert_eq!(response.body, "<rss>", "{name}");
    }
}

#[tokio::test]
async fn what_comes_behind_the_end_is_not_part_of_the_body() {
    for tail in [data(0, b"evil"), data(END_STREAM, b"evil"), headers(END_HEADERS | END_STREAM, OK)] {
        let whole = [headers(END_HEADERS, OK), data(END_STREAM, b"<rss/>"), tail].concat();
        let root = Authority::root("Test Root");
        let server = StandIn::start_frames(&root.identity(&["two.example"]), &[Act::send(whole)]).await;
        let response = fetch(&server, &root, Method::Get).await.outcome.unwrap();
        assert_eq!((response.body.as_ref(), response.body_cut), (&b"<rss/>"[..], false));
    }
}

#[tokio::test]
async fn a_window_that_stays_shut_ends_as_timeout() {
    let shut = frame(FrameKind::Settings, 0, 0, &[0, 4, 0, 0, 0, 0]);
    let root = Authority::root("Test Root");
    let server = StandIn::start_frames(&root.identity(&["two.example"]), &[Act::send(shut), Act::Hang]).await;
    let exchange = fetch(&server, &root, Method::Post("x".repeat(1_000_000).into())).await;
    assert_eq!(exchange.outcome.unwrap_err().kind, ErrorKind::Timeout);
}

#[tokio::test]
async fn a_shared_connection_that_says_nothing_is_not_offered_again() {
    let root = Authority::root("Test Root");
    let server = StandIn::start_frames(&root.identity(&["two.example"]), &[Act::Hang]).await;
    let fetcher = HyperFetcher::new(leading_to(&server, &root)).unwrap();
    for _ in 0..2 {
        let exchange = fetcher.fetch(request(Method::Get)).await;
        assert_eq!(exchange.outcome.unwrap_err().kind, ErrorKind::Timeout);
    }
    assert_eq!(server.connections(), 2);
}

fn request(method: Method) -> FetchRequest {
    let url: url::Url = "https://two.example/feed.xml".parse().unwrap();
    let mut request = FetchRequest { method, ..FetchRequest::get(url.into()) };
    request.limits.timeout = Duration::from_millis(2500);
    request.limits.read_timeout = Duration::from_millis(700);
    request
}

fn leading_to(server: &StandIn, root: &Authority) -> HttpConfig {
    let mut exemptions = Exemptions::default();
    exemptions.add("127.0.0.1").unwrap();
    let connect_to = vec![format!("::127.0.0.1:{}", server.port()).parse().unwrap()];
    HttpConfig { exemptions, connect_to, ca_pem: vec![root.pem()], ..HttpConfig::default() }
}

async fn fetch(server: &StandIn, root: &Authority, method: Method) -> Exchange {
    HyperFetcher::new(leading_to(server, root)).unwrap().fetch(request(method)).await
}

/// `:status: 200` by its number in the table that both sides know (RFC 7541, appendix A).
const OK: &[u8] = &[0x88];

fn headers(flags: u8, block: &[u8]) -> Bytes {
    frame(FrameKind::Headers, flags, 1, block)
}

fn data(flags: u8, bytes: &[u8]) -> Bytes {
    frame(FrameKind::Data, flags, 1, bytes)
}

fn reset(stream: u32) -> Bytes {
    frame(FrameKind::RstStream, 0, stream, &[0, 0, 0, 2])
}

fn resets() -> Bytes {
    (3..400).step_by(2).flat_map(reset).collect()
}

/// The last stream that will be answered, and no error.
fn go_away(last: u32) -> Bytes {
    frame(FrameKind::GoAway, 0, 0, &[last.to_be_bytes(), [0; 4]].concat())
}

/// A promise of stream 2 with a head.
fn push() -> Bytes {
    frame(FrameKind::PushPromise, END_HEADERS, 1, &[&[0, 0, 0, 2][..], OK].concat())
}

/// A field with a new name, not put into the table (RFC 7541, 6.2.2).
fn field(name: &str, length: u8) -> Vec<u8> {
    let lengths = |text: &str| u8::try_from(text.len()).unwrap();
    let value = "v".repeat(usize::from(length));
    [&[0, lengths(name)][..], name.as_bytes(), &[lengths(&value)], value.as_bytes()].concat()
}

/// A field of 100 bytes put into the table, and then named 16,000 times: 2 MiB of fields in 16 KiB.
fn head_bomb() -> Bytes {
    let mut entered = field("x-a", 100);
    entered[0] = 0x40;
    let first = headers(0, &[OK, &entered].concat());
    let rest = frame(FrameKind::Continuation, END_HEADERS, 1, &[0xbe; 16_000]);
    [first, rest].concat().into()
}

/// A line of the process's own status, in KiB.
fn memory(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let value = status.lines().find_map(|text| text.strip_prefix(line)).unwrap();
    value.trim().trim_end_matches(" kB").parse().unwrap()
}
