//! Whether jobs are found by their indexes.

use sqlx::AssertSqlSafe;

use super::*;

#[tokio::test]
async fn due_and_lost_jobs_are_found_by_their_indexes() {
    let store = SqliteStore::open("sqlite::memory:").await.unwrap();
    for (statement, search) in [
        (CLAIM, "SEARCH jobs USING INDEX jobs_due (not_before<?)"),
        (LET_GO, "SEARCH jobs USING INDEX jobs_held (claimed_at<?)"),
        (GIVE_UP, "SEARCH jobs USING INDEX jobs_held (claimed_at<?)"),
        (END, "SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)"),
    ] {
        let rows: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}")))
                .fetch_all(store.readers())
                .await
                .unwrap();
        let plan = rows.into_iter().map(|row| row.3).collect::<Vec<_>>().join("\n");
        assert!(plan.contains(search), "{plan}");
    }
}
