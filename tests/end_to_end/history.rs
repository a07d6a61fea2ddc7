//! What the next run shows: only what is new, each article once, and what failed again.

use headwater_tests::site::{Answer, Site};

use crate::kit::{Headwater, article, items, paths, rss, site};

#[test]
fn the_next_run_shows_only_what_is_new_and_says_so() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    assert_eq!(paths(&headwater.digest(&[&site.url("/")])), ["/1", "/2", "/3"]);
    site.set("/", rss(&items(&site, &[4, 1, 2, 3])));
    let second = headwater.digest(&[&site.url("/")]);
    assert_eq!(paths(&second), ["/4"]);
    assert_eq!(second["counts"]["known"], 3);
    let third = headwater.run(&[&site.url("/")]);
    assert_eq!(third.status, 0);
    assert!(third.out.contains("Nothing new from 1 source."), "{third:?}");
}

#[test]
fn without_urls_the_sources_of_the_store_are_read() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    headwater.digest(&[&site.url("/"), "--max-links", "1"]);
    assert_eq!(paths(&headwater.digest(&[])), ["/2", "/3"]);
}

#[test]
fn an_article_that_fails_is_tried_three_times_and_comes_when_it_can_be_read() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    site.set("/2", Answer::status(500));
    site.set("/3", Answer::status(500));
    for attempt in 1..=2 {
        let digest = headwater.digest(&[&site.url("/")]);
        assert_eq!(digest["failed_articles"][0]["attempts"], attempt);
        assert_eq!(digest["failed_articles"][0]["error"]["code"], "http_status");
        assert_eq!(digest["failed_articles"][0]["retried"], true);
    }
    site.set("/2", article("Article 2"));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(paths(&digest), ["/2"]);
    assert_eq!(digest["failed_articles"][0]["retried"], false);
    site.take_requests();
    headwater.digest(&[&site.url("/")]);
    assert_eq!(site.take_requests(), ["/"]);
}

#[test]
fn the_feeds_own_text_stands_in_for_a_page_that_cannot_be_read() {
    let (headwater, site) = (Headwater::new(), site());
    let text = "The feed carries the whole story of the mill in words of its own. ".repeat(8);
    let item = |number: usize, body: &str| {
        format!(
            "<item><title>T{number}</title><link>/{number}</link><description><![CDATA[<p>{body}</p>]]></description></item>"
        )
    };
    site.set("/", rss(&[item(1, &text), item(2, "Too short."), item(3, "Not needed.")]));
    site.set("/1", Answer::html("<html><body><div id='app'></div><script src='/app.js'></script></body></html>"));
    site.set("/2", Answer::status(403));
    let digest = headwater.digest(&[&site.url("/")]);
    assert_eq!(paths(&digest), ["/1", "/3"]);
    assert_eq!(digest["failed_articles"][0]["url"], site.url("/2"));
    let own = digest["articles"].as_array().unwrap().iter().find(|one| one["title"] == "T1").unwrap();
    assert!(own["content_markdown"].as_str().unwrap().starts_with("The feed carries the whole story"));
}

#[test]
fn an_article_of_several_sources_is_shown_once_and_names_them() {
    let (headwater, first, second) = (Headwater::new(), site(), site());
    first.set("/", rss(&items(&first, &[1, 2, 3])));
    second.set("/", rss(&[items(&first, &[2]), items(&second, &[1, 5, 6])].concat()));
    let digest = headwater.digest(&[&first.url("/"), &second.url("/")]);
    let named = |path: &str, site: &Site| {
        let url = site.url(path);
        digest["articles"].as_array().unwrap().iter().find(|one| one["url"] == url.as_str()).cloned()
    };
    assert_eq!(named("/2", &first).unwrap()["also_in"][0], second.url("/"), "the same URL");
    assert_eq!(named("/1", &first).unwrap()["also_in"][0], second.url("/"), "the same text elsewhere");
    assert!(named("/1", &second).is_none());
    assert_eq!(digest["counts"]["kept"], 5);
    assert_eq!(digest["counts"]["merged"], 1);
    assert_eq!(digest["counts"]["repeated"], 1);
}

#[test]
fn a_text_that_turns_up_elsewhere_later_is_not_shown_again_within_the_window() {
    let (headwater, first, second) = (Headwater::new(), site(), site());
    first.set("/", rss(&items(&first, &[1, 2, 3])));
    headwater.digest_at("2026-05-20T12:00:00Z", &[&first.url("/")]);
    second.set("/", rss(&items(&second, &[1, 2, 4])));
    let digest = headwater.digest_at("2026-05-25T12:00:00Z", &[&second.url("/")]);
    assert_eq!((paths(&digest), digest["counts"]["merged"].as_u64()), (vec!["/4".to_owned()], Some(2)));

    let third = site();
    third.set("/", rss(&items(&third, &[3, 4, 5])));
    let digest = headwater.digest_at("2026-06-20T12:00:00Z", &[&third.url("/")]);
    assert_eq!(paths(&digest), ["/3", "/5"], "31 days after the first run, 26 after the second");
    let fourth = site();
    fourth.set("/", rss(&items(&fourth, &[3, 4, 5])));
    let set = ["--set", "run.near_duplicate_days=0"];
    let digest = headwater.digest_at("2026-06-20T13:00:00Z", &[&[fourth.url("/").as_str()][..], &set].concat());
    assert_eq!(paths(&digest).len(), 3);
}

#[test]
fn a_run_over_the_same_web_gives_the_same_digest() {
    let sites: Vec<Site> = (0..6).map(|_| site()).collect();
    for site in &sites {
        site.set("/", rss(&items(site, &[1, 2, 3, 4])));
    }
    let urls: Vec<String> = sites.iter().map(|site| site.url("/")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let run = || {
        let mut digest = Headwater::new().digest(&urls);
        digest.as_object_mut().unwrap().remove("run_id");
        digest
    };
    assert_eq!(run(), run());
}

#[test]
fn what_is_older_than_is_kept_goes_at_the_end_of_a_run() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let url = site.url("/");
    let kept = |now: &str, settings: &[&str]| {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let arguments: Vec<&str> = settings.chain([url.as_str(), "--json"]).collect();
        let ended = headwater.run_at(now, &arguments);
        assert_eq!(ended.status, 0, "{ended:?}");
        paths(&ended.json()).len()
    };
    assert_eq!(kept("2026-05-20T12:00:00Z", &[]), 3);
    assert_eq!(kept("2026-05-25T12:00:00Z", &["store.keep_history_days=30"]), 0, "nothing is old yet");
    assert_eq!(kept("2026-07-20T12:00:00Z", &["store.keep_history_days=30", "store.keep_runs_days=60"]), 0);
    assert_eq!(kept("2026-07-21T12:00:00Z", &[]), 3, "what is forgotten is new again");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(["digest", "list", "--json", "--store"]);
    let output = command.arg(format!("sqlite:{}", headwater.path("store.db").display())).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list["runs"].as_array().map(Vec::len), Some(3), "the first run is gone, since 61 days lie between");
}

#[test]
fn an_earlier_digest_can_be_shown_again() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let shown = headwater.run(&[&site.url("/")]).out;
    headwater.run_at("2026-05-21T12:00:00Z", &[&site.url("/")]);
    let digest = |arguments: &[&str]| {
        let store = format!("sqlite:{}", headwater.path("store.db").display());
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_headwater"));
        let output = command.arg("digest").args(arguments).args(["--store", &store]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let list: serde_json::Value = serde_json::from_str(&digest(&["list", "--json"])).unwrap();
    let kept: Vec<u64> = list["runs"].as_array().unwrap().iter().map(|run| run["kept"].as_u64().unwrap()).collect();
    assert_eq!(kept, [0, 3], "newest first");
    assert_eq!(digest(&["show", list["runs"][1]["run_id"].as_str().unwrap()]), shown);
    assert!(digest(&["show", "--format", "markdown"]).contains("Nothing new from 1 source."));
}
