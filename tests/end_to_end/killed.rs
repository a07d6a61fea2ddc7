//! What a kill -9 at any point costs: nothing that the next run does not make good.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::time::Duration;

use headwater_tests::site::{Answer, Site};

use crate::kit::{Headwater, NOW, article, item, rss};

/// Sources, each with a feed.
const SOURCES: usize = 4;

/// Articles that each source has at first; one more in every round.
const ARTICLES: usize = 4;

const KILLS: usize = 20;

#[test]
fn killed_at_20_random_points_the_next_run_neither_repeats_nor_loses_an_article() {
    let (headwater, site) = (Headwater::new(), Site::start().unwrap());
    let urls: Vec<String> = (0..SOURCES).map(|source| site.url(&format!("/feed{source}"))).collect();
    let arguments: Vec<&str> = urls.iter().map(String::as_str).chain(["--json"]).collect();
    let mut chance = 0x9E37_79B9_7F4A_7C15_u64;
    let mut kills = 0;
    for round in 0..KILLS {
        publish(&site, ARTICLES + round);
        site.take_requests();
        let mut child = headwater.command(NOW, &arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
        // At some request, or some time after the last one, when the store is being written.
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at_request = usize::try_from(chance >> 33).unwrap() % (SOURCES * (ARTICLES + 2)) + 1;
        let later = Duration::from_micros(chance >> 20 & 0x7FFF);
        while site.requests() < at_request && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(later);
        child.kill().unwrap();
        kills += usize::from(child.wait().unwrap().code().is_none());
    }
    assert!(kills >= KILLS / 2, "only {kills} runs were still going on when they were killed");

    for _ in 0..3 {
        let ended = headwater.run(&arguments);
        assert_eq!(ended.status, 0, "{ended:?}");
    }
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    let runs = headwater.other(&["digest", "list", "--limit", "1000", "--json"]).json();
    for run in runs["runs"].as_array().unwrap() {
        let digest = headwater.other(&["digest", "show", run["run_id"].as_str().unwrap(), "--format", "json"]).json();
        for article in digest["articles"].as_array().unwrap() {
            *shown.entry(article["url"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    let published = (0..SOURCES).flat_map(|source| (0..ARTICLES + KILLS - 1).map(move |number| path(source, number)));
    let expected: BTreeMap<String, usize> = published.map(|path| (site.url(&path), 1)).collect();
    assert_eq!(shown, expected);
}

/// Sets so many articles of each source, and its feed with an entity tag.
fn publish(site: &Site, articles: usize) {
    for source in 0..SOURCES {
        for number in 0..articles {
            site.set(&path(source, number), article(&format!("Story {source} {number} {}", words(source, number))));
        }
        // The newest first, and few enough that a run which was killed too often would lose the oldest.
        let items: Vec<String> = (0..articles).rev().map(|number| item(&site.url(&path(source, number)), "")).collect();
        let feed: Answer = rss(&items).header("etag", &format!("\"{articles}\""));
        site.set(&format!("/feed{source}"), feed);
    }
}

fn path(source: usize, number: usize) -> String {
    format!("/{source}/{number}")
}

/// Words of its own, so that no two articles are taken for copies.
fn words(source: usize, number: usize) -> String {
    (0..12).map(|word| format!("w{source}x{number}x{word} ")).collect()
}
