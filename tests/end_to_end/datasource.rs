//! Does `headwater datasource` drive connectors as the contract says, without telling a secret?

use std::fs;
use std::process::Command;

use headwater_tests::site::{Answer, Site};
use serde_json::{Value, json};

use crate::kit::{Ended, Headwater, article};

/// Runs a command of the group.
fn run(home: &Headwater, arguments: &[&str]) -> Ended {
    let output = Command::new(env!("CARGO_BIN_EXE_headwater"))
        .arg("datasource")
        .args(arguments)
        .args(["--allow", "127.0.0.1"])
        .current_dir(home.path(""))
        .env_clear()
        .env("HOME", home.path(""))
        .output();
    Ended::of(output.expect("the binary runs"))
}

/// The events of a fetch.
fn events(ended: &Ended) -> Vec<Value> {
    ended.out.lines().map(|line| serde_json::from_str(line).expect("a line is a document")).collect()
}

fn of_kind<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

fn fetch(home: &Headwater, more: &[&str]) -> (Ended, Vec<Value>) {
    let ended = run(home, &[&["fetch", "--config", "source.json", "--json"], more].concat());
    let events = events(&ended);
    (ended, events)
}

fn folder() -> Headwater {
    let home = Headwater::new();
    fs::create_dir_all(home.path("notes/deep")).expect("the folder can be written");
    home.write("notes/a.md", "# A");
    home.write("notes/deep/b.md", "# B");
    let root = home.path("notes");
    home.write("source.json", json!({ "type": "folder", "settings": { "root": root } }).to_string());
    home
}

#[test]
fn types_are_listed_with_what_they_can_do() {
    let types = run(&Headwater::new(), &["types", "--json"]).json();
    let names: Vec<_> = types.as_array().unwrap().iter().map(|known| known["type"].as_str().unwrap()).collect();
    assert!(names.contains(&"rss") && names.contains(&"folder"), "{names:?}");
    let priorities: Vec<_> =
        types.as_array().unwrap().iter().map(|known| known["priority"].as_u64().unwrap()).collect();
    assert!(priorities.is_sorted(), "{priorities:?}");
    assert_eq!(types[0]["capabilities"], json!(["incremental"]));
}

#[test]
fn a_folder_is_fetched_once_and_then_only_what_changed() {
    let home = folder();
    let more = ["--cursor", "cursor.json", "--into", "out"];
    let (ended, first) = fetch(&home, &more);
    assert_eq!(ended.status, 0, "{ended:?}");
    let item = of_kind(&first, "item")[1];
    assert_eq!(
        (&item["external_id"], &item["file_name"], &item["path"]),
        (&json!("deep/b.md"), &json!("b.md"), &json!(["deep"]))
    );
    assert_eq!((&item["size_bytes"], &item["is_deleted"]), (&json!(3), &json!(false)));
    assert_eq!(item["sha256"].as_str().map(str::len), Some(64));
    let end = first.last().unwrap();
    assert_eq!(
        (&end["event"], &end["outcome"], &end["counts"]["created"]),
        (&json!("end"), &json!("success"), &json!(2))
    );
    assert!(!of_kind(&first, "checkpoint").is_empty());
    assert_eq!(fs::read_to_string(home.path("out/deep/b.md")).unwrap(), "# B");

    let (_, second) = fetch(&home, &more);
    assert!(of_kind(&second, "item").is_empty());
    assert_eq!(second.last().unwrap()["counts"]["unchanged"], json!(2));

    home.write("notes/a.md", "# A, edited");
    fs::remove_file(home.path("notes/deep/b.md")).unwrap();
    let (_, third) = fetch(&home, &more);
    let counts = &third.last().unwrap()["counts"];
    assert_eq!((&counts["updated"], &counts["deleted"]), (&json!(1), &json!(1)));
    assert_eq!(fs::read_to_string(home.path("out/a.md")).unwrap(), "# A, edited");
    assert!(!home.path("out/deep/b.md").exists());

    let (_, full) = fetch(&home, &[&more[..], &["--full"]].concat());
    assert_eq!(of_kind(&full, "item").len(), 1, "everything is read again");
}

#[test]
fn a_feed_is_fetched_with_its_articles_and_asked_conditionally_afterwards() {
    let site = Site::start().expect("a port is free");
    let entry = |number: u32| {
        let link = site.url(&format!("/{number}"));
        format!("<item><title>Article {number}</title><link>{link}</link><guid>{link}</guid></item>")
    };
    let feed = format!("<rss version='2.0'><channel><title>Mill</title>{}{}</channel></rss>", entry(1), entry(2));
    site.set("/feed.xml", Answer::of("application/rss+xml", feed));
    site.set("/1", article("Article 1"));
    site.set("/2", Answer::status(500));
    let home = Headwater::new();
    let key = "made-up-and-secret";
    let source = json!({
        "type": "rss",
        "credentials": { "auth_headers": format!("Authorization: Bearer {key}") },
        "settings": { "feed_urls": site.url("/feed.xml") },
    });
    home.write("source.json", source.to_string());
    assert_eq!(run(&home, &["validate", "--config", "source.json", "--json"]).json(), json!({ "status": "connected" }));
    let resources = run(&home, &["resources", "--config", "source.json", "--json"]).json();
    assert_eq!((&resources[0]["name"], &resources[0]["type"]), (&json!("Mill"), &json!("feed")));
    site.take_requests();

    let (ended, first) = fetch(&home, &["--cursor", "cursor.json"]);
    assert_eq!(ended.status, 3, "{ended:?}");
    assert_eq!(of_kind(&first, "failed")[0]["code"], json!("http_status"));
    let end = first.last().unwrap();
    assert_eq!((&end["outcome"], &end["requests"]), (&json!("partial"), &json!(site.take_requests().len())));

    site.set("/2", article("Article 2"));
    let (ended, second) = fetch(&home, &["--cursor", "cursor.json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(of_kind(&second, "item").len(), 1);
    assert_eq!(site.take_requests(), ["/feed.xml", "/2"]);
    let told =
        [&ended.out, &ended.err, &fs::read_to_string(home.path("cursor.json")).unwrap()].map(|text| text.contains(key));
    assert_eq!(told, [false; 3], "the credential is nowhere to be seen");
}

#[test]
fn what_cannot_be_done_is_told_by_its_code() {
    #[track_caller]
    fn check(source: &str, code: &str) {
        let home = Headwater::new();
        home.write("source.json", source);
        let ended = run(&home, &["validate", "--config", "source.json", "--json"]);
        assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &json!(code)), "{ended:?}");
        assert!(!ended.out.contains("s3cret") && !ended.err.contains("s3cret"), "{ended:?}");
    }
    check(r#"{"type": "wiki", "credentials": {"token": "s3cret"}}"#, "connector_not_found");
    check(r#"{"type": "rss", "credentials": "s3cret"}"#, "invalid_config");
    check("s3cret", "invalid_config");
    check(r#"{"type": "folder", "settings": {"root": "/no/such/folder"}}"#, "invalid_config");
    let (ended, events) = {
        let home = Headwater::new();
        home.write("source.json", r#"{"type": "folder", "settings": {"root": "/no/such/folder"}}"#);
        fetch(&home, &[])
    };
    let end = events.last().unwrap();
    assert_eq!((ended.status, &end["outcome"], &end["error"]["code"]), (1, &json!("failed"), &json!("invalid_config")));
    assert_eq!(run(&Headwater::new(), &["fetch", "--config", "none.json"]).status, 2);
}

#[test]
fn people_read_lines() {
    let ended = run(&folder(), &["fetch", "--config", "source.json"]);
    assert!(ended.out.starts_with("+ a.md  3 bytes"), "{}", ended.out);
    assert!(ended.out.contains("success: 2 new, 0 updated"), "{}", ended.out);
}
