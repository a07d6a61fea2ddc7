//! Feeds come from settings or, as long ago, from credentials; headers from lines.

use serde_json::json;

use super::*;

fn config(settings: &Value, credentials: &[(&str, &str)], resource_ids: &[&str]) -> DataSourceConfig {
    DataSourceConfig {
        connector_type: "rss".to_owned(),
        credentials: credentials
            .iter()
            .map(|(name, text)| ((*name).to_owned(), Secret::new((*text).to_owned())))
            .collect(),
        resource_ids: resource_ids.iter().map(|id| (*id).to_owned()).collect(),
        settings: settings.as_object().cloned().unwrap_or_default(),
    }
}

fn ids(feeds: &[Feed]) -> Vec<&str> {
    feeds.iter().map(|feed| feed.id.as_str()).collect()
}

#[test]
fn urls_are_split_trimmed_and_taken_once() {
    #[track_caller]
    fn check(urls: Value, expected: &[&str]) {
        let feeds = Feeds::new(&config(&json!({ "feed_urls": urls }), &[], &[])).unwrap();
        assert_eq!(ids(&feeds.all), expected);
        assert_eq!(feeds.all, feeds.selected);
    }
    let both = ["https://a.example/feed", "https://b.example/feed"];
    check(json!("https://a.example/feed\n\n https://b.example/feed \nhttps://a.example/feed"), &both);
    check(json!("https://a.example/feed, https://b.example/feed"), &both);
    check(json!("https://a.example/feed,https://b.example/feed,"), &both);
    check(json!(["https://a.example/feed", " https://b.example/feed "]), &both);
    check(json!("https://a.example/?tags=a,b"), &["https://a.example/?tags=a,b"]);
}

#[test]
fn feeds_are_still_found_among_the_credentials() {
    let feeds = Feeds::new(&config(&json!({}), &[("feed_urls", "https://a.example/feed")], &[])).unwrap();
    assert_eq!(ids(&feeds.all), ["https://a.example/feed"]);
}

#[test]
fn what_names_no_feed_is_refused_without_showing_it() {
    for urls in [json!(""), json!(null), json!([]), json!("ftp://a.example/"), json!("s3cret")] {
        let error = Feeds::new(&config(&json!({ "feed_urls": urls }), &[], &[])).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidConfig);
        assert!(!error.to_string().contains("s3cret"));
    }
}

#[test]
fn a_feed_is_selected_by_its_id_or_its_url() {
    let url = "https://a.example/feed?passkey=deadbeefdeadbeefdeadbeefdeadbeef";
    let settings = json!({ "feed_urls": [url, "https://b.example/feed"] });
    let feeds = Feeds::new(&config(&settings, &[], &[url, "https://c.example/"])).unwrap();
    assert_eq!(feeds.selected.len(), 1);
    assert_eq!(feeds.selected[0].url.expose().as_str(), url);
    assert!(!feeds.selected[0].id.contains("deadbeef"), "an id holds no secret");
    assert_eq!(feeds.unknown, ["https://c.example/"]);
    let again = Feeds::new(&config(&settings, &[], &[&feeds.selected[0].id])).unwrap();
    assert_eq!(again.selected, feeds.selected);
}

#[test]
fn headers_are_lines_with_a_name_and_a_value() {
    let text = "Authorization: Bearer a:b\nno colon\n: no name\nX-Key:1\nbad name: x\n";
    let feeds =
        Feeds::new(&config(&json!({ "feed_urls": "https://a.example/" }), &[("auth_headers", text)], &[])).unwrap();
    let headers: Vec<_> = feeds.headers.iter().map(|(name, value)| (name.as_str(), value.expose().as_str())).collect();
    assert_eq!(headers, [("Authorization", "Bearer a:b"), ("X-Key", "1")]);
}
