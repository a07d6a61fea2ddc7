//! What happens when a file cannot be opened or written: an error that says so, and nothing lost.

use std::path::Path;
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Error, FeedStore};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, SqliteConnection};

use super::*;

#[track_caller]
fn check(error: &Error, expected: &str) {
    assert_eq!(error.kind, ErrorKind::Store);
    assert!(error.detail.contains(expected), "{}", error.detail);
    assert!(error.hint.is_some(), "{}", error.detail);
}

#[tokio::test]
async fn a_store_is_there_again_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/headwater.db");
    let store = open(&path).await.unwrap();
    store.save_feed_memory(&TenantId::default(), FEED, "{}").await.unwrap();
    store.close().await;
    let again = open(&path).await.unwrap();
    assert_eq!(again.feed_memory(&TenantId::default(), FEED).await.unwrap().as_deref(), Some("{}"));
}

#[tokio::test]
async fn what_is_no_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.txt");
    let letter = "Dear reader, this is no database. ".repeat(100);
    std::fs::write(&path, &letter).unwrap();
    check(&open(&path).await.unwrap_err(), "is not a SQLite database");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), letter);
}

#[tokio::test]
async fn the_database_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bookmarks.db");
    let mut other = raw(&path).await;
    sqlx::raw_sql("CREATE TABLE bookmarks (url TEXT)").execute(&mut other).await.unwrap();
    let before = std::fs::read(&path).unwrap();
    check(&open(&path).await.unwrap_err(), "is the database of another program");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    open(&path).await.unwrap().close().await;
    sqlx::raw_sql("PRAGMA user_version = 99").execute(&mut raw(&path).await).await.unwrap();
    check(&open(&path).await.unwrap_err(), "a newer Headwater wrote it");
}

#[tokio::test]
async fn places_where_no_file_can_be_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "x").unwrap();
    check(&open(&folder.path().join("file/below/headwater.db")).await.unwrap_err(), "could not create the folder");
    check(&open(folder.path()).await.unwrap_err(), "cannot be opened");
}

#[tokio::test]
async fn a_locked_store_is_an_error_after_the_wait_and_then_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    let store = open(&path).await.unwrap();
    let mut other = raw(&path).await;
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    set(&store, "busy_timeout = 50").await;
    check(&store.save_feed_memory(&TenantId::default(), FEED, "{}").await.unwrap_err(), "is locked by another process");
    assert_eq!(store.feed_memory(&TenantId::default(), FEED).await.unwrap(), None, "reading goes on");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    store.save_feed_memory(&TenantId::default(), FEED, "{}").await.unwrap();
}

#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    let store = open(&path).await.unwrap();
    store.save_feed_memory(&TenantId::default(), FEED, "before").await.unwrap();
    set(&store, "max_page_count = 64").await;
    let large = "x".repeat(1_000_000);
    check(&store.save_feed_memory(&TenantId::default(), FEED, &large).await.unwrap_err(), "the disk is full");
    assert_eq!(store.feed_memory(&TenantId::default(), FEED).await.unwrap().as_deref(), Some("before"));
    // The new connection after the failure has no such limit: there is room again.
    store.save_feed_memory(&TenantId::default(), FEED, "still").await.unwrap();
    store.save_feed_memory(&TenantId::default(), FEED, &large).await.unwrap();
    store.close().await;
    assert_eq!(open(&path).await.unwrap().feed_memory(&TenantId::default(), FEED).await.unwrap(), Some(large));
}

#[tokio::test]
async fn a_read_only_store_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("headwater.db")).await.unwrap();
    store.save_feed_memory(&TenantId::default(), FEED, "before").await.unwrap();
    set(&store, "query_only = 1").await;
    check(&store.save_feed_memory(&TenantId::default(), FEED, "after").await.unwrap_err(), "it is read-only");
    set(&store, "query_only = 0").await;
    assert_eq!(store.feed_memory(&TenantId::default(), FEED).await.unwrap().as_deref(), Some("before"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_concurrent_starts_one_migrates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    let starts: Vec<_> = (0..12)
        .map(|n| {
            let path = path.clone();
            tokio::spawn(async move {
                let store = open(&path).await?;
                store.save_feed_memory(&TenantId::default(), &format!("https://{n}.example/"), "{}").await
            })
        })
        .collect();
    for start in starts {
        start.await.unwrap().unwrap();
    }
    let mut reader = raw(&path).await;
    let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM feed_memory").fetch_one(&mut reader).await.unwrap();
    assert_eq!(rows, 12);
}

#[tokio::test]
async fn a_write_that_is_given_up_leaves_nothing_and_the_next_one_works() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("headwater.db")).await.unwrap();
    let tenant = TenantId::default();
    for micros in [0, 50, 200, 1000, 3000] {
        let save = store.save_feed_memory(&tenant, FEED, "{}");
        let _ = tokio::time::timeout(Duration::from_micros(micros), save).await;
    }
    store.save_feed_memory(&TenantId::default(), FEED, "last").await.unwrap();
    assert_eq!(store.feed_memory(&TenantId::default(), FEED).await.unwrap().as_deref(), Some("last"));
}

#[tokio::test]
async fn every_table_has_a_tenant() {
    let store = SqliteStore::open("sqlite::memory:").await.unwrap();
    let without: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema AS tables WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND NOT EXISTS (
             SELECT 1 FROM pragma_table_info(tables.name) AS columns WHERE columns.name = 'tenant_id' AND columns.\"notnull\")",
    )
    .fetch_all(store.readers())
    .await
    .unwrap();
    assert_eq!(without, Vec::<String>::new());
}

async fn open(path: &Path) -> Result<SqliteStore> {
    SqliteStore::open(path.to_str().unwrap()).await
}

/// A connection of "another program".
async fn raw(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.unwrap()
}

async fn set(store: &SqliteStore, pragma: &str) {
    sqlx::raw_sql(AssertSqlSafe(format!("PRAGMA {pragma}"))).execute(&store.writer).await.unwrap();
}

const FEED: &str = "https://a.example/feed.xml";
