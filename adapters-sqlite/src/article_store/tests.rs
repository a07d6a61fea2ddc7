//! Whether lookups use the indexes they were given.

use sqlx::AssertSqlSafe;

use super::*;

async fn plan(query: &str) -> String {
    let store = SqliteStore::open("sqlite::memory:").await.unwrap();
    let rows: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}"))).fetch_all(store.readers()).await.unwrap();
    rows.into_iter().map(|(_, _, _, detail)| detail).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn assert_searches(plan: &str, search: &str) {
    assert!(plan.contains(search) && plan.contains("(tenant_id=? AND key_digest=?)"), "{plan}");
    assert!(!plan.contains("SCAN article_history"), "{plan}");
}

#[tokio::test]
async fn known_articles_are_found_by_the_unique_index() {
    assert_searches(&plan(KNOWN).await, "SEARCH article_history USING INDEX article_history_key ");
}

#[tokio::test]
async fn whether_articles_are_known_is_answered_by_the_index_alone() {
    assert_searches(&plan(KNOWN_DIGESTS).await, "SEARCH article_history USING COVERING INDEX article_history_key ");
}

#[tokio::test]
async fn failed_articles_are_found_by_their_own_index() {
    assert_searches(&plan(FAILED_DIGESTS).await, "SEARCH article_history USING COVERING INDEX article_history_failed ");
}

#[tokio::test]
async fn copies_are_found_by_the_index_of_each_quarter() {
    for (part, select) in NEAR.into_iter().enumerate() {
        let plan = plan(select).await;
        assert!(
            plan.contains(&format!("USING INDEX article_history_band_{part} (tenant_id=? AND <expr>=?)")),
            "{plan}"
        );
    }
}
