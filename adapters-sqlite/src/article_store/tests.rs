//! Whether lookups use the indexes they were given.

use sqlx::AssertSqlSafe;

use super::*;

async fn plan(store: &SqliteStore, query: &str) -> String {
    let rows: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}"))).fetch_all(store.readers()).await.unwrap();
    rows.into_iter().map(|(_, _, _, detail)| detail).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn known_articles_are_found_by_the_unique_index() {
    let store = SqliteStore::open("sqlite::memory:").await.unwrap();
    let plan = plan(&store, KNOWN).await;
    assert!(
        plan.contains("SEARCH article_history USING INDEX") && plan.contains("(tenant_id=? AND url_key=?)"),
        "{plan}"
    );
    assert!(!plan.contains("SCAN article_history"), "{plan}");
}
