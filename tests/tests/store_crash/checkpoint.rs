//! Is a cursor ever ahead of the documents after kill -9 during a sync?

use std::sync::Arc;
use std::time::Duration;

use headwater_adapters_postgres::PgStore;
use headwater_adapters_sqlite::SqliteStore;
use headwater_domain::sync::{
    ConflictStrategy, ContentHash, CursorChange, DataSource, DataSourceId, Document, DocumentKey, FetchedItem,
    ItemOutcome, KnowledgeBaseId, LeasePolicy, NewDocument, Progress, RunCounts, RunEnd, RunId, RunStatus, SyncCursor,
    Trigger,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Begin, BegunRun, DocumentFilter, DocumentQuery, RunClaim, RunFinish, Store};
use headwater_tests::postgres::PostgresServer;
use jiff::Timestamp;

use super::process::run_until_killed;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_no_cursor_is_ahead_of_its_documents_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    kill_again_and_again(folder.path().join("headwater.db").to_str().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_no_cursor_is_ahead_of_its_documents_in_postgres() {
    let server = PostgresServer::start().await;
    kill_again_and_again(&server.database().await).await;
}

async fn kill_again_and_again(url: &str) {
    let store = open(url).await;
    store.create_data_source(&source()).await.unwrap();
    let mut before = 0;
    for round in 0..20_u64 {
        // Killed after some checkpoints, at whatever point it is in the next one.
        let named = usize::try_from(round % 3).unwrap();
        run_until_killed(url, &format!("sync {round}"), named, Duration::from_micros(round * 977));
        // Who takes over waits for what the dead one's last transaction came to, and keeps it out from then on.
        let taken_over = begin(&*store, &format!("check {round}"), 2 * round + 1).await;
        assert_eq!(taken_over.interrupted, Some(RunId(format!("worker {round}"))));
        let known = check(&*store, &format!("worker {round}")).await;
        assert!(known > before, "round {round}: {known} are known, and {before} were before");
        before = known;
        let finish = RunFinish::new(RunEnd::Complete, Progress::default());
        assert!(store.finish_run(&taken_over.fence, &finish, time(2 * round + 1)).await.unwrap().done().is_some());
    }
    work(url, 20, Some(3)).await;
    assert!(check(&*store, "worker 20").await > before, "the work goes on");
}

/// What every entry of the cursor says must be so; how many entries there are.
async fn check(store: &dyn Store, worker: &str) -> usize {
    let cursor = store.sync_cursor(&tenant(), &id()).await.unwrap();
    let log = store.sync_log(&tenant(), &RunId(worker.to_owned())).await.unwrap().unwrap();
    assert_ne!(log.status, RunStatus::Running);
    assert_eq!(log.counts.unchanged as usize, cursor.len(), "counts and cursor are of one checkpoint");
    for (external_id, version) in cursor.known("space") {
        let written = written(store, &key(external_id)).await;
        assert!(
            written >= version.parse().unwrap(),
            "the cursor has version {version} of {external_id}, not {written}"
        );
    }
    let query = DocumentQuery {
        knowledge_base: base(),
        data_source: None,
        filter: DocumentFilter::Present,
        after: None,
        limit: usize::MAX,
    };
    let documents = store.documents(&tenant(), &query).await.unwrap();
    for document in &documents {
        whole(store, document).await;
    }
    assert!(documents.len() >= cursor.len());
    cursor.len()
}

/// Facts and bytes are of one version.
async fn whole(store: &dyn Store, document: &Document) {
    let original = store.document_original(&tenant(), &document.key).await.unwrap().unwrap();
    let text = store.document_text(&tenant(), &document.key).await.unwrap();
    assert_eq!(ContentHash::of(&original, text.as_deref()), document.content_hash, "{:?} is torn", document.key);
}

/// The version that a document's own text names.
async fn written(store: &dyn Store, key: &DocumentKey) -> u64 {
    let text = store.document_text(&tenant(), key).await.unwrap().expect("a known document is there");
    text.split(' ').next().unwrap().parse().unwrap()
}

/// What a started process does: a run that writes new documents and new versions of old ones, and checkpoints after some,
/// so many times or until it is killed.
pub(super) async fn work(url: &str, round: u64, checkpoints: Option<usize>) {
    let store = open(url).await;
    let now = time(2 * round);
    let begun = begin(&*store, &format!("worker {round}"), 2 * round).await;
    let mut cursor = store.sync_cursor(&tenant(), &id()).await.unwrap();
    let (mut next, mut version) = (cursor.len(), 1000 * round);
    for done in 0..checkpoints.unwrap_or(usize::MAX) {
        for external_id in [next, next + 1, next + 2, next / 2] {
            version += 1;
            let new = delivery(external_id, version);
            assert!(store.upsert_document(&begun.fence, &new, now).await.unwrap().done().is_some());
            cursor.record("space", &new.item.external_id, version.to_string());
        }
        next += 3;
        let changes: Vec<CursorChange> = cursor.take_changes();
        let fenced = store.checkpoint(&begun.fence, &changes, &progress(&cursor), now, &policy()).await.unwrap();
        assert!(fenced.done().is_some());
        println!("\ndone {done}");
    }
    let finish = RunFinish::new(RunEnd::Complete, progress(&cursor));
    assert!(store.finish_run(&begun.fence, &finish, now).await.unwrap().done().is_some());
}

async fn begin(store: &dyn Store, name: &str, step: u64) -> BegunRun {
    let run = RunId(name.to_owned());
    let claim = RunClaim { run, trigger: Trigger::Manual, now: time(step), policy: policy() };
    match store.begin_run(&tenant(), &id(), &claim).await.unwrap() {
        Begin::Begun(begun) => *begun,
        other => panic!("{name} did not begin: {other:?}"),
    }
}

async fn open(url: &str) -> Arc<dyn Store> {
    if url.starts_with("postgres") {
        Arc::new(PgStore::open(url).await.unwrap())
    } else {
        Arc::new(SqliteStore::open(url).await.unwrap())
    }
}

fn progress(cursor: &SyncCursor) -> Progress {
    let mut counts = RunCounts::default();
    counts.add_many(ItemOutcome::Unchanged, cursor.len() as u64);
    Progress { counts, errors: None }
}

fn delivery(external_id: usize, version: u64) -> NewDocument {
    let item = FetchedItem {
        external_id: external_id.to_string(),
        content: format!("the original of version {version} ").repeat(50).into(),
        ..FetchedItem::default()
    };
    let text = Some(format!("{version} is the version of this text. ").repeat(50));
    NewDocument { knowledge_base: base(), item, text, conflict: ConflictStrategy::Overwrite }
}

fn source() -> DataSource {
    let source = DataSource::new(id(), tenant(), base(), time(0));
    DataSource { name: "Wiki".to_owned(), connector_type: "notion".to_owned(), ..source }
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn id() -> DataSourceId {
    DataSourceId("d1".to_owned())
}

fn base() -> KnowledgeBaseId {
    KnowledgeBaseId("kb".to_owned())
}

fn key(external_id: &str) -> DocumentKey {
    DocumentKey { data_source: id(), external_id: external_id.to_owned() }
}

/// Each step lies an hour after the one before, so that every lease of before has expired.
fn time(step: u64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + 3600 * i64::try_from(step).unwrap()).unwrap()
}

fn policy() -> LeasePolicy {
    LeasePolicy::default()
}
