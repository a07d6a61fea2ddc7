//! What a run does not ask for: what did not change, what is not due, and what is to be left alone.

use headwater_tests::site::{Answer, Site};
use serde_json::Value;

use crate::kit::{Headwater, article, home, items, paths, rss, site};

/// A feed of these articles, with an entity tag.
fn tagged(site: &Site, numbers: &[usize], tag: &str) -> Answer {
    rss(&items(site, numbers)).header("etag", tag)
}

/// The one source of a digest.
fn source(digest: &Value) -> &Value {
    &digest["sources"][0]
}

#[test]
fn a_second_run_costs_a_304_and_says_that_nothing_is_new() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", tagged(&site, &[1, 2, 3], "\"one\""));
    headwater.digest(&[&site.url("/")]);
    site.take_requests();
    let second = headwater.digest_at("2026-05-21T12:00:00Z", &[]);
    assert_eq!(site.take_requests(), ["/feed.xml 304"]);
    assert_eq!(
        (source(&second)["outcome"].as_str(), source(&second)["unchanged"].as_bool()),
        (Some("feed"), Some(true))
    );
    assert!(source(&second)["next_attempt_at"].as_str() > Some("2026-05-21T12"), "{second}");
    site.set("/feed.xml", tagged(&site, &[4, 1, 2, 3], "\"two\""));
    assert_eq!(paths(&headwater.digest_at("2026-05-23T12:00:00Z", &[])), ["/4"]);
}

#[test]
fn a_source_that_is_a_feed_with_a_passkey_costs_a_304_too() {
    let (headwater, site) = (Headwater::new(), site());
    let path = "/feed?passkey=0123456789abcdef0123456789abcdef";
    site.set(path, tagged(&site, &[1, 2, 3], "\"one\""));
    headwater.digest(&[&site.url(path)]);
    site.take_requests();
    headwater.digest(&[&site.url(path)]);
    assert_eq!(site.take_requests(), [format!("{path} 304")]);
}

#[test]
fn a_source_that_is_not_due_is_skipped_but_not_one_that_is_named() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    headwater.digest(&[&site.url("/")]);
    site.take_requests();
    let ended = headwater.run_at("2026-05-20T12:05:00Z", &["--json"]);
    let digest = ended.json();
    assert_eq!((ended.status, site.take_requests().len()), (0, 0));
    assert_eq!(source(&digest)["outcome"], "skipped");
    assert_eq!(source(&digest)["fallback_reason"], "it is not due yet");
    assert!(source(&digest)["next_attempt_at"].as_str() > Some("2026-05-20T12:30"), "{digest}");
    for arguments in [&[site.url("/").as_str()][..], &["--refresh"]] {
        headwater.digest_at("2026-05-20T12:06:00Z", arguments);
        assert_eq!(site.take_requests(), ["/"], "{arguments:?}");
    }
}

#[test]
fn a_host_that_asks_for_less_is_left_alone_even_if_it_is_named() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    headwater.digest(&[&site.url("/")]);
    site.set("/", Answer::status(429).header("retry-after", "7200"));
    let run = |now: &str| headwater.run_at(now, &[&site.url("/"), "--json"]);
    let ended = run("2026-05-21T12:00:00Z");
    let digest = ended.json();
    assert_eq!((ended.status, source(&digest)["outcome"].as_str()), (0, Some("skipped")), "{digest}");
    let next = source(&digest)["next_attempt_at"].as_str();
    assert!(next >= Some("2026-05-21T14:00"), "{digest}");
    site.take_requests();
    let digest = run("2026-05-21T13:00:00Z").json();
    assert!(site.take_requests().is_empty());
    assert_eq!(source(&digest)["fallback_reason"], "the server asked to be left alone for a while");
    site.set("/", rss(&items(&site, &[4, 1, 2, 3])));
    assert_eq!(paths(&run("2026-05-21T14:30:00Z").json()), ["/4"]);
}

#[test]
fn a_site_that_fails_is_left_alone_longer_and_longer_and_can_be_asked_by_hand() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", Answer::status(500));
    let first = headwater.digest_at("2026-05-20T12:00:00Z", &[&site.url("/")]);
    assert_eq!(source(&first)["outcome"], "failed");
    assert!(source(&first)["next_attempt_at"].as_str() >= Some("2026-05-20T12:01:00"), "{first}");
    site.take_requests();
    let early = headwater.digest_at("2026-05-20T12:00:30Z", &[]);
    assert_eq!((source(&early)["outcome"].as_str(), site.take_requests().len()), (Some("skipped"), 0));
    assert!(source(&early)["fallback_reason"].as_str().unwrap().starts_with("it failed once"), "{early}");
    site.set("/", home("", &[1, 2, 3, 4]));
    let by_hand = headwater.digest_at("2026-05-20T12:00:40Z", &[&site.url("/")]);
    assert_eq!(paths(&by_hand).len(), 4);
}

#[test]
fn the_page_stands_in_while_a_failing_feed_is_left_alone() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    headwater.digest_at("2026-05-20T12:00:00Z", &[&site.url("/")]);
    site.set("/feed.xml", Answer::status(500));
    headwater.digest_at("2026-05-21T12:00:00Z", &[]);
    site.set("/", home("/feed.xml", &[6, 7, 8, 9]));
    site.take_requests();
    let digest = headwater.digest_at("2026-05-21T12:00:30Z", &[]);
    assert_eq!(site.take_requests(), ["/", "/6"]);
    assert_eq!(source(&digest)["outcome"], "html");
    assert!(source(&digest)["fallback_reason"].as_str().unwrap().contains("it failed once"), "{digest}");
}

#[test]
fn what_was_left_over_is_not_hidden_behind_a_304() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", tagged(&site, &[1, 2, 3, 4, 5], "\"one\""));
    let run = || paths(&headwater.digest(&["--max-links", "2", "--set", "fetch.interval_s=3600"]));
    assert_eq!(paths(&headwater.digest(&[&site.url("/"), "--max-links", "2"])), ["/1", "/2"]);
    assert_eq!((run(), run()), (vec!["/3".to_owned(), "/4".to_owned()], vec!["/5".to_owned()]));
    site.take_requests();
    assert!(run().is_empty());
    assert!(site.take_requests().is_empty(), "all is done, and it is not due");
}

#[test]
fn an_article_that_failed_is_tried_three_times_though_its_feed_does_not_change() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", tagged(&site, &[1, 2, 3], "\"one\""));
    site.set("/2", Answer::status(500));
    site.set("/3", Answer::status(500));
    headwater.digest(&[&site.url("/")]);
    headwater.digest(&[]);
    site.set("/2", article("Article 2"));
    let third = headwater.digest(&[]);
    assert_eq!(paths(&third), ["/2"]);
    assert_eq!(third["failed_articles"][0]["attempts"], 3);
    site.take_requests();
    headwater.digest(&[&site.url("/")]);
    assert_eq!(site.take_requests(), ["/ 304"], "given up, and nothing is left");
}

#[test]
fn a_feed_that_is_too_short_is_read_beside_its_page_each_time() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", tagged(&site, &[1, 2], "\"one\""));
    headwater.digest(&[&site.url("/")]);
    site.set("/", home("/feed.xml", &[6, 7, 8, 9]));
    assert_eq!(paths(&headwater.digest(&[])), ["/6"], "the feed did not change, and its page did");
}
