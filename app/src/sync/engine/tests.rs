//! Runs of a scripted connector: what is kept, what is counted, what is left for the next run.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::sync::{
    DataSourceChange, DataSourceStatus, Deletion, DocumentKey, FailedItem, FetchedItem, KnowledgeBaseId, Note, Receipt,
    Resource, RunStatus, SkipReason, SkippedItem, Standing,
};
use headwater_ports::{
    AuthType, Changed, ConnectorMetadata, DataSourceStore, DocumentFilter, DocumentQuery, KnowledgeBase, StreamHandler,
    SyncStore,
};
use headwater_tests::fakes::{FakeClock, MemoryStore};
use jiff::SignedDuration;

use super::*;

/// What a scripted connector does next.
#[derive(Debug, Clone)]
enum Step {
    /// Hands over a document with this content, which is its version too.
    Emit(&'static str, &'static str),
    /// Hands over a document below another resource.
    Moved(&'static str),
    /// Hands over a document with these children.
    Parent(&'static str, Vec<&'static str>),
    /// Hands over a child of a document.
    Child(&'static str, &'static str),
    Delete(Vec<String>),
    Note(Note),
    Checkpoint,
    Fail(ErrorKind),
    /// Somebody else cancels the run.
    Cancelled,
    /// Waits for ever.
    Hang,
}

struct Scripted {
    steps: Vec<Step>,
    store: Arc<MemoryStore>,
    receipts: Mutex<Vec<Receipt>>,
    began_with: Mutex<Option<SyncCursor>>,
}

#[async_trait]
impl Connector for Scripted {
    fn metadata(&self) -> ConnectorMetadata {
        ConnectorMetadata {
            connector_type: "scripted",
            name: "Scripted",
            description: "A script.",
            priority: 1,
            auth_type: AuthType::None,
            capabilities: &[],
            fields: &[],
        }
    }

    async fn validate(&self, _config: &DataSourceConfig) -> Result<()> {
        Ok(())
    }

    async fn list_resources<'a>(&self, _: &DataSourceConfig, _: Option<&'a str>) -> Result<Vec<Resource>> {
        Ok(Vec::new())
    }

    async fn resolve_resource_ancestors(&self, _: &DataSourceConfig, _: &[String]) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    async fn fetch_stream(
        &self,
        _config: &DataSourceConfig,
        mut cursor: SyncCursor,
        handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor> {
        *self.began_with.lock().unwrap() = Some(cursor.clone());
        for step in self.steps.clone() {
            let item = match step {
                Step::Emit(id, content) => item(id, content),
                Step::Parent(id, children) => {
                    let children = children.into_iter().map(str::to_owned).collect();
                    FetchedItem { children: Some(children), ..item(id, id) }
                }
                Step::Moved(id) => FetchedItem { source_resource_id: "other".to_owned(), ..item(id, "1") },
                Step::Child(parent, id) => FetchedItem { parent_id: Some(parent.to_owned()), ..item(id, id) },
                Step::Delete(ids) => {
                    let deletion = |external_id| Deletion { external_id, source_resource_id: "space".to_owned() };
                    let receipts = handler.delete(ids.iter().cloned().map(deletion).collect()).await?;
                    for (id, receipt) in ids.iter().zip(&receipts) {
                        if *receipt == Receipt::Kept {
                            cursor.forget("space", id);
                        }
                    }
                    self.receipts.lock().unwrap().extend(receipts);
                    continue;
                }
                Step::Note(note) => {
                    handler.note(note).await?;
                    continue;
                }
                Step::Checkpoint => {
                    handler.checkpoint(&mut cursor).await?;
                    continue;
                }
                Step::Fail(kind) => return Err(Error::new(kind, "list the documents", "the system said no")),
                Step::Cancelled => {
                    let run = RunId("r1".to_owned());
                    assert!(self.store.cancel_run(&TenantId::default(), &run, jiff::Timestamp::UNIX_EPOCH).await?);
                    continue;
                }
                Step::Hang => std::future::pending().await,
            };
            let resource = item.source_resource_id.clone();
            let (id, version) = (item.external_id.clone(), String::from_utf8_lossy(&item.content).into_owned());
            let receipt = handler.emit(item).await?;
            if receipt == Receipt::Kept {
                cursor.record(&resource, &id, version);
            }
            self.receipts.lock().unwrap().push(receipt);
        }
        Ok(cursor)
    }
}

fn item(external_id: &str, content: &str) -> FetchedItem {
    FetchedItem {
        external_id: external_id.to_owned(),
        title: format!("Title of {external_id}"),
        content: content.to_owned().into(),
        source_resource_id: "space".to_owned(),
        ..FetchedItem::default()
    }
}

/// A timer beside a clock that moves by what is waited for, with a turn for others in between.
struct SteppingTimer(Arc<FakeClock>);

#[async_trait]
impl Timer for SteppingTimer {
    async fn sleep(&self, wait: Duration) {
        tokio::task::yield_now().await;
        self.0.advance(SignedDuration::try_from(wait).unwrap());
    }
}

struct World {
    store: Arc<MemoryStore>,
    clock: Arc<FakeClock>,
    engine: Engine,
}

impl World {
    async fn new() -> Self {
        Self::with(|_| ()).await
    }

    async fn with(change: impl FnOnce(&mut DataSource)) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::default()), Arc::new(FakeClock::default()));
        let base = KnowledgeBaseId("kb".to_owned());
        let mut source = DataSource::new(id(), TenantId::default(), base, clock.now());
        source.name = "Wiki".to_owned();
        source.connector_type = "scripted".to_owned();
        change(&mut source);
        store.create_data_source(&source).await.unwrap();
        let engine = Engine {
            store: Arc::clone(&store) as Arc<dyn Store>,
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            timer: Arc::new(SteppingTimer(Arc::clone(&clock))),
            policy: EnginePolicy::default(),
        };
        Self { store, clock, engine }
    }

    fn script(&self, steps: Vec<Step>) -> Scripted {
        let store = Arc::clone(&self.store);
        Scripted { steps, store, receipts: Mutex::default(), began_with: Mutex::default() }
    }

    async fn run(&self, name: &str, connector: &Scripted) -> RunOutcome {
        self.engine.run(connector, &DataSourceConfig::default(), &request(name)).await.unwrap()
    }

    async fn log(&self, name: &str, steps: Vec<Step>) -> SyncLog {
        match self.run(name, &self.script(steps)).await {
            RunOutcome::Finished(log) => *log,
            other => panic!("{other:?}"),
        }
    }

    async fn documents(&self, filter: DocumentFilter) -> Vec<String> {
        let knowledge_base = KnowledgeBaseId("kb".to_owned());
        let query = DocumentQuery { knowledge_base, data_source: None, filter, after: None, limit: 1000 };
        let documents = self.store.documents(&TenantId::default(), &query).await.unwrap();
        documents.into_iter().map(|document| document.key.external_id).collect()
    }

    async fn cursor(&self) -> SyncCursor {
        self.store.sync_cursor(&TenantId::default(), &id()).await.unwrap()
    }

    async fn source(&self) -> DataSource {
        self.store.data_source(&TenantId::default(), &id()).await.unwrap().unwrap()
    }

    async fn change(&self, change: DataSourceChange) {
        let revision = self.source().await.revision;
        let changed =
            self.store.change_data_source(&TenantId::default(), &id(), revision, &change, self.clock.now()).await;
        assert!(matches!(changed.unwrap(), Changed::Done(_)));
    }
}

fn id() -> DataSourceId {
    DataSourceId("d1".to_owned())
}

fn request(name: &str) -> RunRequest {
    RunRequest {
        tenant: TenantId::default(),
        data_source: id(),
        run: RunId(name.to_owned()),
        trigger: Trigger::Manual,
        reading: Reading::AsConfigured,
    }
}

fn failed(id: &str) -> Step {
    Step::Note(Note::Failed(FailedItem {
        external_id: Some(id.to_owned()),
        resource_id: None,
        title: None,
        kind: ErrorKind::HttpStatus,
        params: [("status".to_owned(), "500".to_owned())].into(),
        message: "the system failed".to_owned(),
    }))
}

fn names(range: std::ops::Range<u32>) -> Vec<String> {
    range.map(|n| format!("e{n}")).collect()
}

#[tokio::test]
async fn a_run_keeps_counts_and_records() {
    let world = World::new().await;
    let skipped = SkippedItem { external_id: "s".to_owned(), title: None, reason: SkipReason::UnsupportedType };
    let script = vec![
        Step::Emit("a", "1"),
        Step::Emit("b", "1"),
        Step::Note(Note::Skipped(skipped)),
        failed("c"),
        Step::Checkpoint,
        Step::Emit("a", "2"),
        Step::Emit("b", "1"),
        Step::Note(Note::Unchanged(7)),
    ];
    let log = world.log("r1", script).await;
    assert_eq!(log.status, RunStatus::Partial);
    assert_eq!((log.counts.created, log.counts.updated, log.counts.unchanged), (2, 1, 8));
    assert_eq!((log.counts.failed, log.counts.skipped(), log.counts.total()), (1, 1, 13));
    assert_eq!(log.errors.as_slice()[0].params["status"], "500");
    assert_eq!(world.cursor().await.version("space", "a"), Some("2"));
    assert_eq!(world.store.sync_log(&TenantId::default(), &log.run).await.unwrap(), Some(log));
}

#[tokio::test]
async fn what_ends_a_run_early_leaves_the_last_checkpoint_and_the_next_run_goes_on() {
    let world = World::new().await;
    let steps = vec![Step::Emit("a", "1"), Step::Checkpoint, Step::Emit("b", "1"), Step::Fail(ErrorKind::Timeout)];
    let log = world.log("r1", steps).await;
    assert_eq!((log.status, log.error.map(|error| error.code)), (RunStatus::Partial, Some(ErrorKind::Timeout)));
    assert_eq!(world.documents(DocumentFilter::Present).await, ["a", "b"], "what was kept is kept");
    assert_eq!(world.cursor().await.len(), 1, "and read again, which costs a request and nothing else");
    let log = world.log("r2", vec![Step::Emit("b", "1")]).await;
    assert_eq!((log.status, log.counts.unchanged), (RunStatus::Success, 1));
    assert_eq!(world.cursor().await.len(), 2);
}

#[tokio::test]
async fn refused_credentials_park_the_source_and_a_good_run_frees_it() {
    let world = World::new().await;
    let log = world.log("r1", vec![Step::Fail(ErrorKind::InvalidCredentials)]).await;
    assert_eq!(log.status, RunStatus::Failed);
    assert_eq!(world.source().await.status, DataSourceStatus::Parked(ParkReason::InvalidCredentials));
    let scheduled = RunRequest { trigger: Trigger::Schedule, ..request("r2") };
    let resting = world.engine.run(&world.script(Vec::new()), &DataSourceConfig::default(), &scheduled).await.unwrap();
    assert!(matches!(resting, RunOutcome::Resting(_)));
    world.log("r3", Vec::new()).await;
    assert_eq!(world.source().await.status, DataSourceStatus::Active);
    let log = world.log("r4", vec![Step::Fail(ErrorKind::Timeout)]).await;
    assert_eq!((log.status, world.source().await.failures), (RunStatus::Failed, 1));
    assert_eq!(world.source().await.status, DataSourceStatus::Active, "what may pass parks nothing");
}

#[tokio::test]
async fn many_deletions_wait_for_a_yes_that_is_used_up_once() {
    let world = World::new().await;
    let emits = (0..30).map(|n| Step::Emit(Box::leak(format!("e{n}").into_boxed_str()), "1")).collect();
    world.log("r1", emits).await;
    let all = Step::Delete(names(0..30));
    let log = world.log("r2", vec![all.clone()]).await;
    assert_eq!((log.status, log.counts.waiting, log.counts.deleted), (RunStatus::Success, 30, 0));
    assert_eq!((world.documents(DocumentFilter::Present).await.len(), world.cursor().await.len()), (30, 30));
    world.change(DataSourceChange { confirmed_deletions: Some(Some(29)), ..DataSourceChange::default() }).await;
    assert_eq!(world.log("r3", vec![all.clone()]).await.counts.waiting, 30, "a yes is for no more than it says");
    world.change(DataSourceChange { confirmed_deletions: Some(Some(30)), ..DataSourceChange::default() }).await;
    assert_eq!(world.log("r4", vec![all]).await.counts.deleted, 30);
    assert_eq!(world.documents(DocumentFilter::Deleted).await.len(), 30);
    assert_eq!((world.cursor().await.len(), world.source().await.confirmed_deletions), (0, None));
}

#[tokio::test]
async fn few_deletions_are_carried_out_and_unfollowed_ones_marked() {
    let world = World::new().await;
    world.log("r1", vec![Step::Emit("e0", "1"), Step::Emit("e1", "1")]).await;
    let log = world.log("r2", vec![Step::Delete(names(0..1))]).await;
    assert_eq!((log.counts.deleted, world.documents(DocumentFilter::Present).await), (1, vec!["e1".to_owned()]));
    world.change(DataSourceChange { sync_deletions: Some(false), ..DataSourceChange::default() }).await;
    let log = world.log("r3", vec![Step::Delete(names(1..2))]).await;
    assert_eq!((log.counts.deleted, log.counts.marked), (0, 1));
    assert_eq!(world.documents(DocumentFilter::Present).await, ["e1"]);
}

#[tokio::test]
async fn a_document_that_moved_to_another_resource_stays() {
    let world = World::new().await;
    world.log("r1", vec![Step::Emit("e0", "1"), Step::Emit("e1", "1")]).await;
    let log = world.log("r2", vec![Step::Moved("e0"), Step::Delete(names(0..2))]).await;
    assert_eq!((log.counts.updated, log.counts.deleted), (1, 1));
    assert_eq!(world.documents(DocumentFilter::Present).await, ["e0"]);
    let cursor = world.cursor().await;
    assert_eq!((cursor.version("other", "e0"), cursor.version("space", "e0")), (Some("1"), None));
}

#[tokio::test]
async fn children_that_are_named_no_more_go() {
    let world = World::new().await;
    let both = vec![Step::Parent("p", vec!["p#1", "p#2"]), Step::Child("p", "p#1"), Step::Child("p", "p#2")];
    world.log("r1", both).await;
    let log = world.log("r2", vec![Step::Parent("p", vec!["p#2"])]).await;
    assert_eq!((log.counts.deleted, log.counts.unchanged), (1, 1));
    assert_eq!(world.documents(DocumentFilter::Present).await, ["p", "p#2"]);
}

#[tokio::test]
async fn what_a_person_deleted_is_not_brought_back_but_can_be_restored() {
    let world = World::new().await;
    world.log("r1", vec![Step::Emit("a", "1")]).await;
    let key = DocumentKey { data_source: id(), external_id: "a".to_owned() };
    let tenant = TenantId::default();
    assert!(world.store.delete_document(&tenant, &key, world.clock.now()).await.unwrap());
    let log = world.log("r2", vec![Step::Emit("a", "2")]).await;
    assert_eq!(log.counts.skipped.get(&SkipReason::DeletedByPerson), Some(&1));
    assert!(world.documents(DocumentFilter::Present).await.is_empty());
    world.store.restore_document(&tenant, &key, world.clock.now()).await.unwrap();
    assert_eq!(world.cursor().await.version("space", "a"), None, "it is read anew");
}

#[tokio::test]
async fn a_document_that_cannot_be_kept_costs_itself_alone() {
    let world = World::new().await;
    let long = Box::leak("x".repeat(2000).into_boxed_str());
    let script = world.script(vec![Step::Emit("a", "1"), Step::Emit(long, "1"), Step::Emit("b", "1")]);
    let RunOutcome::Finished(log) = world.run("r1", &script).await else { panic!("it ends") };
    assert_eq!((log.status, log.counts.created, log.counts.failed), (RunStatus::Partial, 2, 1));
    assert_eq!(log.errors.as_slice()[0].code, ErrorKind::Malformed);
    assert_eq!(*script.receipts.lock().unwrap(), [Receipt::Kept, Receipt::NotKept, Receipt::Kept]);
    assert_eq!(world.cursor().await.len(), 2);
}

#[tokio::test]
async fn a_canceled_run_stops_at_its_next_write() {
    let world = World::new().await;
    let script = vec![Step::Emit("a", "1"), Step::Cancelled, Step::Emit("b", "1"), Step::Emit("c", "1")];
    assert_eq!(world.run("r1", &world.script(script)).await, RunOutcome::Superseded);
    assert_eq!(world.documents(DocumentFilter::Present).await, ["a"]);
    let log = world.store.sync_log(&TenantId::default(), &RunId("r1".to_owned())).await.unwrap().unwrap();
    assert_eq!(log.status, RunStatus::Canceled);
}

#[tokio::test]
async fn a_run_that_hangs_holds_its_lease_until_it_is_canceled() {
    let world = World::new().await;
    let hanging = world.script(vec![Step::Hang]);
    let config = DataSourceConfig::default();
    let wanted = request("r1");
    let run = world.engine.run(&hanging, &config, &wanted);
    let beside = async {
        // Many leases long, signs of life keep others away.
        while world.clock.now() < FakeClock::default().now() + SignedDuration::from_secs(600) {
            tokio::task::yield_now().await;
        }
        let second = world.run("r2", &world.script(Vec::new())).await;
        assert!(matches!(second, RunOutcome::AlreadyRunning(log) if log.run.0 == "r1"));
        assert!(world.store.cancel_run(&TenantId::default(), &wanted.run, world.clock.now()).await.unwrap());
    };
    let (outcome, ()) = tokio::join!(run, beside);
    assert_eq!(outcome.unwrap(), RunOutcome::Superseded, "a heartbeat finds out");
}

#[tokio::test]
async fn everything_is_read_anew_and_what_is_gone_is_still_found() {
    let world = World::new().await;
    world.log("r1", vec![Step::Emit("a", "1"), Step::Emit("b", "1")]).await;
    world.change(DataSourceChange { sync_mode: Some(SyncMode::Full), ..DataSourceChange::default() }).await;
    let script = world.script(vec![Step::Emit("a", "1"), Step::Delete(vec!["b".to_owned()])]);
    let RunOutcome::Finished(log) = world.run("r2", &script).await else { panic!("it ends") };
    assert_eq!((log.counts.unchanged, log.counts.deleted), (1, 1));
    let began_with = script.began_with.lock().unwrap().clone().unwrap();
    assert_eq!((began_with.len(), began_with.version("space", "a")), (2, Some("")));
    let cursor = world.cursor().await;
    assert_eq!((cursor.len(), cursor.version("space", "a")), (1, Some("1")));
}

#[tokio::test]
async fn a_paused_source_stays_paused_whatever_its_run_ends_with() {
    let world = World::new().await;
    world.change(DataSourceChange { standing: Some(Standing::Paused), ..DataSourceChange::default() }).await;
    world.log("r1", vec![Step::Fail(ErrorKind::InvalidCredentials)]).await;
    world.log("r2", vec![Step::Emit("a", "1")]).await;
    assert_eq!(world.source().await.status, DataSourceStatus::Paused);
}
