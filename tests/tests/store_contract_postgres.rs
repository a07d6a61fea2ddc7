//! Does the PostgreSQL store keep the contracts of the store ports?
//!
//! One test for all checks, since the server is started once; each check has a database of its own.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

use std::sync::Arc;

use headwater_adapters_postgres::{PgAdmin, PgStore};
use headwater_domain::ErrorKind;
use headwater_ports::{MigrationReport, StoreAdmin};
use headwater_tests::contract::Check;
use headwater_tests::postgres::PostgresServer;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_promise_is_kept() {
    let server = PostgresServer::start().await;
    let mut checks: Vec<(&str, Check<PgStore>)> = Vec::new();
    checks.extend(headwater_tests::source_store_contract!(list for PgStore));
    checks.extend(headwater_tests::article_store_contract!(list for PgStore));
    checks.extend(headwater_tests::feed_store_contract!(list for PgStore));
    checks.extend(headwater_tests::secret_store_contract!(list for PgStore));
    checks.extend(headwater_tests::retention_contract!(list for PgStore));
    checks.extend(headwater_tests::job_queue_contract!(list for PgStore));
    checks.extend(headwater_tests::schedule_store_contract!(list for PgStore));
    checks.extend(headwater_tests::slot_store_contract!(list for PgStore));
    checks.extend(headwater_tests::delivery_store_contract!(list for PgStore));
    checks.extend(headwater_tests::answer_store_contract!(list for PgStore));
    checks.extend(headwater_tests::data_source_store_contract!(list for PgStore));
    checks.extend(headwater_tests::sync_store_contract!(list for PgStore));
    checks.extend(headwater_tests::knowledge_base_contract!(list for PgStore));
    checks.extend(headwater_tests::document_removal_contract!(list for PgStore));

    let mut broken = Vec::new();
    for (name, check) in checks {
        let store = Arc::new(PgStore::open(&server.database().await).await.unwrap());
        if tokio::spawn(check(Arc::clone(&store))).await.is_err() {
            broken.push(name);
        }
        store.close().await;
    }
    assert_eq!(broken, Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_is_opened_and_looked_after() {
    let server = PostgresServer::start().await;
    of_concurrent_starts_one_migrates(&server.database().await).await;
    a_newer_schema_is_refused(&server.database().await).await;
    a_missing_database_is_named(&server.database().await).await;
    lookups_use_indexes(&server.database().await).await;
    every_table_of_rows_has_a_tenant(&server.database().await).await;
}

async fn of_concurrent_starts_one_migrates(url: &str) {
    let starts: Vec<_> = (0..8)
        .map(|_| {
            tokio::spawn({
                let url = url.to_owned();
                async move { migrate(&url).await }
            })
        })
        .collect();
    let mut reports = Vec::new();
    for start in starts {
        reports.push(start.await.unwrap());
    }
    assert_eq!(reports.iter().filter(|report| report.from == 0).count(), 1, "{reports:?}");
    let status = PgAdmin::new(url).unwrap().status().await.unwrap();
    assert_eq!((status.engine, status.schema_version), ("postgres", status.latest_version));
    assert!(status.tables.contains(&("sources".to_owned(), 0)), "{:?}", status.tables);
    assert_eq!(PgAdmin::new(url).unwrap().check().await.unwrap(), Vec::<String>::new());
}

async fn a_newer_schema_is_refused(url: &str) {
    migrate(url).await;
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql("UPDATE schema_version SET version = 99").execute(&mut connection).await.unwrap();
    let error = PgStore::open(url).await.unwrap_err();
    assert!(error.detail.contains("a newer Headwater wrote it"), "{error}");
    assert_eq!(PgAdmin::new(url).unwrap().check().await.unwrap().len(), 1);
}

async fn a_missing_database_is_named(url: &str) {
    let missing = url.replace("headwater_test_", "no_such_");
    let error = PgStore::open(&missing).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Store);
    assert!(error.detail.ends_with("is not there") && error.hint.is_some(), "{error}");
}

async fn lookups_use_indexes(url: &str) {
    migrate(url).await;
    let mut connection = PgConnection::connect(url).await.unwrap();
    // Enough rows that the planner has something to choose by.
    sqlx::raw_sql(
        "INSERT INTO documents (tenant_id, data_source_id, external_id, knowledge_base_id, version, content_hash,
             size_bytes, title, file_name, content_type, path, metadata, source_resource_id, kept_at)
         SELECT 't', 'd' || n % 20, 'e' || n, 'k' || n % 10, 1, '', 0, '', '', '', '[]', '{}', '', now()
         FROM generate_series(1, 4000) AS n; ANALYZE documents",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    // Without sequential scans the planner shows whether an index serves the question at all.
    sqlx::raw_sql("SET enable_seqscan = off").execute(&mut connection).await.unwrap();
    // An empty table makes all indexes of a tenant equally good.
    sqlx::raw_sql(
        "INSERT INTO article_history
             (tenant_id, key_digest, url_key, url, source_url, fate, seen_at, run_id, simhash, shingles)
         SELECT 't', decode(md5(n::text), 'hex'), 'key ' || n, 'u', 's', 'kept', now(), 'r', n * 2654435761 * 65537, 100
         FROM generate_series(1, 5000) n;
         ANALYZE article_history",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    for (question, index) in [
        (
            "SELECT * FROM article_history WHERE tenant_id = 't' AND key_digest = ANY(ARRAY['a', 'b']::bytea[])",
            "article_history_key",
        ),
        (
            "SELECT key_digest FROM article_history
             WHERE tenant_id = 't' AND key_digest = ANY(ARRAY['a', 'b']::bytea[]) AND fate = 'failed'",
            "article_history_failed",
        ),
        (
            "SELECT * FROM article_history WHERE tenant_id = 't' AND simhash IS NOT NULL AND seen_at >= '2026-01-01'
             AND ((simhash & 65535) = ANY(ARRAY[1, 2]::bigint[]) OR ((simhash >> 48) & 65535) = ANY(ARRAY[3]::bigint[]))",
            "article_history_band_3",
        ),
        (
            "SELECT * FROM sources WHERE tenant_id = 't' AND url_key = ANY(ARRAY['a', 'b'])",
            "sources_tenant_id_url_key_key",
        ),
        ("SELECT * FROM schedules WHERE next_fire <= now() ORDER BY next_fire LIMIT 9", "schedules_due"),
        ("SELECT * FROM feed_memory WHERE tenant_id = 't' AND feed_url = 'a'", "feed_memory_pkey"),
        (
            "SELECT * FROM documents WHERE tenant_id = 't' AND data_source_id = 'd1' AND external_id = 'e1'",
            "documents_pkey",
        ),
        (
            "SELECT * FROM documents WHERE tenant_id = 't' AND knowledge_base_id = 'k1'
             AND (data_source_id, external_id) > ('d1', 'e1') ORDER BY data_source_id, external_id LIMIT 10",
            "documents_of_base",
        ),
        (
            "SELECT * FROM documents WHERE tenant_id = 't' AND data_source_id = 'd' AND parent_id = ANY(ARRAY['a', 'b'])",
            "documents_of_parent",
        ),
        (
            "SELECT original FROM document_contents
             WHERE tenant_id = 't' AND data_source_id = 'd' AND external_id = 'e' AND version = 1",
            "document_contents_pkey",
        ),
        (
            "SELECT * FROM sync_logs WHERE tenant_id = 't' AND data_source_id = 'd' ORDER BY started_at DESC, run_id DESC",
            "sync_logs_newest",
        ),
        ("SELECT * FROM sync_known WHERE tenant_id = 't' AND data_source_id = 'd'", "sync_known_pkey"),
    ] {
        let explain = AssertSqlSafe(format!("EXPLAIN {question}"));
        let plan: Vec<String> = sqlx::query_scalar(explain).fetch_all(&mut connection).await.unwrap();
        let plan = plan.join("\n");
        assert!(plan.contains(index) && plan.contains("Index Cond"), "{plan}");
    }
}

async fn every_table_of_rows_has_a_tenant(url: &str) {
    migrate(url).await;
    let mut connection = PgConnection::connect(url).await.unwrap();
    let without: Vec<String> = sqlx::query_scalar(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND NOT EXISTS (
             SELECT 1 FROM information_schema.columns
             WHERE table_name = tablename AND column_name = 'tenant_id' AND is_nullable = 'NO')",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    assert_eq!(without, ["schema_version"], "it describes the database, and is nobody's");
}

async fn migrate(url: &str) -> MigrationReport {
    PgAdmin::new(url).unwrap().migrate().await.unwrap()
}
