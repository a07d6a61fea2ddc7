//! What is pruned, and what never is.

use headwater_domain::sync::{
    ConflictStrategy, DataSource, DataSourceId, FetchedItem, KnowledgeBaseId, LeasePolicy, NewDocument, Progress,
    RunEnd, RunId, Trigger,
};
use headwater_ports::{Begin, DataSourceStore, KnowledgeBase, LogPage, Removal, RunClaim, RunFinish, SyncStore};
use headwater_tests::fakes::MemoryStore;

use super::*;

fn day(day: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + 24 * 3600 * day).unwrap()
}

/// A store with a data source that ran on each of some days, and lost a document on each.
async fn filled(days: std::ops::Range<i64>) -> MemoryStore {
    let store = MemoryStore::default();
    let (tenant, id, base) = (TenantId::default(), DataSourceId("d".into()), KnowledgeBaseId("kb".into()));
    let source = DataSource::new(id.clone(), tenant.clone(), base.clone(), day(0));
    let source = DataSource { name: "Wiki".into(), connector_type: "notion".into(), ..source };
    store.create_data_source(&source).await.unwrap();
    for number in days {
        let run = RunId(format!("r{number:03}"));
        let claim = RunClaim { run, trigger: Trigger::Manual, now: day(number), policy: LeasePolicy::default() };
        let Begin::Begun(begun) = store.begin_run(&tenant, &id, &claim).await.unwrap() else { panic!("it is free") };
        let item = FetchedItem { external_id: format!("e{number}"), ..FetchedItem::default() };
        let ids = [item.external_id.clone()];
        let new = NewDocument { knowledge_base: base.clone(), item, text: None, conflict: ConflictStrategy::Overwrite };
        let fence = &begun.fence;
        assert!(store.upsert_document(fence, &new, day(number)).await.unwrap().done().is_some());
        assert!(store.remove_documents(fence, &ids, Removal::Delete, day(number)).await.unwrap().done().is_some());
        let finish = RunFinish::new(RunEnd::Complete, Progress::default());
        assert!(store.finish_run(fence, &finish, day(number)).await.unwrap().done().is_some());
    }
    store
}

#[tokio::test]
async fn logs_and_deleted_documents_go_after_thirty_days_unless_told_otherwise() {
    let store = filled(0..40).await;
    let cutoffs = Cutoffs::of(&StoreConfig::default(), day(39));
    let pruned = prune(&store, &TenantId::default(), cutoffs).await.unwrap();
    assert_eq!(pruned, Pruned { runs: 0, articles: 0, sync_logs: 9, documents: 9 });
    let page = LogPage { after: None, offset: 0, limit: 100 };
    let logs = store.sync_logs(&TenantId::default(), &DataSourceId("d".into()), &page).await.unwrap();
    assert_eq!(logs.last().map(|log| log.run.0.as_str()), Some("r009"));
}

#[tokio::test]
async fn a_deleted_document_can_be_restored_for_thirty_days_whatever_is_configured() {
    let store = filled(0..40).await;
    let config = StoreConfig { keep_sync_logs_days: Some(1), keep_deleted_days: Some(1), ..StoreConfig::default() };
    let pruned = prune(&store, &TenantId::default(), Cutoffs::of(&config, day(39))).await.unwrap();
    assert_eq!((pruned.sync_logs, pruned.documents), (38, 9));
    let config = StoreConfig { keep_deleted_days: Some(500), ..config };
    let pruned = prune(&store, &TenantId::default(), Cutoffs::of(&config, day(300))).await.unwrap();
    assert_eq!((pruned.sync_logs, pruned.documents), (1, 0), "all but the newest log go");
}
