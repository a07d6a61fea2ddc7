//! Whether what is due is found by its index.

use sqlx::AssertSqlSafe;

use super::*;

#[tokio::test]
async fn due_schedules_are_found_by_their_index() {
    let store = SqliteStore::open("sqlite::memory:").await.unwrap();
    let rows: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {DUE}"))).fetch_all(store.readers()).await.unwrap();
    let plan = rows.into_iter().map(|row| row.3).collect::<Vec<_>>().join("\n");
    assert!(plan.contains("SEARCH schedules USING INDEX schedules_due (next_fire<?)"), "{plan}");
}
