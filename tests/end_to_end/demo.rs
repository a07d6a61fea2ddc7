//! Does the demo show a newcomer the whole of phase 1, and does its second run find nothing new?

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const NOW: &str = "2026-11-30T12:00:00Z";

/// Runs the demo with a home of its own.
fn demo(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.arg("demo").args(["--now", NOW]).args(args);
    command.env_clear().env("HOME", home).env("XDG_DATA_HOME", home.join("data"));
    command.output().expect("the binary was built")
}

/// Runs the demo for its JSON.
fn json(home: &Path, args: &[&str]) -> Value {
    let output = demo(home, &[&["--json"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document and nothing else")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn host(url: &str) -> &str {
    url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap_or_default()
}

#[test]
fn the_first_run_shows_a_digest_and_the_second_nothing_new() {
    let home = tempfile::tempdir().unwrap();
    let first = demo(home.path(), &[]);
    let shown = String::from_utf8(first.stdout).unwrap();
    assert_eq!(first.status.code(), Some(0), "{shown}");
    assert!(shown.contains("The case for the boring bicycle") && shown.contains("The sound of new ice"), "{shown}");
    let digest = home.path().join("data/headwater/demo-digest.html");
    assert!(shown.contains(&format!("The digest was written to {}", digest.display())), "{shown}");
    let page = fs::read_to_string(&digest).unwrap();
    assert!(page.contains("The case for the boring bicycle"));

    let second = demo(home.path(), &[]);
    let shown = String::from_utf8(second.stdout).unwrap();
    assert_eq!(second.status.code(), Some(0), "{shown}");
    assert!(shown.contains("Nothing is new") && !shown.contains("boring bicycle"), "{shown}");
    assert_eq!(fs::read_to_string(&digest).unwrap(), page, "the digest of the first run stays");
}

#[test]
fn every_kind_of_source_is_read_as_it_should_be() {
    let home = tempfile::tempdir().unwrap();
    let digest = json(home.path(), &[]);
    let sources: BTreeMap<_, _> =
        digest["sources"].as_array().unwrap().iter().map(|source| (host(text(source, "url")), source)).collect();
    let outcomes: Vec<_> = sources.iter().map(|(host, source)| (*host, text(source, "outcome"))).collect();
    let expected = [
        ("bench.demo.test", "feed"),
        ("crumb.demo.test", "html"),
        ("darksky.demo.test", "feed"),
        ("fifthrank.demo.test", "feed"),
        ("harbour.demo.test", "failed"),
        ("icenotes.demo.test", "feed"),
        ("letters.demo.test", "html"),
        ("oldtrees.demo.test", "feed"),
        ("slowgrid.demo.test", "feed"),
        ("twowheels.demo.test", "feed"),
    ];
    assert_eq!(outcomes, expected);
    assert_eq!(sources["harbour.demo.test"]["error"]["code"], "http_status");
    assert_eq!(sources["oldtrees.demo.test"]["feed_url"], "http://canopy.demo.test/news/feed");
    assert_eq!(sources["crumb.demo.test"]["links"], 7, "two entries are too few, and the page has seven links");
    assert_eq!(digest["counts"]["scraped"], 63);
    assert_eq!(digest["unmet_topics"], serde_json::json!(["Volcanoes"]));
}

#[test]
fn articles_come_from_many_sites_and_hold_the_text_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let digest = json(home.path(), &[]);
    let articles = digest["articles"].as_array().unwrap();
    let hosts: BTreeSet<_> = articles.iter().map(|article| host(text(article, "url"))).collect();
    assert!(hosts.len() >= 6, "{hosts:?}");
    for article in articles {
        let content = text(article, "content_markdown");
        assert!(content.len() > 600, "{article}");
        for around in ["cookies", "Share this", "Most read", "First!", "You may also like", "All rights reserved"] {
            assert!(!content.contains(around), "{around:?} stands in {}", text(article, "url"));
        }
        assert!(text(article, "published_at") < NOW, "{article}");
    }
    let found = |url: &str| articles.iter().find(|article| text(article, "url") == url).unwrap();
    let rook = found("http://fifthrank.demo.test/games/the-rook-belongs-behind.html");
    assert_eq!(rook["title"], "The rook belongs behind the pawn, & other things I was told");
    let planes = found("http://twowheels.demo.test/stories/the-plane-trees-of-the-ring-path.html");
    assert_eq!(planes["topic"], "City trees", "an article goes where its subject belongs, wherever it stood");
}

#[test]
fn the_same_moment_gives_the_same_digest() {
    let digests = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()].map(|home| {
        let mut digest = json(home.path(), &["--store", "sqlite::memory:"]);
        digest["run_id"].take();
        digest
    });
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn a_second_run_knows_every_article() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("digest.md");
    let args =
        ["--store", &format!("sqlite:{}", home.path().join("mine.db").display()), "--out", &out.display().to_string()];
    json(home.path(), &args);
    assert!(fs::read_to_string(&out).unwrap().contains("# "), "the ending says which form the digest has");
    let second = json(home.path(), &args);
    assert_eq!((&second["counts"]["known"], &second["counts"]["scraped"]), (&Value::from(63), &Value::from(0)));
    assert_eq!(second["articles"], serde_json::json!([]));
}
