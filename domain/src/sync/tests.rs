//! Cursors keep what changed, names fit every file system, and listings end.

use serde_json::json;

use super::{CursorChange, DataSourceConfig, MAX_FILE_NAME_BYTES, PageGuard, SyncCursor, file_name};

#[test]
fn a_cursor_lists_only_what_changed() {
    let mut cursor = SyncCursor::default();
    cursor.record("space", "a", "1");
    cursor.record("space", "a", "1");
    cursor.record("space", "b", "1");
    cursor.forget("space", "b");
    cursor.forget("space", "c");
    cursor.record_state("etag", Some(json!("x")));
    let changes = cursor.take_changes();
    assert_eq!(changes.len(), 4);
    assert!(cursor.take_changes().is_empty());

    let mut copy = SyncCursor::default();
    changes.into_iter().for_each(|change| copy.apply(change));
    assert_eq!(copy.version("space", "a"), Some("1"));
    assert_eq!(copy.version("space", "b"), None);
    assert_eq!(copy.state("etag"), Some(&json!("x")));
    assert!(copy.take_changes().is_empty());
}

#[test]
fn children_are_found_by_their_parent() {
    let mut cursor = SyncCursor::default();
    ["a", "a#file#1", "a#file#2", "ab#file#3", "b"].iter().for_each(|id| cursor.record("space", id, "1"));
    let children: Vec<_> = cursor.known_below("space", "a#").map(|(id, _)| id).collect();
    assert_eq!(children, ["a#file#1", "a#file#2"]);
    assert_eq!(cursor.known_below("other", "a#").count(), 0);
}

#[test]
fn a_cursor_survives_json() {
    let mut cursor = SyncCursor::default();
    cursor.record("space", "a", "1");
    cursor.take_changes();
    let text = serde_json::to_string(&cursor).unwrap();
    assert_eq!(text, r#"{"known":{"space":{"a":"1"}}}"#);
    assert_eq!(serde_json::from_str::<SyncCursor>(&text).unwrap(), cursor);
}

#[test]
fn applying_a_change_is_no_change() {
    let mut cursor = SyncCursor::default();
    cursor.apply(CursorChange::Known { resource: "r".into(), external_id: "a".into(), version: "1".into() });
    assert!(cursor.take_changes().is_empty());
    assert_eq!(cursor.len(), 1);
}

#[test]
fn long_names_are_cut_between_characters() {
    let name = file_name(&"汉".repeat(300), "md");
    assert!(name.len() <= MAX_FILE_NAME_BYTES && name.ends_with("汉.md"));
    assert_eq!(file_name(&"a".repeat(300), "").len(), MAX_FILE_NAME_BYTES);
    assert_eq!(file_name("a\u{0}b\nc", "pdf"), "a_b c.pdf");
}

#[test]
fn a_token_that_comes_again_ends_the_listing() {
    let mut guard = PageGuard::default();
    assert!(guard.on_next("a").is_ok());
    assert!(guard.on_next("b").is_ok());
    assert!(guard.on_next("a").is_err());
    let mut short = PageGuard::new(1);
    assert!(short.on_next("a").is_ok());
    assert!(short.on_next("b").is_err());
}

#[test]
fn a_forgotten_resource_leaves_nothing_behind() {
    let mut cursor = SyncCursor::default();
    cursor.record("space", "a", "1");
    cursor.forget("space", "a");
    let mut copy = SyncCursor::default();
    cursor.take_changes().into_iter().for_each(|change| copy.apply(change));
    assert_eq!(copy, cursor);
}

#[test]
fn a_configuration_is_read_and_never_shows_its_credentials() {
    let text = br#"{"type": " notion ", "credentials": {"api_key": "s3cret", "port": 7, "none": null},
                    "resource_ids": ["a", "b"], "settings": {"deep": true, "url": " x "}}"#;
    let config = DataSourceConfig::from_json(text).unwrap();
    assert_eq!(config.connector_type, "notion");
    assert_eq!(config.credential("api_key").unwrap().expose(), "s3cret");
    assert_eq!(config.credential("port").unwrap().expose(), "7");
    assert!(config.credential("none").is_none());
    assert_eq!((config.switch("deep"), config.setting("url")), (Some(true), Some("x")));
    assert!(!format!("{config:?}").contains("s3cret"));
}

#[test]
fn a_wrong_configuration_is_told_by_its_field_alone() {
    #[track_caller]
    fn check(text: &str, message: &str) {
        assert_eq!(DataSourceConfig::from_json(text.as_bytes()).unwrap_err().to_string(), message);
    }
    check("s3cret", "the configuration is not a JSON object");
    check("[]", "the configuration is not a JSON object");
    check(r#"{"type": ""}"#, "`type` must be the type of a connector");
    check(r#"{"type": "rss", "credentials": "s3cret"}"#, "`credentials` must be an object");
    check(r#"{"type": "rss", "resource_ids": [1]}"#, "`resource_ids` must be a list of texts");
    check(r#"{"type": "rss", "settings": []}"#, "`settings` must be an object");
    assert!(DataSourceConfig::from_json(br#"{"type": "rss"}"#).unwrap().resource_ids.is_empty());
}

#[test]
fn names_that_one_system_reserves_are_changed() {
    assert_eq!(file_name("CON", "md"), "CON_.md");
    assert_eq!(file_name("lpt1", ""), "lpt1_");
    assert_eq!(file_name("nul.backup", "md"), "nul_.backup.md");
    assert_eq!(file_name("Console", "md"), "Console.md");
}

#[test]
fn forgotten_versions_leave_what_is_known() {
    let mut cursor = SyncCursor::default();
    cursor.record("space", "a", "1");
    cursor.record_state("etag", Some(json!("x")));
    cursor.take_changes();
    cursor.forget_versions();
    assert_eq!(cursor.known("space").collect::<Vec<_>>(), [("a", "")]);
    assert_eq!(cursor.state("etag"), None);
    assert_eq!(cursor.take_changes().len(), 2);
}
