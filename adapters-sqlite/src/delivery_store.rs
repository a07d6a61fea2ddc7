//! Keeps which sinks have which digest.

use async_trait::async_trait;
use headwater_domain::synthesis::delivery::{DeliveryRecord, DeliveryState};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{DeliveryStore, Result};
use jiff::Timestamp;
use serde_json::json;

use crate::SqliteStore;
use crate::columns::{count, parse_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl DeliveryStore for SqliteStore {
    async fn owe<'a>(&self, tenant: &TenantId, run_id: &'a str, sinks: &[String], now: Timestamp) -> Result<()> {
        let mut transaction = self.begin(SAVE).await?;
        sqlx::query(
            "INSERT INTO deliveries (tenant_id, run_id, sink, state, changed_at)
             SELECT ?1, ?2, value, 'owed', ?4 FROM json_each(?3) WHERE TRUE
             ON CONFLICT (tenant_id, run_id, sink) DO NOTHING",
        )
        .bind(&tenant.0)
        .bind(run_id)
        .bind(json!(sinks).to_string())
        .bind(time_text(now))
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(SAVE))?;
        transaction.commit().await.map_err(self.failed(SAVE))
    }

    async fn owed(&self, tenant: &TenantId, sinks: &[String], limit: usize) -> Result<Vec<DeliveryRecord>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT run_id, sink, state, attempts, changed_at, problem FROM deliveries
             WHERE tenant_id = ?1 AND state = 'owed' AND sink IN (SELECT value FROM json_each(?2))
               AND EXISTS (SELECT 1 FROM runs
                           WHERE runs.tenant_id = deliveries.tenant_id AND runs.run_id = deliveries.run_id)
             ORDER BY run_id, sink LIMIT ?3",
        )
        .bind(&tenant.0)
        .bind(json!(sinks).to_string())
        .bind(count(limit))
        .fetch_all(self.readers())
        .await
        .map_err(self.failed(READ))?;
        rows.into_iter().map(|row| self.delivery(row)).collect()
    }

    async fn deliveries<'a>(&self, tenant: &TenantId, run_id: &'a str) -> Result<Vec<DeliveryRecord>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT run_id, sink, state, attempts, changed_at, problem FROM deliveries
             WHERE tenant_id = ?1 AND run_id = ?2 ORDER BY sink",
        )
        .bind(&tenant.0)
        .bind(run_id)
        .fetch_all(self.readers())
        .await
        .map_err(self.failed(READ))?;
        rows.into_iter().map(|row| self.delivery(row)).collect()
    }

    async fn save_delivery(&self, tenant: &TenantId, record: &DeliveryRecord) -> Result<bool> {
        let mut transaction = self.begin(SAVE).await?;
        let saved = sqlx::query(
            "INSERT INTO deliveries (tenant_id, run_id, sink, state, attempts, changed_at, problem)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (tenant_id, run_id, sink) DO UPDATE SET
                 state = excluded.state, attempts = excluded.attempts, changed_at = excluded.changed_at,
                 problem = excluded.problem
             WHERE deliveries.state <> 'delivered'",
        )
        .bind(&tenant.0)
        .bind(&record.run_id)
        .bind(&record.sink)
        .bind(record.state.as_str())
        .bind(i64::from(record.attempts))
        .bind(time_text(record.changed_at))
        .bind(record.problem.as_deref().map(text))
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(SAVE))?;
        transaction.commit().await.map_err(self.failed(SAVE))?;
        Ok(saved.rows_affected() > 0)
    }

    async fn forget_deliveries(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        self.forget(
            "DELETE FROM deliveries WHERE rowid IN (
                 SELECT rowid FROM deliveries WHERE tenant_id = ?1 AND changed_at < ?2 LIMIT ?3)",
            tenant,
            before,
            limit,
        )
        .await
    }
}

impl SqliteStore {
    fn delivery(&self, row: Row) -> Result<DeliveryRecord> {
        let (run_id, sink, state, attempts, changed_at, problem) = row;
        let (Some(state), Some(changed_at)) = (DeliveryState::parse(&state), parse_time(&changed_at)) else {
            return Err(unreadable(&self.name(), READ, "the record of a delivery"));
        };
        let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
        Ok(DeliveryRecord { run_id, sink, state, attempts, changed_at, problem })
    }
}

/// `run_id`, `sink`, `state`, `attempts`, `changed_at`, `problem`.
type Row = (String, String, String, i64, String, Option<String>);

const READ: &str = "read the deliveries";
const SAVE: &str = "save a delivery";
