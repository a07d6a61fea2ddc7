//! Status, check and backup of a store, sound or not.

use headwater_domain::synthesis::source::TenantId;
use headwater_ports::FeedStore;
use tempfile::TempDir;

use super::*;
use crate::SqliteStore;

#[tokio::test]
async fn status_tells_version_and_rows() {
    let (folder, store) = store_with_a_row().await;
    let status = admin(&folder).status().await.unwrap();
    assert_eq!((status.schema_version, status.latest_version), (latest_version(), latest_version()));
    assert!(status.tables.contains(&("feed_memory".to_owned(), 1)), "{:?}", status.tables);
    assert!(status.tables.contains(&("sources".to_owned(), 0)), "{:?}", status.tables);
    assert!(status.size_bytes > 0);
    store.close().await;
}

#[tokio::test]
async fn nothing_is_made_by_looking() {
    let folder = tempfile::tempdir().unwrap();
    for error in [admin(&folder).status().await.unwrap_err(), admin(&folder).check().await.unwrap_err()] {
        assert_eq!(error.kind, ErrorKind::Store);
        assert!(error.detail.contains("is not there yet"), "{}", error.detail);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn migrate_makes_the_store_and_finds_nothing_to_do_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = admin(&folder).migrate().await.unwrap();
    assert_eq!(first, MigrationReport { from: 0, to: latest_version() });
    let second = admin(&folder).migrate().await.unwrap();
    assert_eq!(second, MigrationReport { from: latest_version(), to: latest_version() });
}

#[tokio::test]
async fn a_sound_store_has_no_problems_and_a_damaged_one_has() {
    let (folder, store) = store_with_a_row().await;
    for n in 0..200 {
        store.save_feed_memory(&TenantId::default(), &format!("https://{n}.example/"), &"x".repeat(500)).await.unwrap();
    }
    assert_eq!(admin(&folder).check().await.unwrap(), Vec::<String>::new());
    store.close().await;

    let path = folder.path().join(FILE);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let found = admin(&folder).check().await;
    assert!(found.as_ref().is_err() || !found.unwrap().is_empty());
}

#[tokio::test]
async fn a_backup_is_a_store_with_the_same_rows() {
    let (folder, store) = store_with_a_row().await;
    let target = folder.path().join("backup.db");
    let size = admin(&folder).backup(&target).await.unwrap();
    assert_eq!(size, std::fs::metadata(&target).unwrap().len());
    store.save_feed_memory(&TenantId::default(), FEED, "later").await.unwrap();

    let copy = SqliteStore::open(target.to_str().unwrap()).await.unwrap();
    let memory = copy.feed_memory(&TenantId::default(), FEED).await.unwrap();
    assert_eq!(memory.as_deref(), Some("{}"), "the moment of the backup");
}

#[tokio::test]
async fn a_backup_replaces_nothing_and_leaves_no_half() {
    let (folder, _store) = store_with_a_row().await;
    let target = folder.path().join("precious");
    std::fs::write(&target, "precious").unwrap();
    let error = admin(&folder).backup(&target).await.unwrap_err();
    assert!(error.hint.is_some());
    assert_eq!(std::fs::read(&target).unwrap(), b"precious");

    let nowhere = folder.path().join("no such folder/backup.db");
    assert_eq!(admin(&folder).backup(&nowhere).await.unwrap_err().kind, ErrorKind::Store);
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().contains("partial")), "{names:?}");
}

async fn store_with_a_row() -> (TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join(FILE).to_str().unwrap()).await.unwrap();
    store.save_feed_memory(&TenantId::default(), FEED, "{}").await.unwrap();
    (folder, store)
}

fn admin(folder: &TempDir) -> SqliteAdmin {
    SqliteAdmin::new(folder.path().join(FILE).to_str().unwrap()).unwrap()
}

const FILE: &str = "headwater.db";
const FEED: &str = "https://a.example/feed.xml";
