//! Whether questions for data sources and documents use the indexes they were given, and bytes stand where they should.

use headwater_domain::sync::{ConflictStrategy, DataSource, FetchedItem, KnowledgeBaseId, LeasePolicy, RunId, Trigger};
use headwater_ports::{Begin, DataSourceStore, RunClaim, SyncStore};
use sqlx::AssertSqlSafe;

use super::*;

#[track_caller]
fn check(plan: &str, expected: &str) {
    assert!(plan.contains(expected) && !plan.contains("SCAN documents"), "{plan}");
}

async fn plan(store: &SqliteStore, query: &str) -> String {
    let rows: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}"))).fetch_all(store.readers()).await.unwrap();
    rows.into_iter().map(|(_, _, _, detail)| detail).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn documents_are_found_by_their_indexes() {
    let store = SqliteStore::open("sqlite::memory:").await.unwrap();
    let key = "(tenant_id=? AND data_source_id=? AND external_id=?)";
    check(&plan(&store, document::ONE).await, key);
    check(&plan(&store, content::ORIGINAL).await, key);
    check(&plan(&store, DELETE).await, key);
    check(&plan(&store, DELETE).await, "documents_of_parent (tenant_id=? AND data_source_id=? AND parent_id=?)");
    check(&plan(&store, SWEEP).await, "documents_of_parent (tenant_id=? AND data_source_id=? AND parent_id=?)");
    let page = plan(&store, document::PRESENT).await;
    check(&page, "documents_of_base (tenant_id=? AND knowledge_base_id=? AND (data_source_id,external_id)>(?,?))");
    assert!(!page.contains("TEMP B-TREE"), "{page}");
}

#[tokio::test]
async fn an_old_version_leaves_nothing_behind() {
    let store = SqliteStore::open("sqlite::memory:").await.unwrap();
    let (tenant, base) = (TenantId::default(), KnowledgeBaseId("kb".to_owned()));
    let id = DataSourceId("d1".to_owned());
    let source = DataSource {
        name: "Wiki".to_owned(),
        connector_type: "notion".to_owned(),
        ..DataSource::new(id.clone(), tenant.clone(), base.clone(), Timestamp::UNIX_EPOCH)
    };
    store.create_data_source(&source).await.unwrap();
    let claim = RunClaim {
        run: RunId("r1".to_owned()),
        trigger: Trigger::Manual,
        now: Timestamp::UNIX_EPOCH,
        policy: LeasePolicy::default(),
    };
    let Begin::Begun(begun) = store.begin_run(&tenant, &id, &claim).await.unwrap() else { panic!("it is free") };
    for content in ["words ".repeat(1000), "other ".repeat(1000)] {
        let item = FetchedItem { external_id: "e1".to_owned(), content: content.into(), ..FetchedItem::default() };
        let new = NewDocument { knowledge_base: base.clone(), item, text: None, conflict: ConflictStrategy::Overwrite };
        assert!(store.upsert_document(&begun.fence, &new, Timestamp::UNIX_EPOCH).await.unwrap().done().is_some());
    }
    let rows: Vec<(i64, i64, String)> =
        sqlx::query_as("SELECT version, length(original), original_coding FROM document_contents")
            .fetch_all(store.readers())
            .await
            .unwrap();
    assert!(matches!(&rows[..], [(2, size, coding)] if *size < 100 && coding == "zstd"), "{rows:?}");
}
