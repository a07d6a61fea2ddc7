//! Does the feed reader keep its promises over any fetcher: polite, conditional, discreet, and never stuck?

#[path = "feed_reader/kit.rs"]
mod kit;

use std::time::Duration;

use headwater_connectors::rss::ReadingKind;
use headwater_domain::ErrorKind;
use headwater_domain::feed::WarningCode;
use headwater_domain::feed::reader_policy::{Confirmation, ReaderPolicy};
use headwater_domain::resilience::Circuit;

use kit::{Kit, Script, atom, reply, rss};

const FEED: &str = "https://feed.example/rss";

#[tokio::test]
async fn a_conditional_request_sends_back_what_came_byte_for_byte() {
    let etag = "W/\"\u{ff}odd";
    let mut kit = Kit::new(
        Script::new()
            .then(reply(200, &rss(&["a"])).with("ETag", etag).with("Last-Modified", "yesterday"))
            .then(reply(304, "")),
    );
    kit.read(FEED).await;
    kit.sleep(7200);
    assert_eq!(kit.read(FEED).await.kind, ReadingKind::NotModified);
    let asked = kit.requests();
    assert_eq!(asked[0].header("if-none-match"), None);
    assert_eq!(asked[1].header("if-none-match").as_deref(), Some(etag.as_bytes()));
    assert_eq!(asked[1].header("if-modified-since").as_deref(), Some(&b"yesterday"[..]));
}

#[tokio::test]
async fn a_transfer_cut_before_the_first_item_is_a_failure_and_no_empty_feed() {
    let head = "<rss version='2.0'><channel><title>T</title>";
    for cut in ["<rss", "<rss>", head, &format!("{head}<item><ti"), "<?xml version='1.0'?>", "<", ""] {
        let mut kit = Kit::new(
            Script::new().then(reply(200, cut).with("ETag", "\"a\"").cut()).then(reply(200, &rss(&["a", "b"]))),
        );
        let reading = kit.read(FEED).await;
        assert_eq!(reading.error.map(|error| error.kind), Some(ErrorKind::Connect), "{cut}");
        kit.sleep(7200);
        assert_eq!(kit.read(FEED).await.applied.new.len(), 2, "{cut}");
        assert_eq!(kit.requests()[1].header("if-none-match"), None, "{cut}");
    }
    for (whole, items) in [(format!("{head}</channel></rss>"), 0), (format!("{head}<item><guid>a</guid></item><it"), 1)]
    {
        let mut kit = Kit::new(Script::new().then(reply(200, &whole).cut()));
        let reading = kit.read(FEED).await;
        assert_eq!(
            (reading.kind, reading.document.map(|it| it.items.len())),
            (ReadingKind::Ok, Some(items)),
            "{whole}"
        );
    }
}

#[tokio::test]
async fn a_poll_before_its_time_asks_nothing_even_after_a_restart() {
    let mut kit = Kit::new(Script::new().then(reply(200, &rss(&["a"]))));
    kit.read(FEED).await;
    kit.restart();
    let early = kit.read(FEED).await;
    assert_eq!((early.kind, early.requests), (ReadingKind::Skipped, 0));
    assert_eq!(early.error.map(|error| error.kind), Some(ErrorKind::NotDue));
}

#[tokio::test]
async fn a_429_holds_for_the_whole_host() {
    let mut kit =
        Kit::new(Script::new().then(reply(429, "").with("Retry-After", "600")).then(reply(200, &rss(&["a"]))));
    assert_eq!(kit.read(FEED).await.error.map(|error| error.kind), Some(ErrorKind::Throttled));
    let mut neighbour = kit.neighbour();
    assert_eq!(neighbour.read("https://feed.example/other").await.kind, ReadingKind::Skipped);
    assert_eq!(neighbour.read("https://elsewhere.example/").await.kind, ReadingKind::Ok);
}

#[tokio::test]
async fn a_503_holds_for_its_url_only() {
    let mut kit =
        Kit::new(Script::new().then(reply(503, "").with("Retry-After", "600")).then(reply(200, &rss(&["a"]))));
    assert_eq!(kit.read(FEED).await.error.map(|error| error.kind), Some(ErrorKind::Throttled));
    assert_eq!(kit.neighbour().read("https://feed.example/other").await.kind, ReadingKind::Ok);
}

#[tokio::test]
async fn a_page_that_is_no_feed_leaves_what_is_known_alone() {
    let mut kit = Kit::new(
        Script::new()
            .then(reply(200, &rss(&["a"])).with("ETag", "\"1\""))
            .then(reply(200, "<html><title>Sorry</title></html>").with("ETag", "\"2\""))
            .then(reply(304, "")),
    );
    kit.read(FEED).await;
    let known = kit.memory().cursor.clone();
    kit.sleep(7200);
    let failed = kit.read(FEED).await;
    let error = failed.error.expect("no feed is an error");
    assert_eq!((failed.kind, error.kind, failed.http_status), (ReadingKind::Error, ErrorKind::NotAFeed, Some(200)));
    assert!(error.detail.contains("Sorry"), "{error}");
    assert_eq!(kit.memory().cursor, known);
    kit.sleep(7200);
    kit.read(FEED).await;
    assert_eq!(kit.requests()[2].header("if-none-match").as_deref(), Some(&b"\"1\""[..]));
}

#[tokio::test]
async fn a_bot_wall_is_named_whatever_its_status() {
    for (status, name, value, body) in [
        (403, "cf-mitigated", "challenge", "<html>Just a moment...</html>"),
        (429, "X-Vercel-Mitigated", "challenge", ""),
        (202, "x-amzn-waf-action", "challenge", ""),
    ] {
        let mut kit = Kit::new(Script::new().then(reply(status, body).with(name, value)));
        let reading = kit.read(FEED).await;
        assert_eq!(reading.error.map(|error| error.kind), Some(ErrorKind::BlockedByChallenge), "{status}");
    }
}

#[tokio::test]
async fn secrets_stay_with_the_feeds_origin() {
    let moved = reply(200, &rss(&["a"])).permanently("https://new.example/rss");
    let policy = ReaderPolicy { redirect: Confirmation { times: 1, span: Duration::ZERO }, ..ReaderPolicy::default() };
    let mut kit = Kit::with_policy(Script::new().then(moved).then(reply(200, &rss(&["a"]))), policy);
    kit.header("Authorization", "Bearer hush");
    kit.read("https://alice:pw@feed.example/rss").await;
    kit.sleep(90_000);
    kit.read("https://alice:pw@feed.example/rss").await;
    let asked = kit.requests();
    assert_eq!(asked[0].header("authorization").as_deref(), Some(&b"Bearer hush"[..]));
    assert_eq!((asked[1].url.as_str(), asked[1].header("authorization")), ("https://new.example/rss", None));
    assert_eq!(kit.memory().state.aliases().collect::<Vec<_>>(), ["https://feed.example/rss"]);
}

#[tokio::test]
async fn a_move_to_a_url_whose_secret_is_new_is_followed_but_never_kept() {
    let moved = || reply(200, &rss(&["a"])).permanently("https://feed.example/rss?passkey=BBBB2222");
    let policy = ReaderPolicy { redirect: Confirmation { times: 1, span: Duration::ZERO }, ..ReaderPolicy::default() };
    let mut kit = Kit::with_policy(Script::new().then(moved()).then(moved()), policy);
    kit.read("https://feed.example/rss?passkey=AAAA1111").await;
    kit.sleep(90_000);
    kit.read("https://feed.example/rss?passkey=AAAA1111").await;
    assert_eq!(kit.requests()[1].url, "https://feed.example/rss?passkey=AAAA1111");
    let kept = kit.memory().to_json();
    assert!(!kept.contains("BBBB2222") && !kept.contains("AAAA1111"), "{kept}");
}

#[tokio::test]
async fn the_rotation_of_a_passkey_keeps_the_memory_and_another_feed_does_not() {
    let page = || reply(200, &rss(&["a"])).with("ETag", "\"1\"");
    let mut kit = Kit::new(Script::new().then(page()).then(page()).then(page()));
    kit.read("https://feed.example/rss?passkey=AAAA1111").await;
    kit.sleep(90_000);
    assert_eq!(kit.read("https://feed.example/rss?passkey=BBBB2222").await.applied.new.len(), 0);
    assert_eq!(kit.read("https://feed.example/another").await.applied.new.len(), 1);
    assert_eq!(kit.requests()[2].header("if-none-match"), None);
}

#[tokio::test]
async fn a_gap_is_walked_back_until_the_windows_meet() {
    let policy = ReaderPolicy { max_pages: 20, ..ReaderPolicy::default() };
    let script = Script::new()
        .then(reply(200, &atom(&["1", "2"], "")))
        .then(reply(200, &atom(&["7", "6"], "https://feed.example/p2")))
        .then(reply(200, &atom(&["5", "4"], "https://feed.example/p3")))
        .then(reply(200, &atom(&["3", "2"], "https://feed.example/p4")));
    let mut kit = Kit::with_policy(script, policy);
    kit.read(FEED).await;
    kit.sleep(90_000);
    let reading = kit.read(FEED).await;
    assert_eq!((reading.applied.new.len(), reading.applied.possible_gap, reading.requests), (5, false, 3));
    assert_eq!(kit::codes(&reading), [WarningCode::WindowsMet]);
}

#[tokio::test]
async fn a_walk_ends_at_loops_limits_and_failures() {
    let page = |next: &str| reply(200, &atom(&["1"], next));
    for (pages, script, requests, code) in [
        (9, Script::new().then(page("/p2")).then(page("/rss")), 2, WarningCode::PaginationLoop),
        (9, Script::new().then(page("/rss#top")), 1, WarningCode::PaginationLoop),
        (2, Script::new().then(page("/p2")).then(page("/p3")), 2, WarningCode::PageLimit),
        (9, Script::new().then(page("/p2")).then(reply(500, "")), 2, WarningCode::PartialFetch),
    ] {
        let mut kit = Kit::with_policy(script, ReaderPolicy { max_pages: pages, ..ReaderPolicy::default() });
        let reading = kit.read(FEED).await;
        assert_eq!((reading.kind, reading.requests), (ReadingKind::Ok, requests));
        assert_eq!(kit::codes(&reading), [code]);
    }
}

#[tokio::test]
async fn an_attempt_that_is_given_up_leaves_no_trace() {
    let script = Script::new()
        .then(reply(200, &rss(&["a"])))
        .then(reply(429, "").with("Retry-After", "600").hanging())
        .then(reply(200, &rss(&["a", "b"])));
    let mut kit = Kit::new(script);
    kit.read(FEED).await;
    kit.sleep(90_000);
    let before = kit.memory().clone();
    assert!(tokio::time::timeout(Duration::from_millis(20), kit.read(FEED)).await.is_err());
    assert_eq!((kit.requests().len(), kit.memory()), (2, &before));
    assert_eq!(kit.read(FEED).await.applied.new.len(), 1);
}

#[tokio::test]
async fn failures_open_the_circuit_and_a_reset_by_hand_closes_it() {
    let script = (0..5).fold(Script::new(), |script, _| script.then(reply(500, ""))).then(reply(200, &rss(&["a"])));
    let mut kit = Kit::new(script);
    for _ in 0..5 {
        kit.read(FEED).await;
        kit.sleep(90_000);
    }
    let open = kit.read(FEED).await;
    assert_eq!((open.kind, open.circuit, open.next_attempt_at), (ReadingKind::Skipped, Circuit::Open, None));
    kit.memory_mut().state.reset_circuit();
    assert_eq!(kit.read(FEED).await.kind, ReadingKind::Ok);
}
