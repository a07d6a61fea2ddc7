//! What do the processes do, and what must be there of it afterwards?

use std::sync::Arc;
use std::time::Duration;

use headwater_adapters_postgres::{PgAdmin, PgStore};
use headwater_adapters_sqlite::{SqliteAdmin, SqliteStore};
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, RunRecord};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Store, StoreAdmin};
use jiff::Timestamp;
use sqlx::{Connection, PgConnection};

/// Opens a store of either kind.
pub async fn open(store: &str) -> Arc<dyn Store> {
    match is_postgres(store) {
        true => Arc::new(PgStore::open(store).await.unwrap()),
        false => Arc::new(SqliteStore::open(store).await.unwrap()),
    }
}

pub fn is_postgres(store: &str) -> bool {
    store.starts_with("postgres")
}

/// Waits until the server has noticed that a killed process is gone: until then it may go on with its last statement.
pub async fn let_go(store: &str) {
    if !is_postgres(store) {
        return;
    }
    let mut connection = PgConnection::connect(store).await.unwrap();
    for _ in 0..1000 {
        let others: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap();
        if others == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server holds on to the connections of dead processes");
}

pub async fn assert_sound(store: &str) {
    let admin: Arc<dyn StoreAdmin> = match is_postgres(store) {
        true => Arc::new(PgAdmin::new(store).unwrap()),
        false => Arc::new(SqliteAdmin::new(store).unwrap()),
    };
    assert_eq!(admin.check().await.unwrap(), Vec::<String>::new());
}

/// Settles runs `first..first + count`, each with a full batch, and checkpoints after each.
pub async fn work(store: &str, first: usize, count: usize) {
    let store = open(store).await;
    for n in first..first + count {
        let entries: Vec<_> = (0..BATCH).map(|article| entry(&format!("{n}/{article}"))).collect();
        let settled = store.settle(&TenantId::default(), &run(n), &entries).await.unwrap();
        assert_eq!(settled.len(), BATCH);
        store.save_feed_memory(&TenantId::default(), FEED, &n.to_string().repeat(1000)).await.unwrap();
        println!("\ndone {n}");
    }
}

/// How many runs there are, each of which must have all of its articles; what follows them must have none.
pub async fn whole_runs(store: &str) -> usize {
    let store = open(store).await;
    let runs = store.runs(&TenantId::default(), usize::MAX).await.unwrap();
    for n in 0..=runs.len() {
        let keys: Vec<_> = (0..BATCH).map(|article| ArticleKey(format!("{n}/{article}"))).collect();
        let known = store.known(&TenantId::default(), &keys).await.unwrap().len();
        assert_eq!(known, if n < runs.len() { BATCH } else { 0 }, "articles of run {n} of {}", runs.len());
    }
    if let Some(memory) = store.feed_memory(&TenantId::default(), FEED).await.unwrap() {
        let last = runs.len() - 1;
        assert!((last.saturating_sub(1)..=last).any(|n| memory == n.to_string().repeat(1000)), "a checkpoint is torn");
    }
    runs.len()
}

/// Settles the articles that all processes share, in batches; how many of them this process had.
pub async fn settle_all(store: &str) -> usize {
    let store = open(store).await;
    let run = RunRecord { run_id: format!("process {}", std::process::id()), ..run(0) };
    let mut settled = 0;
    for batch in 0..SHARED / BATCH {
        let entries: Vec<_> = (0..BATCH).map(|n| entry(&format!("shared {}", batch * BATCH + n))).collect();
        settled += store.settle(&TenantId::default(), &run, &entries).await.unwrap().len();
    }
    settled
}

fn entry(name: &str) -> HistoryEntry {
    HistoryEntry {
        key: ArticleKey(name.to_owned()),
        url: format!("https://site.example/{name}"),
        title: Some("A title of the usual length, for the size of the row".to_owned()),
        source_url: "https://site.example/".to_owned(),
        fate: Fate::Kept,
        failures: 0,
        seen_at: Timestamp::UNIX_EPOCH,
        fingerprint: None,
    }
}

fn run(n: usize) -> RunRecord {
    RunRecord {
        run_id: format!("{n:06}"),
        started_at: Timestamp::UNIX_EPOCH,
        finished_at: Timestamp::UNIX_EPOCH,
        kept: BATCH,
        digest_json: "{}".to_owned(),
    }
}

pub const SHARED: usize = 4000;
const FEED: &str = "https://site.example/feed.xml";
const BATCH: usize = 200;
