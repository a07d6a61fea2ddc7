//! Lets go of what is old.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, Retention};
use jiff::Timestamp;

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

const OPERATION: &str = "remove old rows";
