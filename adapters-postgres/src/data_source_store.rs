//! Keeps data sources.

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{
    ConflictStrategy, DataSource, DataSourceChange, DataSourceId, DataSourceStatus, KnowledgeBaseId, ParkReason,
    RunEnd, SyncMode, SyncSchedule,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Changed, DataSourceQuery, DataSourceStore, Error, Result};
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{Postgres, Row, Transaction};

use crate::PgStore;
use crate::columns::{count, text, time_text};
use crate::error::unreadable;
use crate::sync_columns::{integer, json_text, number, parse_json, readable, time, time_or_none};

#[async_trait]
impl DataSourceStore for PgStore {
    async fn create_data_source(&self, source: &DataSource) -> Result<()> {
        const OPERATION: &str = "create a data source";
        check(source)?;
        let mut transaction = self.begin(OPERATION).await?;
        sqlx::query(INSERT)
            .bind(&source.tenant.0)
            .bind(text(&source.id.0).as_ref())
            .bind(text(&source.knowledge_base.0).as_ref())
            .bind(text(&source.connector_type).as_ref())
            .bind(time_text(source.created_at))
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        self.write_source(&mut transaction, source).await?;
        transaction.commit().await.map_err(self.failed(OPERATION))
    }

    async fn data_source(&self, tenant: &TenantId, id: &DataSourceId) -> Result<Option<DataSource>> {
        let row = sqlx::query(ONE)
            .bind(&tenant.0)
            .bind(text(&id.0).as_ref())
            .fetch_optional(self.readers())
            .await
            .map_err(self.failed(READ))?;
        row.map(|row| self.source_of(tenant, &row)).transpose()
    }

    async fn data_sources(&self, tenant: &TenantId, query: &DataSourceQuery) -> Result<Vec<DataSource>> {
        let rows = sqlx::query(PAGE)
            .bind(&tenant.0)
            .bind(query.knowledge_base.as_ref().map(|base| base.0.as_str()))
            .bind(query.after.as_ref().map(|id| id.0.as_str()))
            .bind(count(query.limit))
            .fetch_all(self.readers())
            .await
            .map_err(self.failed(READ))?;
        rows.iter().map(|row| self.source_of(tenant, row)).collect()
    }

    async fn change_data_source(
        &self,
        tenant: &TenantId,
        id: &DataSourceId,
        expected: u64,
        change: &DataSourceChange,
        now: Timestamp,
    ) -> Result<Changed> {
        let mut transaction = self.begin(CHANGE).await?;
        let Some(source) = self.lock_source(&mut transaction, tenant, id).await? else { return Ok(Changed::Missing) };
        if source.revision != expected {
            return Ok(Changed::Conflict(Box::new(source)));
        }
        let changed = source.changed(change, now);
        check(&changed)?;
        self.write_source(&mut transaction, &changed).await?;
        let stands = self.lock_source(&mut transaction, tenant, id).await?;
        transaction.commit().await.map_err(self.failed(CHANGE))?;
        Ok(stands.map_or(Changed::Missing, |source| Changed::Done(Box::new(source))))
    }

    async fn delete_data_source(&self, tenant: &TenantId, id: &DataSourceId, now: Timestamp) -> Result<bool> {
        const OPERATION: &str = "delete a data source";
        let mut transaction = self.begin(OPERATION).await?;
        // The lease first, as whoever begins a run does it.
        let mut lease = self.lock_lease(&mut transaction, tenant, id).await?;
        let Some(source) = self.lock_source(&mut transaction, tenant, id).await? else { return Ok(false) };
        let deleted =
            DataSource { status: DataSourceStatus::Deleted, updated_at: now, revision: source.revision + 1, ..source };
        self.write_source(&mut transaction, &deleted).await?;
        if let Some(run) = lease.run.clone() {
            lease.release(lease.token);
            self.end_log(&mut transaction, tenant, &run, RunEnd::Canceled, now).await?;
        }
        self.save_lease(&mut transaction, tenant, id, &lease).await?;
        self.clear_cursor(&mut transaction, tenant, id).await?;
        sqlx::query("DELETE FROM secrets WHERE tenant_id = $1 AND owner = $2")
            .bind(&tenant.0)
            .bind(text(&id.0).as_ref())
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(true)
    }
}

impl PgStore {
    /// A source that is not deleted, held until the transaction ends.
    pub(crate) async fn lock_source(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        id: &DataSourceId,
    ) -> Result<Option<DataSource>> {
        let row = sqlx::query(LOCK)
            .bind(&tenant.0)
            .bind(text(&id.0).as_ref())
            .fetch_optional(&mut **transaction)
            .await
            .map_err(self.failed(READ))?;
        row.map(|row| self.source_of(tenant, &row)).transpose()
    }

    /// Writes everything of a source that can change. It is held, so nothing that others wrote is lost.
    pub(crate) async fn write_source(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        source: &DataSource,
    ) -> Result<()> {
        sqlx::query(WRITE)
            .bind(&source.tenant.0)
            .bind(text(&source.id.0).as_ref())
            .bind(text(&source.name).as_ref())
            .bind(json_text(&source.resource_ids))
            .bind(json_text(&source.settings))
            .bind(source.schedule.as_ref().map(|schedule| schedule.expression.as_str()))
            .bind(source.schedule.as_ref().map(|schedule| schedule.zone.as_str()))
            .bind(source.sync_mode.as_str())
            .bind(source.status.as_str())
            .bind(source.status.park_reason().map(ParkReason::as_str))
            .bind(source.conflict_strategy.as_str())
            .bind(source.sync_deletions)
            .bind(source.confirmed_deletions.map(integer))
            .bind(source.log_retention_days.map(i64::from))
            .bind(i64::from(source.failures))
            .bind(source.last_sync_at.map(time_text))
            .bind(time_text(source.updated_at))
            .bind(integer(source.revision))
            .execute(&mut **transaction)
            .await
            .map_err(self.failed(CHANGE))?;
        Ok(())
    }

    fn source_of(&self, tenant: &TenantId, row: &PgRow) -> Result<DataSource> {
        source(tenant, row).map_err(|_| unreadable(&self.name(), READ, "a data source"))
    }
}

fn source(tenant: &TenantId, row: &PgRow) -> sqlx::Result<DataSource> {
    let status: String = row.try_get("status")?;
    let reason: Option<String> = row.try_get("park_reason")?;
    let expression: Option<String> = row.try_get("schedule")?;
    let zone: Option<String> = row.try_get("schedule_zone")?;
    let mode: String = row.try_get("sync_mode")?;
    let conflict: String = row.try_get("conflict_strategy")?;
    let confirmed: Option<i64> = row.try_get("confirmed_deletions")?;
    let days: Option<i64> = row.try_get("log_retention_days")?;
    Ok(DataSource {
        id: DataSourceId(row.try_get("id")?),
        tenant: tenant.clone(),
        knowledge_base: KnowledgeBaseId(row.try_get("knowledge_base_id")?),
        name: row.try_get("name")?,
        connector_type: row.try_get("connector_type")?,
        resource_ids: parse_json(row.try_get("resource_ids")?)?,
        settings: parse_json(row.try_get("settings")?)?,
        schedule: expression.zip(zone).map(|(expression, zone)| SyncSchedule { expression, zone }),
        sync_mode: readable(SyncMode::parse(&mode), "sync_mode")?,
        status: readable(DataSourceStatus::parse(&status, reason.as_deref()), "status")?,
        conflict_strategy: readable(ConflictStrategy::parse(&conflict), "conflict_strategy")?,
        sync_deletions: row.try_get("sync_deletions")?,
        confirmed_deletions: confirmed.map(|value| number("confirmed_deletions", value)).transpose()?,
        log_retention_days: days.map(|value| number("log_retention_days", value)).transpose()?,
        failures: number("failures", row.try_get("failures")?)?,
        last_sync_at: time_or_none("last_sync_at", row.try_get("last_sync_at")?)?,
        created_at: time("created_at", row.try_get("created_at")?)?,
        updated_at: time("updated_at", row.try_get("updated_at")?)?,
        revision: number("revision", row.try_get("revision")?)?,
    })
}

fn check(source: &DataSource) -> Result<()> {
    source.check().map_err(|fault| Error::new(ErrorKind::InvalidConfig, "keep a data source", fault.to_string()))
}

/// The columns of a data source, but for its tenant.
macro_rules! columns {
    () => {
        "id, knowledge_base_id, name, connector_type, resource_ids, settings, schedule, schedule_zone, sync_mode, status,
         park_reason, conflict_strategy, sync_deletions, confirmed_deletions, log_retention_days, failures,
         (last_sync_at AT TIME ZONE 'UTC')::text AS last_sync_at, (created_at AT TIME ZONE 'UTC')::text AS created_at,
         (updated_at AT TIME ZONE 'UTC')::text AS updated_at, revision"
    };
}

const ONE: &str =
    concat!("SELECT ", columns!(), " FROM data_sources WHERE tenant_id = $1 AND id = $2 AND status <> 'deleted'");

const LOCK: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM data_sources WHERE tenant_id = $1 AND id = $2 AND status <> 'deleted' FOR UPDATE"
);

/// A page begins after the place of the last one that was shown, whether that is deleted now or not.
const PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM data_sources
      WHERE tenant_id = $1 AND status <> 'deleted' AND ($2::text IS NULL OR knowledge_base_id = $2)
        AND ($3::text IS NULL OR (data_sources.created_at, id) < (
            SELECT last.created_at, last.id FROM data_sources AS last WHERE last.tenant_id = $1 AND last.id = $3))
      ORDER BY data_sources.created_at DESC, id DESC LIMIT $4"
);

/// What never changes; the rest follows with [`WRITE`].
const INSERT: &str = "
    INSERT INTO data_sources (tenant_id, id, knowledge_base_id, connector_type, created_at, name, resource_ids, settings,
                              sync_mode, status, conflict_strategy, sync_deletions, failures, updated_at, revision)
    VALUES ($1, $2, $3, $4, $5::text::timestamptz, '', '[]', '{}', 'incremental', 'active', 'overwrite', TRUE, 0,
            $5::text::timestamptz, 1)";

const WRITE: &str = "
    UPDATE data_sources
    SET name = $3, resource_ids = $4, settings = $5, schedule = $6, schedule_zone = $7, sync_mode = $8, status = $9,
        park_reason = $10, conflict_strategy = $11, sync_deletions = $12, confirmed_deletions = $13,
        log_retention_days = $14, failures = $15, last_sync_at = $16::text::timestamptz,
        updated_at = $17::text::timestamptz, revision = $18
    WHERE tenant_id = $1 AND id = $2";

const READ: &str = "read the data sources";
const CHANGE: &str = "change a data source";
