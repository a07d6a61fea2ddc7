//! What a folder's files, links, sizes and settings come to.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use headwater_adapters_fs::LocalFileTree;
use headwater_connectors::folder::FolderConnector;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{DataSourceConfig, Note, SkipReason, SyncCursor};
use headwater_ports::{Connector, Fetched};
use headwater_tests::fakes::FakeClock;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Kit {
    root: TempDir,
    connector: FolderConnector,
}

impl Kit {
    fn new(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().expect("a folder can be made");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("it is below the root")).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        let connector = FolderConnector::new(Arc::new(LocalFileTree), Arc::new(FakeClock::default()));
        Self { root, connector }
    }

    fn config(&self, more: &Value) -> DataSourceConfig {
        let mut settings = more.as_object().cloned().unwrap_or_default();
        settings.insert("root".to_owned(), self.root.path().to_string_lossy().into());
        DataSourceConfig { connector_type: "folder".to_owned(), settings, ..DataSourceConfig::default() }
    }

    async fn fetch(&self, more: Value, cursor: SyncCursor) -> Fetched {
        self.connector.fetch_incremental(&self.config(&more), cursor).await.expect("the folder can be read")
    }
}

fn ids(fetched: &Fetched) -> Vec<&str> {
    fetched.items.iter().map(|item| item.external_id.as_str()).collect()
}

fn skipped(fetched: &Fetched) -> Vec<(&str, SkipReason)> {
    let mut skipped = Vec::new();
    for note in &fetched.notes {
        if let Note::Skipped(item) = note {
            skipped.push((item.external_id.as_str(), item.reason));
        }
    }
    skipped
}

#[tokio::test]
async fn files_come_as_they_are_with_their_folders() {
    let kit = Kit::new(&[("notes/deep/A plan.md", "# Plan"), ("b.pdf", "%PDF"), ("c", "text"), (".hidden/x.md", "no")]);
    let fetched = kit.fetch(json!({}), SyncCursor::default()).await;
    assert_eq!(ids(&fetched), ["b.pdf", "c", "notes/deep/A plan.md"]);
    let plan = &fetched.items[2];
    assert_eq!((plan.title.as_str(), plan.file_name.as_str()), ("A plan", "A plan.md"));
    assert_eq!((plan.content_type.as_str(), &plan.content[..]), ("text/markdown", &b"# Plan"[..]));
    assert_eq!(plan.path, ["notes", "deep"]);
    assert!(plan.updated_at.is_some());
    assert_eq!(fetched.items[0].content_type, "application/pdf");
}

#[tokio::test]
async fn patterns_choose_and_each_one_left_out_has_its_reason() {
    let kit = Kit::new(&[("a.md", "1"), ("b.txt", "2"), ("tmp/c.md", "3"), ("large.md", "123456")]);
    symlink("a.md", kit.root.path().join("d.md")).unwrap();
    symlink("/etc/passwd", kit.root.path().join("e.md")).unwrap();
    let settings = json!({ "include": ["*.md"], "exclude": "tmp/**\n*.bak", "max_bytes": 5 });
    let fetched = kit.fetch(settings, SyncCursor::default()).await;
    assert_eq!(ids(&fetched), ["a.md"]);
    let expected = [
        ("b.txt", SkipReason::Excluded),
        ("d.md", SkipReason::Shortcut),
        ("e.md", SkipReason::Excluded),
        ("large.md", SkipReason::TooLarge),
        ("tmp", SkipReason::Excluded),
    ];
    assert_eq!(skipped(&fetched), expected);
}

#[tokio::test]
async fn what_the_settings_leave_out_later_is_not_deleted() {
    let kit = Kit::new(&[("a.md", "1"), ("b/c.md", "2"), ("d.md", "3")]);
    let cursor = kit.fetch(json!({}), SyncCursor::default()).await.cursor;
    fs::remove_file(kit.root.path().join("d.md")).unwrap();
    let fetched = kit.fetch(json!({ "exclude": ["b", "b/**"] }), cursor).await;
    let deleted: Vec<_> = fetched.deletions.iter().map(|deletion| deletion.external_id.as_str()).collect();
    assert_eq!(deleted, ["d.md"]);
}

#[tokio::test]
async fn a_missing_root_deletes_nothing_and_is_told() {
    let kit = Kit::new(&[("a.md", "1")]);
    let cursor = kit.fetch(json!({}), SyncCursor::default()).await.cursor;
    let config = kit.config(&json!({}));
    fs::remove_dir_all(kit.root.path()).unwrap();
    assert_eq!(kit.connector.validate(&config).await.unwrap_err().kind, ErrorKind::InvalidConfig);
    let error = kit.connector.fetch_incremental(&config, cursor).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidConfig);
}

#[tokio::test]
async fn an_empty_root_deletes_only_where_that_is_allowed() {
    let kit = Kit::new(&[("a.md", "1")]);
    let cursor = kit.fetch(json!({}), SyncCursor::default()).await.cursor;
    fs::remove_file(kit.root.path().join("a.md")).unwrap();
    let fetched = kit.fetch(json!({}), cursor.clone()).await;
    assert!(fetched.deletions.is_empty());
    assert!(matches!(&fetched.notes[..], [Note::Failed(failed)] if failed.kind == ErrorKind::PartialFetch));
    let fetched = kit.fetch(json!({ "allow_empty": true }), cursor).await;
    assert_eq!(fetched.deletions.len(), 1);
    assert!(fetched.cursor.is_empty());
}

#[tokio::test]
async fn a_folder_within_a_selected_one_is_read_once() {
    let kit = Kit::new(&[("a/b/c.md", "1"), ("a/d.md", "2"), ("e.md", "3")]);
    let config = DataSourceConfig { resource_ids: vec!["a".into(), "a/b".into()], ..kit.config(&json!({})) };
    let fetched = kit.connector.fetch_all(&config).await.unwrap();
    assert_eq!(ids(&fetched), ["a/d.md", "a/b/c.md"]);
    assert!(fetched.items.iter().all(|item| item.source_resource_id == "a"));
    let ancestors = kit.connector.resolve_resource_ancestors(&config, &["a/b".to_owned(), "x/y/z".to_owned()]).await;
    assert_eq!(ancestors.unwrap(), [".", "a", "x", "x/y"]);
}

#[tokio::test]
async fn a_resource_that_leads_out_of_the_root_is_refused() {
    let kit = Kit::new(&[("a.md", "1")]);
    let config = DataSourceConfig { resource_ids: vec!["..".into(), "/etc".into()], ..kit.config(&json!({})) };
    let fetched = kit.connector.fetch_all(&config).await.unwrap();
    assert!(fetched.items.is_empty());
    assert_eq!(fetched.notes.len(), 2);
    assert!(fetched.notes.iter().all(|note| matches!(note, Note::Failed(_))));
}
