//! Does every store keep the contracts of the store ports?
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

mod fake {
    use std::sync::Arc;

    use headwater_tests::fakes::MemoryStore;

    async fn fresh() -> (Arc<MemoryStore>, ()) {
        (Arc::new(MemoryStore::default()), ())
    }

    headwater_tests::source_store_contract!(tests with fresh);
    headwater_tests::article_store_contract!(tests with fresh);
    headwater_tests::feed_store_contract!(tests with fresh);
    headwater_tests::secret_store_contract!(tests with fresh);
    headwater_tests::retention_contract!(tests with fresh);
    headwater_tests::job_queue_contract!(tests with fresh);
    headwater_tests::schedule_store_contract!(tests with fresh);
    headwater_tests::slot_store_contract!(tests with fresh);
    headwater_tests::delivery_store_contract!(tests with fresh);
    headwater_tests::answer_store_contract!(tests with fresh);
    headwater_tests::data_source_store_contract!(tests with fresh);
    headwater_tests::sync_store_contract!(tests with fresh);
    headwater_tests::knowledge_base_contract!(tests with fresh);
    headwater_tests::document_removal_contract!(tests with fresh);
}

mod sqlite_file {
    use std::sync::Arc;

    use headwater_adapters_sqlite::SqliteStore;
    use tempfile::TempDir;

    async fn fresh() -> (Arc<SqliteStore>, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("new/folder/headwater.db").to_str().unwrap()).await.unwrap();
        (Arc::new(store), folder)
    }

    headwater_tests::source_store_contract!(tests with fresh);
    headwater_tests::article_store_contract!(tests with fresh);
    headwater_tests::feed_store_contract!(tests with fresh);
    headwater_tests::secret_store_contract!(tests with fresh);
    headwater_tests::retention_contract!(tests with fresh);
    headwater_tests::job_queue_contract!(tests with fresh);
    headwater_tests::schedule_store_contract!(tests with fresh);
    headwater_tests::slot_store_contract!(tests with fresh);
    headwater_tests::delivery_store_contract!(tests with fresh);
    headwater_tests::answer_store_contract!(tests with fresh);
    headwater_tests::data_source_store_contract!(tests with fresh);
    headwater_tests::sync_store_contract!(tests with fresh);
    headwater_tests::knowledge_base_contract!(tests with fresh);
    headwater_tests::document_removal_contract!(tests with fresh);
}

mod sqlite_in_memory {
    use std::sync::Arc;

    use headwater_adapters_sqlite::SqliteStore;

    async fn fresh() -> (Arc<SqliteStore>, ()) {
        (Arc::new(SqliteStore::open("sqlite::memory:").await.unwrap()), ())
    }

    headwater_tests::source_store_contract!(tests with fresh);
    headwater_tests::article_store_contract!(tests with fresh);
    headwater_tests::feed_store_contract!(tests with fresh);
    headwater_tests::secret_store_contract!(tests with fresh);
    headwater_tests::retention_contract!(tests with fresh);
    headwater_tests::job_queue_contract!(tests with fresh);
    headwater_tests::schedule_store_contract!(tests with fresh);
    headwater_tests::slot_store_contract!(tests with fresh);
    headwater_tests::delivery_store_contract!(tests with fresh);
    headwater_tests::answer_store_contract!(tests with fresh);
    headwater_tests::data_source_store_contract!(tests with fresh);
    headwater_tests::sync_store_contract!(tests with fresh);
    headwater_tests::knowledge_base_contract!(tests with fresh);
    headwater_tests::document_removal_contract!(tests with fresh);
}
