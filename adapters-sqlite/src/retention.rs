//! Lets go of what is old.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, Retention};
use jiff::Timestamp;
use serde_json::json;

use crate::SqliteStore;
use crate::columns::{count, time_text};

#[async_trait]
impl Retention for SqliteStore {
    async fn forget_runs(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        self.forget(
            "DELETE FROM runs WHERE rowid IN (
                 SELECT rowid FROM runs WHERE tenant_id = ?1 AND finished_at < ?2 LIMIT ?3)",
            tenant,
            before,
            limit,
        )
        .await
    }

    async fn forget_articles(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        self.forget(
            "DELETE FROM article_history WHERE rowid IN (
                 SELECT rowid FROM article_history WHERE tenant_id = ?1 AND seen_at < ?2 LIMIT ?3)",
            tenant,
            before,
            limit,
        )
        .await
    }

    async fn forget_sync_logs(
        &self,
        tenant: &TenantId,
        now: Timestamp,
        days: Option<u32>,
        limit: usize,
    ) -> Result<usize> {
        let mut transaction = self.begin(OPERATION).await?;
        let removed = sqlx::query(FORGET_SYNC_LOGS)
            .bind(&tenant.0)
            .bind(time_text(now))
            .bind(days.map(i64::from))
            .bind(count(limit))
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(usize::try_from(removed.rows_affected()).unwrap_or(usize::MAX))
    }

    async fn forget_documents(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        let mut transaction = self.begin(OPERATION).await?;
        let old: Vec<(String, String)> = sqlx::query_as(OLD_DOCUMENTS)
            .bind(&tenant.0)
            .bind(time_text(before))
            .bind(count(limit))
            .fetch_all(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        let batch = json!(old).to_string();
        for statement in FORGET_DOCUMENTS {
            sqlx::query(statement)
                .bind(&tenant.0)
                .bind(&batch)
                .execute(&mut *transaction)
                .await
                .map_err(self.failed(OPERATION))?;
        }
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(old.len())
    }
}

impl SqliteStore {
    pub(crate) async fn forget(
        &self,
        delete: &'static str,
        tenant: &TenantId,
        before: Timestamp,
        limit: usize,
    ) -> Result<usize> {
        let mut transaction = self.begin(OPERATION).await?;
        let removed = sqlx::query(delete)
            .bind(&tenant.0)
            .bind(time_text(before))
            .bind(count(limit))
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(usize::try_from(removed.rows_affected()).unwrap_or(usize::MAX))
    }
}

/// Source by source, from the index of its logs. What neither the source nor the configuration sets a time for never is
/// old: nothing is smaller than NULL.
const FORGET_SYNC_LOGS: &str = "
    DELETE FROM sync_logs WHERE rowid IN (
        SELECT old.rowid
        FROM (SELECT id, strftime('%Y-%m-%dT%H:%M:%f000Z', ?2, '-' || coalesce(log_retention_days, ?3) || ' days') AS edge
              FROM data_sources WHERE tenant_id = ?1) AS source
        JOIN sync_logs AS old ON old.tenant_id = ?1 AND old.data_source_id = source.id AND old.started_at < source.edge
        WHERE old.status <> 'running' AND old.finished_at < source.edge AND EXISTS (
            SELECT 1 FROM sync_logs AS newer
            WHERE newer.tenant_id = ?1 AND newer.data_source_id = source.id
              AND (newer.started_at, newer.run_id) > (old.started_at, old.run_id))
        LIMIT ?4)";

const OLD_DOCUMENTS: &str = "SELECT data_source_id, external_id FROM documents
     WHERE tenant_id = ?1 AND deleted_at < ?2 AND deleted_at IS NOT NULL AND NOT content_gone LIMIT ?3";

/// The content goes; then what a person deleted stays as a mark, and what the source deleted goes.
const FORGET_DOCUMENTS: [&str; 3] = [
    "DELETE FROM document_contents WHERE tenant_id = ?1 AND (data_source_id, external_id) IN (
         SELECT value ->> '$[0]', value ->> '$[1]' FROM json_each(?2))",
    "UPDATE documents SET content_gone = TRUE
     WHERE tenant_id = ?1 AND deleted_by = 'person' AND (data_source_id, external_id) IN (
         SELECT value ->> '$[0]', value ->> '$[1]' FROM json_each(?2))",
    "DELETE FROM documents
     WHERE tenant_id = ?1 AND deleted_by = 'source' AND (data_source_id, external_id) IN (
         SELECT value ->> '$[0]', value ->> '$[1]' FROM json_each(?2))",
];

const OPERATION: &str = "remove old rows";
