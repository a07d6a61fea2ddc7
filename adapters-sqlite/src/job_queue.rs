//! Wakes workers: a small table, asked now and then.

use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::jobs::{Claim, Job, Ring, Waiting};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{JobQueue, Result};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sqlx::{Sqlite, Transaction};

use crate::SqliteStore;
use crate::columns::{parse_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl JobQueue for SqliteStore {
    async fn ring(&self, ring: &Ring) -> Result<bool> {
        let mut transaction = self.begin(RING).await?;
        let rung = self.ring_within(&mut transaction, ring).await?;
        transaction.commit().await.map_err(self.failed(RING))?;
        self.bell().notify_one();
        Ok(rung)
    }

    async fn take(&self, kinds: &[String], now: Timestamp, lease: Duration) -> Result<Option<Job>> {
        let mut transaction = self.begin(TAKE).await?;
        for statement in [GIVE_UP, LET_GO] {
            sqlx::query(statement)
                .bind(time_text(lease_start(now, lease)))
                .execute(&mut *transaction)
                .await
                .map_err(self.failed(TAKE))?;
        }
        let row: Option<JobRow> = sqlx::query_as(CLAIM)
            .bind(json!(kinds.iter().map(|kind| text(kind)).collect::<Vec<_>>()).to_string())
            .bind(time_text(now))
            .fetch_optional(&mut *transaction)
            .await
            .map_err(self.failed(TAKE))?;
        transaction.commit().await.map_err(self.failed(TAKE))?;
        Ok(row.map(|(tenant, job, key, kind, payload, attempt, max_attempts)| Job {
            tenant: TenantId(tenant),
            key,
            kind,
            payload,
            claim: Claim { job, attempt },
            max_attempts,
        }))
    }

    async fn extend(&self, claim: Claim, now: Timestamp) -> Result<bool> {
        const EXTEND: &str =
            "UPDATE jobs SET claimed_at = ?3 WHERE job_id = ?1 AND attempts = ?2 AND claimed_at IS NOT NULL";
        self.change(EXTEND, claim, Some(now)).await
    }

    async fn done(&self, claim: Claim) -> Result<bool> {
        self.change(END, claim, None).await
    }

    async fn failed(&self, claim: Claim, retry_at: Option<Timestamp>) -> Result<bool> {
        const AGAIN: &str = "UPDATE jobs SET claimed_at = NULL, not_before = ?3
             WHERE job_id = ?1 AND attempts = ?2 AND claimed_at IS NOT NULL AND attempts < max_attempts";
        if retry_at.is_some() && self.change(AGAIN, claim, retry_at).await? {
            return Ok(true);
        }
        self.change(END, claim, None).await
    }

    async fn waiting<'a>(&self, tenant: &TenantId, key: &'a str) -> Result<Option<Waiting>> {
        const OPERATION: &str = "read a job";
        let row: Option<(String, u32, Option<String>)> =
            sqlx::query_as("SELECT not_before, attempts, claimed_at FROM jobs WHERE tenant_id = ?1 AND job_key = ?2")
                .bind(&tenant.0)
                .bind(text(key).as_ref())
                .fetch_optional(self.readers())
                .await
                .map_err(self.failed(OPERATION))?;
        let Some((not_before, attempts, claimed_at)) = row else { return Ok(None) };
        let not_before =
            parse_time(&not_before).ok_or_else(|| unreadable(&self.name(), OPERATION, "the time of a job"))?;
        Ok(Some(Waiting { not_before, attempts, claimed_at: claimed_at.as_deref().and_then(parse_time) }))
    }

    async fn heard(&self, at_most: Duration) -> Result<()> {
        // Other processes ring too, and SQLite tells nobody: so nobody waits for longer than a short while.
        let _ = tokio::time::timeout(at_most.min(POLL_INTERVAL), self.bell().notified()).await;
        Ok(())
    }
}

impl SqliteStore {
    /// Rings within the caller's transaction.
    pub(crate) async fn ring_within(&self, transaction: &mut Transaction<'_, Sqlite>, ring: &Ring) -> Result<bool> {
        let rung = sqlx::query(
            "INSERT INTO jobs (tenant_id, job_key, kind, payload, not_before, max_attempts)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (tenant_id, job_key) DO NOTHING",
        )
        .bind(&ring.tenant.0)
        .bind(text(&ring.key).as_ref())
        .bind(text(&ring.kind).as_ref())
        .bind(text(&ring.payload).as_ref())
        .bind(time_text(ring.not_before))
        .bind(ring.max_attempts.max(1))
        .execute(&mut **transaction)
        .await
        .map_err(self.failed(RING))?;
        Ok(rung.rows_affected() > 0)
    }

    /// Changes the job that a claim holds, and says whether it still held it.
    async fn change(&self, statement: &'static str, claim: Claim, time: Option<Timestamp>) -> Result<bool> {
        const OPERATION: &str = "change a job";
        let mut transaction = self.begin(OPERATION).await?;
        let query = sqlx::query(statement).bind(claim.job).bind(claim.attempt);
        let query = match time {
            Some(time) => query.bind(time_text(time)),
            None => query,
        };
        let changed = query.execute(&mut *transaction).await.map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(changed.rows_affected() > 0)
    }
}

/// What was claimed at this time or before is nobody's any more.
fn lease_start(now: Timestamp, lease: Duration) -> Timestamp {
    SignedDuration::try_from(lease).ok().and_then(|lease| now.checked_sub(lease).ok()).unwrap_or(Timestamp::MIN)
}

/// `tenant_id`, `job_id`, `job_key`, `kind`, `payload`, `attempts`, `max_attempts`.
type JobRow = (String, i64, String, String, String, u32, u32);

/// Jobs that were lost once too often: what they do kills who does it.
const GIVE_UP: &str = "DELETE FROM jobs WHERE claimed_at <= ?1 AND attempts >= max_attempts";

/// Jobs whose holder was not heard of for too long.
const LET_GO: &str = "UPDATE jobs SET claimed_at = NULL WHERE claimed_at <= ?1";

const CLAIM: &str = "
    UPDATE jobs SET attempts = attempts + 1, claimed_at = ?2
    WHERE job_id = (SELECT job_id FROM jobs
                    WHERE claimed_at IS NULL AND not_before <= ?2 AND kind IN (SELECT value FROM json_each(?1))
                    ORDER BY not_before, job_id LIMIT 1)
    RETURNING tenant_id, job_id, job_key, kind, payload, attempts, max_attempts";

const END: &str = "DELETE FROM jobs WHERE job_id = ?1 AND attempts = ?2 AND claimed_at IS NOT NULL";

const RING: &str = "ring for a job";
const TAKE: &str = "take a job";

/// So long at most passes before a ring of another process is heard.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests;
