//! What the suites of the stores for data sources have in common: a source, a run, a document, a clock that is a number.

use std::time::Duration;

use bytes::Bytes;
use headwater_domain::sync::{
    ConflictStrategy, CursorChange, DataSource, DataSourceId, DocumentKey, Fence, FetchedItem, ItemOutcome,
    KnowledgeBaseId, LeasePolicy, NewDocument, Progress, RunCounts, RunId, SyncCursor, SyncLog, Trigger,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Begin, BegunRun, Fenced, RunClaim, SyncStore};
use jiff::Timestamp;

/// The tenant of most checks.
pub(crate) fn tenant() -> TenantId {
    TenantId::default()
}

/// Another tenant.
pub(crate) fn stranger() -> TenantId {
    TenantId("other".to_owned())
}

/// So many seconds after a moment.
pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + second).expect("a time of the year 2026")
}

/// An id of a data source.
pub(crate) fn id(name: &str) -> DataSourceId {
    DataSourceId(name.to_owned())
}

/// The one knowledge base.
pub(crate) fn base() -> KnowledgeBaseId {
    KnowledgeBaseId("kb".to_owned())
}

/// A data source that can be kept, made at second `made`.
pub(crate) fn source(name: &str, made: i64) -> DataSource {
    DataSource {
        name: format!("Wiki {name}"),
        connector_type: "notion".to_owned(),
        ..DataSource::new(id(name), tenant(), base(), at(made))
    }
}

/// The id of a run.
pub(crate) fn run(name: &str) -> RunId {
    RunId(name.to_owned())
}

/// The policy of the checks: a minute, and three dead runs.
pub(crate) fn policy() -> LeasePolicy {
    LeasePolicy { duration: Duration::from_secs(60), max_attempts: 3 }
}

/// A claim by hand.
pub(crate) fn claim(name: &str, second: i64) -> RunClaim {
    RunClaim { run: run(name), trigger: Trigger::Manual, now: at(second), policy: policy() }
}

/// Begins a run that nothing stands in the way of.
pub(crate) async fn begin<S: SyncStore + ?Sized>(store: &S, source: &str, name: &str, second: i64) -> BegunRun {
    match store.begin_run(&tenant(), &id(source), &claim(name, second)).await.expect("the store works") {
        Begin::Begun(begun) => *begun,
        other => panic!("run {name} did not begin: {other:?}"),
    }
}

/// What a write that is let in gives.
pub(crate) fn done<T: std::fmt::Debug>(result: headwater_ports::Result<Fenced<T>>) -> T {
    match result.expect("the store works") {
        Fenced::Done(value) => value,
        Fenced::Stale => panic!("the write was refused"),
    }
}

/// Whether a write was refused.
pub(crate) fn refused<T>(result: headwater_ports::Result<Fenced<T>>) -> bool {
    matches!(result.expect("the store works"), Fenced::Stale)
}

/// The changes that make a cursor know these documents.
pub(crate) fn known(documents: &[(&str, &str)]) -> Vec<CursorChange> {
    let mut cursor = SyncCursor::default();
    documents.iter().for_each(|(id, version)| cursor.record("space", id, *version));
    cursor.take_changes()
}

/// The progress of a run that made so many documents.
pub(crate) fn created(number: u64) -> Progress {
    let mut counts = RunCounts::default();
    counts.add_many(ItemOutcome::Created, number);
    Progress { counts, errors: None }
}

/// A document with this content.
pub(crate) fn delivery(external_id: &str, content: &str) -> NewDocument {
    let item = FetchedItem {
        external_id: external_id.to_owned(),
        title: format!("Title of {external_id}"),
        content: Bytes::copy_from_slice(content.as_bytes()),
        content_type: "text/markdown".to_owned(),
        file_name: "title.md".to_owned(),
        path: vec!["Folder".to_owned()],
        source_resource_id: "space".to_owned(),
        updated_at: Some(at(0)),
        ..FetchedItem::default()
    };
    NewDocument { knowledge_base: base(), item, text: None, conflict: ConflictStrategy::Overwrite }
}

/// A document that is a child of another.
pub(crate) fn child(parent: &str, external_id: &str) -> NewDocument {
    let mut child = delivery(external_id, external_id);
    child.item.parent_id = Some(parent.to_owned());
    child
}

/// The key of a document of a run's source.
pub(crate) fn key(source: &str, external_id: &str) -> DocumentKey {
    DocumentKey { data_source: id(source), external_id: external_id.to_owned() }
}

/// The fence as another tenant would forge it.
pub(crate) fn forged(fence: &Fence) -> Fence {
    Fence { tenant: stranger(), ..fence.clone() }
}

/// The ids of the runs of logs.
pub(crate) fn runs(logs: &[SyncLog]) -> Vec<&str> {
    logs.iter().map(|log| log.run.0.as_str()).collect()
}
