//! What a command line that is wrong, or a file that cannot be had, does: it is noticed before any work, and said in words
//! that help.

use std::fs::File;
use std::process::{Command, Stdio};

use headwater_tests::site::Answer;
use serde_json::json;

use crate::kit::{Ended, Headwater, NOW, items, rss, site};

/// Runs any command in the folder.
fn run(home: &Headwater, arguments: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(arguments).args(["--now", NOW, "--allow", "127.0.0.1"]).current_dir(home.path("")).env_clear();
    command.env("HOME", home.path("")).stdin(Stdio::null());
    Ended::of(command.output().expect("the binary runs"))
}

const FEED: &str = "<rss version='2.0'><channel><title>T</title><item><title>A</title><link>https://a.example/1</link>\
    </item></channel></rss>";

#[test]
fn a_deadline_that_cannot_be_meant_is_refused() {
    for seconds in ["0", "-1", "1e18", "NaN", "inf", "soon"] {
        let ended = run(&Headwater::new(), &["feed", "fetch", "https://a.example/", &format!("--timeout={seconds}")]);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{seconds}: {ended:?}");
        assert!(ended.err.contains("--timeout"), "{ended:?}");
    }
}

#[test]
fn a_password_in_a_url_without_its_scheme_is_never_shown() {
    let home = Headwater::new();
    for url in ["u:s3cret@host.example/feed", "//u:s3cret@host.example/feed", "u:s3cret@localhost"] {
        for command in
            [&["run", url][..], &["run", url, "--json"], &["feed", "fetch", url, "--json"], &["feed", "discover", url]]
        {
            let ended = run(&home, command);
            assert!(ended.status != 0 && !format!("{ended:?}").contains("s3cret"), "{command:?}: {ended:?}");
        }
    }
    let hint = run(&home, &["run", "u:s3cret@host.example/feed", "--json"]);
    assert!(hint.out.contains("did you mean https://host.example/feed?"), "{hint:?}");
}

#[test]
fn a_setting_without_a_key_is_said_to_have_none() {
    let ended = run(&Headwater::new(), &["digest", "list", "--set", "=x"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(ended.err.contains("\"=x\" names no key"), "{ended:?}");
}

#[test]
fn a_document_that_is_not_there_is_wrong_usage_and_changes_nothing() {
    let home = Headwater::new();
    home.write("feed.xml", FEED);
    home.write("cursor.json", "");
    let apply =
        ["feed", "apply", "feed.xml", "gone.xml", "--feed-url", "https://a.example/", "--cursor", "cursor.json"];
    let ended = run(&home, &apply);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
    assert!(ended.err.contains("could not read gone.xml"), "{ended:?}");
    assert_eq!(std::fs::read(home.path("cursor.json")).unwrap(), b"", "nothing was kept");
    home.write("gone.xml", FEED);
    let ended = run(&home, &apply);
    assert_eq!((ended.status, ended.out.lines().count()), (0, 2), "an empty file is no cursor yet: {ended:?}");
}

#[test]
fn a_state_that_another_process_is_at_is_left_alone() {
    let (home, site) = (Headwater::new(), site());
    site.set("/feed", rss(&items(&site, &[1])));
    let fetch = ["feed", "fetch", &site.url("/feed"), "--state", "state.json", "--json"];
    let other = File::create(home.path(".state.json.part")).unwrap();
    other.lock().unwrap();
    let ended = run(&home, &fetch);
    assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &json!("already_running")), "{ended:?}");
    assert!(site.take_requests().is_empty(), "nothing is asked for");
    drop(other);
    assert_eq!(run(&home, &fetch).json()["kind"], "ok");
    assert!(!home.path(".state.json.part").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_noticed_before_the_work_or_shown_again_after_it() {
    let (home, site) = (Headwater::new(), site());
    site.set("/feed", rss(&items(&site, &[1, 2, 3])));
    let url = site.url("/feed");
    std::fs::create_dir(home.path("folder")).unwrap();
    for (out, told) in [("folder", "it is a folder"), ("none/digest.md", "make the folder none first")] {
        let ended = home.run(&[&url, "--out", out, "--json"]);
        assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &json!("store")), "{ended:?}");
        assert!(ended.out.contains(told), "{ended:?}");
    }
    let ended = run(&home, &["feed", "fetch", &url, "--state", "/dev/null", "--json"]);
    assert_eq!(ended.json()["error"]["code"], "store", "{ended:?}");
    assert!(site.take_requests().is_empty());

    let full = home.run(&[&url, "--out", "/dev/full", "--json"]);
    assert_eq!((full.status, &full.json()["error"]["code"]), (1, &json!("store")), "{full:?}");
    let hint = full.json()["error"]["hint"].as_str().unwrap_or_default().to_owned();
    let run_id = hint.split(' ').find(|word| word.len() == 36).unwrap_or_else(|| panic!("{hint}"));
    let store = format!("sqlite:{}", home.path("store.db").display());
    let again = run(&home, &["digest", "show", run_id, "--store", &store, "--json"]);
    assert_eq!(again.json()["articles"].as_array().map(Vec::len), Some(3), "{again:?}");
    let listed = run(&home, &["digest", "list", "--store", &store]);
    assert!(listed.out.contains("  2026-05-20T12:00:00Z  "), "{listed:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_demo_that_fails_prints_one_document() {
    let home = Headwater::new();
    let ended = run(&home, &["demo", "--store", "sqlite::memory:", "--out", "/dev/full", "--json"]);
    assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &json!("store")), "{ended:?}");
}

#[test]
fn a_feed_has_no_article() {
    let home = Headwater::new();
    home.write("feed.xml", FEED);
    let ended = run(&home, &["article", "extract", "feed.xml", "--url", "https://a.example/", "--json"]);
    assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &json!("no_readable_content")), "{ended:?}");
    assert!(ended.out.contains("feed (rss2.0)") && ended.out.contains("feed parse"), "{ended:?}");
}

#[test]
fn a_site_is_asked_for_a_feed_link_by_its_rule() {
    let (home, site) = (Headwater::new(), site());
    let key = "0123456789abcdef0123456789abcdef";
    let page =
        format!("<a class='feed' href='/help'>help</a><a class='x feed' href='/rss?passkey={key}&amp;n=1'>it</a>");
    site.set("/make", Answer::html(page.clone()));
    home.write("own.toml", "[fetch.link_rules.\"127.0.0.1\"]\npath = 'make'\nclass = 'feed'\n");
    let (url, link) = (site.url("/"), site.url(&format!("/rss?passkey={key}&n=1")));
    let make = |more: &[&str]| run(&home, &[&["feed", "link", &url, "--config", "own.toml"], more].concat());
    let shown = make(&[]);
    assert_eq!(shown.out.trim(), link.replace(key, "[REDACTED]"), "{shown:?}");
    assert!(!format!("{shown:?}").contains(key));
    assert_eq!(make(&["--with-secret", "--json"]).json(), json!({"link": link, "has_secret": true}));
    home.write("page.html", page);
    site.take_requests();
    assert_eq!(make(&["--with-secret", "--page", "page.html"]).out.trim(), link);
    assert!(site.take_requests().is_empty());
    site.set("/make", Answer::html("log in first"));
    let nothing = make(&["--json"]);
    assert_eq!((nothing.status, &nothing.json()["error"]["code"]), (1, &json!("not_a_feed")), "{nothing:?}");
}
