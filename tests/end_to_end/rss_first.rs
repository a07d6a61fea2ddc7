//! The RSS-first rule, test by test: which feed is found, what is taken from it, and when HTML stands in.

use headwater_tests::site::Answer;

use crate::kit::{Headwater, home, item, items, paths, paths_in_order, rss, site};

#[test]
fn rss_2_0() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "feed");
    assert_eq!(digest["articles"][0]["found_via"], "feed");
    assert_eq!(paths(&digest), ["/1", "/2", "/3"]);
    let text = digest["articles"][0]["content_markdown"].as_str().unwrap();
    assert!(text.contains("the mill by the river was rebuilt"), "{text}");
}

#[test]
fn atom() {
    let (headwater, site) = (Headwater::new(), site());
    let entry = |number: usize| {
        format!(
            "<entry><id>urn:x:{number}</id><title>Entry {number}</title><updated>2026-05-0{number}T00:00:00Z</updated>\
             <link href='/{number}'/></entry>"
        )
    };
    let entries: String = (1..=4).map(entry).collect();
    let feed = format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>A</title><id>urn:x</id>{entries}</feed>");
    site.set("/", Answer::of("application/atom+xml", feed));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "feed");
    assert_eq!(paths_in_order(&digest), ["/4", "/3", "/2", "/1"]);
    assert_eq!(digest["articles"][0]["published_at"], "2026-05-04T00:00:00Z");
}

#[test]
fn html_with_link() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "feed");
    assert_eq!(digest["sources"][0]["feed_url"], site.url("/feed.xml"));
    assert_eq!(paths(&digest), ["/1", "/2", "/3"]);
}

#[test]
fn html_without_link() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("", &[4, 5, 6, 7]));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "html");
    assert_eq!(digest["sources"][0]["fallback_reason"], "no feed was found");
    assert_eq!(digest["articles"][0]["found_via"], "html");
    assert_eq!(paths(&digest), ["/4", "/5", "/6", "/7"]);
}

#[test]
fn direct_feed_costs_one_request_whatever_its_label() {
    for label in ["application/rss+xml", "text/xml", "text/plain", "application/octet-stream", "text/html"] {
        let (headwater, site) = (Headwater::new(), site());
        let feed = format!("<rss version='2.0'><channel>{}</channel></rss>", items(&site, &[1, 2, 3]).concat());
        site.set("/", Answer::of(label, feed));
        let digest = headwater.digest(&[&site.url("/"), "--max-links", "0"]);
        assert_eq!(digest["sources"][0]["outcome"], "feed", "{label}: {digest}");
        assert_eq!(digest["sources"][0]["links"], 3, "{label}");
        assert_eq!(site.take_requests(), ["/"], "{label}");
        headwater.digest(&[&site.url("/"), "--max-links", "0"]);
        assert_eq!(site.take_requests(), ["/"], "{label}: the second run too");
    }
}

#[test]
fn malformed_feed_is_repaired_and_a_hopeless_one_gives_way() {
    let (headwater, site) = (Headwater::new(), site());
    let broken = items(&site, &[1, 2, 3]).concat().replace("<title>", "<title>Mills & more &nbsp; ");
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", Answer::of("application/rss+xml", format!("<rss><channel>{broken}<item><title>cut of")));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "feed");
    assert_eq!(paths(&digest), ["/1", "/2", "/3"]);

    let (headwater, site) = (Headwater::new(), self::site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", Answer::of("application/rss+xml", "{ this is \u{0} nothing"));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "html");
    assert_eq!(paths(&digest), ["/7", "/8", "/9"]);
}

#[test]
fn a_feed_that_does_not_parse_gives_way_to_the_next_one() {
    let (headwater, site) = (Headwater::new(), site());
    let page = "<html><head><link rel='alternate' type='application/rss+xml' href='/bad.xml'>\
                <link rel='alternate' type='application/atom+xml' href='/comments' title='Comments'>\
                <link rel='alternate' type='application/rss+xml' href='/good.xml'></head><body></body></html>";
    site.set("/", Answer::html(page));
    site.set("/bad.xml", Answer::html("<html><body>Not here</body></html>"));
    site.set("/comments", rss(&items(&site, &[7, 8, 9])));
    site.set("/good.xml", rss(&items(&site, &[1, 2, 3])));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["feed_url"], site.url("/good.xml"));
    assert_eq!(paths(&digest), ["/1", "/2", "/3"]);
}

#[test]
fn sorting_is_newest_first_with_undated_entries_last() {
    let (headwater, site) = (Headwater::new(), site());
    let dates = [
        (1, "Mon, 04 May 2026 08:00:00 GMT"),
        (2, ""),
        (3, "Wed, 20 May 2026 06:00:00 GMT"),
        (4, "Fri, 19 Jun 2026 06:00:00 GMT"),
        (5, "Wed, 06 May 2026 08:00:00 +0200"),
    ];
    let items: Vec<String> = dates.iter().map(|(number, date)| item(&site.url(&format!("/{number}")), date)).collect();
    site.set("/", rss(&items));
    let digest = headwater.digest(&[&site.url("/"), "--max-links", "3"]);
    assert_eq!(paths_in_order(&digest), ["/3", "/5", "/1"], "the one that is a month ahead counts as undated");
    let digest = headwater.digest(&[&site.url("/"), "--max-links", "3"]);
    assert_eq!(paths_in_order(&digest), ["/2", "/4"], "history is applied before the cut");
}

#[test]
fn fresh_cache() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    headwater.digest_at("2026-05-20T12:00:00Z", &[&site.url("/"), "--max-links", "0"]);
    assert_eq!(site.take_requests(), ["/", "/feed.xml"]);
    headwater.digest_at("2026-06-19T11:59:59Z", &[&site.url("/"), "--max-links", "0"]);
    assert_eq!(site.take_requests(), ["/feed.xml"]);
}

#[test]
fn stale_cache() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    let run = |now| {
        headwater.digest_at(now, &[&site.url("/"), "--max-links", "0"]);
        site.take_requests()
    };
    assert_eq!(run("2026-05-20T12:00:00Z"), ["/", "/feed.xml"]);
    assert_eq!(run("2026-06-19T12:00:00Z"), ["/", "/feed.xml"], "thirty days are stale, and touch the date");
    assert_eq!(run("2026-07-19T11:00:00Z"), ["/feed.xml"]);
    assert_eq!(run("2026-05-01T00:00:00Z"), ["/", "/feed.xml"], "a date in the future is stale");
}

#[test]
fn stale_cache_survives_a_site_that_cannot_be_asked_but_not_one_without_a_feed() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    let run = |now| headwater.digest_at(now, &[&site.url("/"), "--max-links", "0"]);
    run("2026-01-01T00:00:00Z");
    site.set("/", Answer::status(503));
    assert_eq!(run("2026-03-01T00:00:00Z")["sources"][0]["outcome"], "feed");
    site.set("/", home("", &[7, 8, 9]));
    assert_eq!(run("2026-03-01T00:00:00Z")["sources"][0]["outcome"], "html");
    site.take_requests();
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    assert_eq!(run("2026-03-02T00:00:00Z")["sources"][0]["outcome"], "feed");
    assert_eq!(site.take_requests(), ["/", "/feed.xml"], "the feed had been forgotten");
}

#[test]
fn changed_cache() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/old.xml", &[7, 8, 9]));
    site.set("/old.xml", rss(&items(&site, &[1, 2, 3])));
    headwater.digest_at("2026-01-01T00:00:00Z", &[&site.url("/"), "--max-links", "0"]);
    site.set("/", home("/new.xml", &[7, 8, 9]));
    site.set("/new.xml", rss(&items(&site, &[4, 5, 6])));
    let digest = headwater.digest_at("2026-03-01T00:00:00Z", &[&site.url("/")]);
    assert_eq!(digest["sources"][0]["feed_url"], site.url("/new.xml"));
    assert_eq!(paths(&digest), ["/4", "/5", "/6"]);
    site.take_requests();
    headwater.digest_at("2026-03-02T00:00:00Z", &[&site.url("/"), "--max-links", "0"]);
    assert_eq!(site.take_requests(), ["/new.xml"]);
}

#[test]
fn cached_feed_url_that_returns_404_is_rediscovered_in_the_same_run() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/old.xml", &[7, 8, 9]));
    site.set("/old.xml", rss(&items(&site, &[1, 2, 3])));
    headwater.digest(&[&site.url("/"), "--max-links", "0"]);
    site.set("/old.xml", Answer::status(404));
    site.set("/", home("/new.xml", &[7, 8, 9]));
    site.set("/new.xml", rss(&items(&site, &[4, 5, 6])));
    assert_eq!(paths(&headwater.digest(&[&site.url("/")])), ["/4", "/5", "/6"]);
}

#[test]
fn cached_feed_url_that_fails_for_the_moment_is_kept() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    headwater.digest(&[&site.url("/"), "--max-links", "0"]);
    site.set("/feed.xml", Answer::status(500));
    let digest = headwater.digest(&[&site.url("/"), "--max-links", "0"]);
    assert_eq!(digest["sources"][0]["outcome"], "html");
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    site.take_requests();
    headwater.digest(&[&site.url("/"), "--max-links", "0"]);
    assert_eq!(site.take_requests(), ["/feed.xml"]);
}

#[test]
fn announced_feed_url_that_returns_404() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/gone.xml", &[7, 8, 9]));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "html");
    let reason = digest["sources"][0]["fallback_reason"].as_str().unwrap();
    assert!(reason.contains("404"), "{reason}");
    assert_eq!(paths(&digest), ["/7", "/8", "/9"]);
}

#[test]
fn feed_with_0_entries() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&[]));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "html");
    assert_eq!(digest["sources"][0]["fallback_reason"], "the feed has no usable entries");
    assert_eq!(paths(&digest), ["/7", "/8", "/9"]);
}

#[test]
fn feed_with_fewer_than_3_entries_falls_back_unless_html_has_fewer_still() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2])));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "html");
    assert_eq!(paths(&digest), ["/7", "/8", "/9"]);

    let (headwater, site) = (Headwater::new(), self::site());
    site.set("/", home("/feed.xml", &[]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2])));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["outcome"], "feed");
    assert_eq!(paths(&digest), ["/1", "/2"]);
}

#[test]
fn the_threshold_is_counted_before_max_links() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    let digest = headwater.digest(&[&site.url("/"), "--max-links", "2"]);
    assert_eq!(digest["sources"][0]["outcome"], "feed");
    assert_eq!(paths(&digest), ["/1", "/2"]);
}

#[test]
fn feed_with_duplicate_urls() {
    let (headwater, site) = (Headwater::new(), site());
    let mut items = items(&site, &[1, 1, 2, 3]);
    items.push(item(&site.url("/2?utm_source=feed"), ""));
    items.push(item(&site.url("/3#comments"), ""));
    site.set("/", rss(&items));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(digest["sources"][0]["links"], 3);
    assert_eq!(paths(&digest), ["/1", "/2", "/3"]);
    let mut requests = site.take_requests();
    requests.sort();
    assert_eq!(requests, ["/", "/1", "/2", "/3"]);
}

#[test]
fn feed_of_which_too_many_entries_are_the_same_falls_back() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 1, 1, 2])));
    assert_eq!(headwater.digest(&[&site.url("/")])["sources"][0]["outcome"], "html");
}

#[test]
fn feed_with_relative_urls() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/deep/blog", home("feeds/rss.xml", &[]));
    let items = [item("/1", ""), item("../../2", ""), item("three", "")];
    site.set("/deep/feeds/rss.xml", rss(&items));
    site.set("/deep/feeds/three", crate::kit::article("Three"));
    let digest = headwater.digest(&[&site.url("/deep/blog")]);
    assert_eq!(paths(&digest), ["/1", "/2", "/deep/feeds/three"]);
}

#[test]
fn only_a_permanent_redirect_moves_the_stored_feed() {
    for (status, asked) in [(301, "/moved.xml"), (302, "/feed.xml")] {
        let (headwater, site) = (Headwater::new(), site());
        site.set("/", home("/feed.xml", &[]));
        site.set("/feed.xml", Answer::redirect(status, &site.url("/moved.xml")));
        site.set("/moved.xml", rss(&items(&site, &[1, 2, 3])));
        headwater.digest(&[&site.url("/"), "--max-links", "0"]);
        site.take_requests();
        headwater.digest(&[&site.url("/"), "--max-links", "0"]);
        assert_eq!(site.take_requests()[0], asked, "{status}");
    }
}
