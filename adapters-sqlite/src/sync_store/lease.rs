//! How are leases read, held and written?

use headwater_domain::sync::{DataSourceId, Fence, FencingToken, Lease, LeasePolicy, RunId};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::Result;
use jiff::Timestamp;
use sqlx::{Sqlite, Transaction};

use crate::SqliteStore;
use crate::columns::{count, text, time_text};
use crate::error::unreadable;
use crate::sync_columns::{integer, number, time_or_none};

impl SqliteStore {
    /// The lease of a data source, held until the transaction ends.
    pub(crate) async fn lock_lease(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        data_source: &DataSourceId,
    ) -> Result<Lease> {
        let row: Option<LeaseRow> = sqlx::query_as(
            "SELECT token, run_id, expires_at, attempts FROM sync_leases WHERE tenant_id = ?1 AND data_source_id = ?2",
        )
        .bind(&tenant.0)
        .bind(text(&data_source.0).as_ref())
        .fetch_optional(&mut **transaction)
        .await
        .map_err(self.failed(READ))?;
        let lease = row.map(lease).transpose().map_err(|_| unreadable(&self.name(), READ, "a lease"))?;
        Ok(lease.unwrap_or_default())
    }

    /// Writes a lease that is held.
    pub(crate) async fn save_lease(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        data_source: &DataSourceId,
        lease: &Lease,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO sync_leases (tenant_id, data_source_id, token, run_id, expires_at, attempts)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (tenant_id, data_source_id) DO UPDATE SET
                 token = excluded.token, run_id = excluded.run_id, expires_at = excluded.expires_at,
                 attempts = excluded.attempts",
        )
        .bind(&tenant.0)
        .bind(text(&data_source.0).as_ref())
        .bind(integer(lease.token.0))
        .bind(lease.run.as_ref().map(|run| run.0.as_str()))
        .bind(lease.expires_at.map(time_text))
        .bind(i64::from(lease.attempts))
        .execute(&mut **transaction)
        .await
        .map_err(self.failed(WRITE))?;
        Ok(())
    }

    /// Whether a fence is that of the present run, which stays so until the transaction ends.
    pub(crate) async fn admits(&self, transaction: &mut Transaction<'_, Sqlite>, fence: &Fence) -> Result<bool> {
        let present: Option<i64> = sqlx::query_scalar(
            "SELECT 1 FROM sync_leases WHERE tenant_id = ?1 AND data_source_id = ?2 AND run_id = ?3 AND token = ?4",
        )
        .bind(&fence.tenant.0)
        .bind(text(&fence.data_source.0).as_ref())
        .bind(&fence.run.0)
        .bind(integer(fence.token.0))
        .fetch_optional(&mut **transaction)
        .await
        .map_err(self.failed(READ))?;
        Ok(present.is_some())
    }

    /// Extends the lease of the present run; whether the fence is that run's.
    pub(super) async fn extend(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        fence: &Fence,
        now: Timestamp,
        policy: &LeasePolicy,
    ) -> Result<bool> {
        let mut lease = self.lock_lease(transaction, &fence.tenant, &fence.data_source).await?;
        if lease.run.as_ref() != Some(&fence.run) || !lease.extend(fence.token, now, policy) {
            return Ok(false);
        }
        self.save_lease(transaction, &fence.tenant, &fence.data_source, &lease).await?;
        Ok(true)
    }

    pub(super) async fn read_expired(&self, now: Timestamp, limit: usize) -> Result<Vec<(TenantId, DataSourceId)>> {
        let rows: Vec<(String, String)> = sqlx::query_as(EXPIRED)
            .bind(time_text(now))
            .bind(count(limit))
            .fetch_all(self.readers())
            .await
            .map_err(self.failed(READ))?;
        Ok(rows.into_iter().map(|(tenant, id)| (TenantId(tenant), DataSourceId(id))).collect())
    }
}

/// `token`, `run_id`, `expires_at`, `attempts`.
type LeaseRow = (i64, Option<String>, Option<String>, i64);

fn lease((token, run, expires_at, attempts): LeaseRow) -> sqlx::Result<Lease> {
    Ok(Lease {
        token: FencingToken(number("token", token)?),
        run: run.map(RunId),
        expires_at: time_or_none("expires_at", expires_at)?,
        attempts: number("attempts", attempts)?,
    })
}

/// The one question that is not a tenant's: the workers of an installation serve all of them.
pub(crate) const EXPIRED: &str = "SELECT tenant_id, data_source_id FROM sync_leases
     WHERE run_id IS NOT NULL AND expires_at <= ?1 ORDER BY expires_at, tenant_id, data_source_id LIMIT ?2";

const READ: &str = "read a lease";
const WRITE: &str = "write a lease";
