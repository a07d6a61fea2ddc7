//! How the sources of the store are looked after: added, listed with their health, removed, taken elsewhere.

use headwater_tests::site::Answer;
use serde_json::Value;

use crate::kit::{Headwater, home, items, rss, site};

/// The sources with their health.
fn listed(headwater: &Headwater) -> Vec<Value> {
    headwater.other(&["source", "list", "--json"]).json()["sources"].as_array().expect("a list").clone()
}

#[test]
fn a_source_is_added_read_and_removed() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", home("/feed.xml", &[7, 8, 9]));
    site.set("/feed.xml", rss(&items(&site, &[1, 2, 3])));
    let added = headwater.other(&["source", "add", &site.url("/"), "--title", "The mill", "--json"]).json();
    assert_eq!(added["sources"][0]["new"], true);
    let again = headwater.other(&["source", "add", &site.url("/?utm_source=x"), "--preferred", "--json"]).json();
    assert_eq!(
        (&again["sources"][0]["new"], &again["sources"][0]["id"]),
        (&Value::from(false), &added["sources"][0]["id"])
    );
    assert_eq!((listed(&headwater)[0]["health"]["outcome"].as_str(), listed(&headwater).len()), (Some("never"), 1));

    headwater.digest(&[]);
    let source = &listed(&headwater)[0];
    assert_eq!(
        (source["preferred"].as_bool(), source["feed_url"].as_str()),
        (Some(true), Some(&*site.url("/feed.xml")))
    );
    assert_eq!(source["health"]["outcome"], "ok");
    assert!(source["health"]["next_attempt_at"].as_str() > Some("2026-05-20T12"), "{source}");
    let people = headwater.other(&["source", "list"]);
    assert!(
        people.out.contains("(The mill)") && people.out.contains("ok, 2026-05-20 12:00 UTC; next from"),
        "{people:?}"
    );

    assert_eq!(headwater.other(&["source", "remove", "the MILL"]).status, 0);
    assert!(listed(&headwater).is_empty());
    let gone = headwater.other(&["source", "show", &site.url("/")]);
    assert_eq!((gone.status, gone.err.contains("no source is named")), (2, true), "{gone:?}");
}

#[test]
fn a_failing_source_says_why_and_what_to_do() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/good", rss(&items(&site, &[1, 2, 3])));
    site.set("/lost", Answer::status(404));
    headwater.digest(&[&site.url("/good"), &site.url("/lost")]);
    let failing = headwater.other(&["source", "list", "--failing", "--json"]).json();
    assert_eq!(failing["sources"].as_array().unwrap().len(), 1, "{failing}");
    let health = &failing["sources"][0]["health"];
    assert_eq!((health["outcome"].as_str(), health["last_error"]["http_status"].as_u64()), (Some("failed"), Some(404)));
    assert_eq!((health["failures"].as_u64(), health["circuit"].as_str()), (Some(1), Some("closed")));
    assert!(health["advice"].as_str().unwrap().contains("feed discover"), "{health}");
    let shown = headwater.other(&["source", "show", &site.url("/lost")]);
    assert!(shown.out.contains("what to do    it may have moved"), "{shown:?}");
}

#[test]
fn a_list_goes_out_without_secrets_and_comes_back() {
    let (headwater, other) = (Headwater::new(), Headwater::new());
    let secret = "https://tracker.example/rss?passkey=0123456789abcdef0123456789abcdef";
    headwater.other(&["source", "add", "https://example.org/feed.xml", secret]);
    let list = headwater.path("list.opml");
    assert_eq!(headwater.other(&["source", "export", "--out", list.to_str().unwrap()]).status, 0);
    let text = std::fs::read_to_string(&list).unwrap();
    assert!(!text.contains("0123456789abcdef") && text.contains("https://example.org/feed.xml"), "{text}");
    assert_eq!(other.other(&["source", "import", list.to_str().unwrap(), "--json"]).json()["added"], 2);
    let urls: Vec<_> = listed(&other).iter().map(|source| source["url"].clone()).collect();
    assert_eq!(urls[0], "https://example.org/feed.xml");
    assert!(listed(&headwater)[1]["needs_secret"] == true, "without a vault key the secret is not kept");
}
