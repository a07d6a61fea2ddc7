//! How are the logs of runs read and written?

use headwater_domain::sync::{DataSourceId, Fence, Progress, RunEnd, RunId, RunStatus, SyncLog};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{LogPage, Result, RunFinish};
use jiff::Timestamp;
use sqlx::{Postgres, Transaction};

use crate::PgStore;
use crate::columns::{count, text, time_text};
use crate::error::unreadable;
use crate::sync_columns::{LogRow, json_text, sync_log, texts};

impl PgStore {
    /// Writes the log of a run that begins, and gives it as it stands.
    pub(super) async fn open_log(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        log: &SyncLog,
    ) -> Result<SyncLog> {
        let row: LogRow = sqlx::query_as(OPEN)
            .bind(&tenant.0)
            .bind(&log.run.0)
            .bind(&log.data_source.0)
            .bind(log.trigger.as_str())
            .bind(time_text(log.started_at))
            .bind(i64::from(log.attempt))
            .bind(json_text(&log.counts))
            .fetch_one(&mut **transaction)
            .await
            .map_err(self.failed(WRITE))?;
        self.log_of(row)
    }

    /// Ends the log of a run that is under way, as its counts say.
    pub(crate) async fn end_log(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        run: &RunId,
        end: RunEnd,
        now: Timestamp,
    ) -> Result<()> {
        let Some(log) = self.find_log(transaction, tenant, run).await? else { return Ok(()) };
        if log.status != RunStatus::Running {
            return Ok(());
        }
        sqlx::query(
            "UPDATE sync_logs SET status = $3, finished_at = $4::text::timestamptz
             WHERE tenant_id = $1 AND run_id = $2",
        )
        .bind(&tenant.0)
        .bind(&run.0)
        .bind(log.status.after(end, &log.counts).as_str())
        .bind(time_text(now))
        .execute(&mut **transaction)
        .await
        .map_err(self.failed(WRITE))?;
        Ok(())
    }

    /// Writes what a run counted so far, and its samples where there are new ones.
    pub(super) async fn write_counts(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        fence: &Fence,
        progress: &Progress,
    ) -> Result<()> {
        sqlx::query(
            "UPDATE sync_logs SET counts = $3, errors = coalesce($4, errors) WHERE tenant_id = $1 AND run_id = $2",
        )
        .bind(&fence.tenant.0)
        .bind(&fence.run.0)
        .bind(json_text(&progress.counts))
        .bind(progress.errors.as_ref().map(json_text))
        .execute(&mut **transaction)
        .await
        .map_err(self.failed(WRITE))?;
        Ok(())
    }

    /// Writes what ended a run before its time.
    pub(super) async fn write_error(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        fence: &Fence,
        finish: &RunFinish,
    ) -> Result<()> {
        sqlx::query("UPDATE sync_logs SET error = $3 WHERE tenant_id = $1 AND run_id = $2")
            .bind(&fence.tenant.0)
            .bind(&fence.run.0)
            .bind(finish.error.as_ref().map(json_text))
            .execute(&mut **transaction)
            .await
            .map_err(self.failed(WRITE))?;
        Ok(())
    }

    pub(super) async fn find_log(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        run: &RunId,
    ) -> Result<Option<SyncLog>> {
        let row: Option<LogRow> = sqlx::query_as(ONE)
            .bind(&tenant.0)
            .bind(text(&run.0).as_ref())
            .fetch_optional(&mut **transaction)
            .await
            .map_err(self.failed(READ))?;
        row.map(|row| self.log_of(row)).transpose()
    }

    pub(super) async fn read_log(&self, tenant: &TenantId, run: &RunId) -> Result<Option<SyncLog>> {
        let row: Option<LogRow> = sqlx::query_as(ONE)
            .bind(&tenant.0)
            .bind(text(&run.0).as_ref())
            .fetch_optional(self.readers())
            .await
            .map_err(self.failed(READ))?;
        row.map(|row| self.log_of(row)).transpose()
    }

    pub(super) async fn read_logs(
        &self,
        tenant: &TenantId,
        data_source: &DataSourceId,
        page: &LogPage,
    ) -> Result<Vec<SyncLog>> {
        let rows: Vec<LogRow> = sqlx::query_as(PAGE)
            .bind(&tenant.0)
            .bind(text(&data_source.0).as_ref())
            .bind(page.after.as_ref().map(|run| text(&run.0).into_owned()))
            .bind(count(page.limit))
            .bind(count(page.offset))
            .fetch_all(self.readers())
            .await
            .map_err(self.failed(READ))?;
        rows.into_iter().map(|row| self.log_of(row)).collect()
    }

    pub(super) async fn read_latest_logs(
        &self,
        tenant: &TenantId,
        data_sources: &[DataSourceId],
    ) -> Result<Vec<SyncLog>> {
        let mut logs = Vec::new();
        for batch in data_sources.chunks(BATCH) {
            let ids: Vec<_> = batch.iter().map(|id| id.0.clone()).collect();
            let rows: Vec<LogRow> = sqlx::query_as(LATEST)
                .bind(&tenant.0)
                .bind(texts(&ids))
                .fetch_all(self.readers())
                .await
                .map_err(self.failed(READ))?;
            logs.extend(rows.into_iter().map(|row| self.log_of(row)).collect::<Result<Vec<_>>>()?);
        }
        Ok(logs)
    }

    fn log_of(&self, row: LogRow) -> Result<SyncLog> {
        sync_log(row).map_err(|_| unreadable(&self.name(), READ, "the log of a run"))
    }
}

/// The columns of a [`LogRow`].
macro_rules! columns {
    () => {
        "run_id, data_source_id, trigger, status, (started_at AT TIME ZONE 'UTC')::text,
         (finished_at AT TIME ZONE 'UTC')::text, attempt, counts, errors, error"
    };
}

const OPEN: &str = concat!(
    "INSERT INTO sync_logs (tenant_id, run_id, data_source_id, trigger, status, started_at, attempt, counts, errors)
     VALUES ($1, $2, $3, $4, 'running', $5::text::timestamptz, $6, $7, '[]') RETURNING ",
    columns!()
);

const ONE: &str = concat!("SELECT ", columns!(), " FROM sync_logs WHERE tenant_id = $1 AND run_id = $2");

const PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM sync_logs
      WHERE tenant_id = $1 AND data_source_id = $2
        AND ($3::text IS NULL OR (started_at, run_id) < (
            SELECT last.started_at, last.run_id FROM sync_logs AS last WHERE last.tenant_id = $1 AND last.run_id = $3))
      ORDER BY started_at DESC, run_id DESC LIMIT $4 OFFSET $5"
);

/// One seek a data source.
const LATEST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM sync_logs
      WHERE tenant_id = $1 AND run_id IN (
          SELECT (SELECT run_id FROM sync_logs WHERE tenant_id = $1 AND data_source_id = given.id
                  ORDER BY started_at DESC, run_id DESC LIMIT 1)
          FROM UNNEST($2::text[]) AS given (id))"
);

const READ: &str = "read the logs of runs";
const WRITE: &str = "write the log of a run";

/// So many data sources go into one question.
const BATCH: usize = 500;
