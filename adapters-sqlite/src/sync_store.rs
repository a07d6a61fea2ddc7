//! Keeps what makes runs exact: leases, cursors and logs.

mod cursor;
mod lease;
mod log;

use async_trait::async_trait;
use headwater_domain::sync::{
    Claim, CursorChange, DataSource, DataSourceId, DataSourceStatus, Fence, LeasePolicy, ParkReason, Progress, RunEnd,
    RunId, SyncCursor, SyncLog, Trigger,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Begin, BegunRun, Fenced, LogPage, Result, RunClaim, RunFinish, SyncStore};
use jiff::Timestamp;
use sqlx::{Sqlite, Transaction};

use crate::SqliteStore;
use crate::error::unreadable;

#[async_trait]
impl SyncStore for SqliteStore {
    async fn begin_run(&self, tenant: &TenantId, data_source: &DataSourceId, claim: &RunClaim) -> Result<Begin> {
        let mut transaction = self.begin(BEGIN).await?;
        let mut lease = self.lock_lease(&mut transaction, tenant, data_source).await?;
        let Some(source) = self.lock_source(&mut transaction, tenant, data_source).await? else {
            return Ok(Begin::Missing);
        };
        if claim.trigger == Trigger::Schedule && source.status != DataSourceStatus::Active {
            return Ok(Begin::Resting(Box::new(source)));
        }
        let (token, attempt, interrupted) = match lease.claim(&claim.run, claim.now, &claim.policy) {
            Claim::Held(run) => {
                let log = self.log_in(&mut transaction, tenant, &run).await?;
                return Ok(Begin::AlreadyRunning(Box::new(log)));
            }
            Claim::Poisoned { interrupted, .. } => {
                self.end_log(&mut transaction, tenant, &interrupted, RunEnd::Interrupted, claim.now).await?;
                self.save_lease(&mut transaction, tenant, data_source, &lease).await?;
                self.write_source(&mut transaction, &source.parked(ParkReason::Crashing, claim.now)).await?;
                let parked = self.lock_source(&mut transaction, tenant, data_source).await?;
                transaction.commit().await.map_err(self.failed(BEGIN))?;
                return Ok(parked.map_or(Begin::Missing, |source| Begin::Poisoned(Box::new(source))));
            }
            Claim::Granted { token, attempt, interrupted } => (token, attempt, interrupted),
        };
        if let Some(run) = &interrupted {
            self.end_log(&mut transaction, tenant, run, RunEnd::Interrupted, claim.now).await?;
        }
        self.save_lease(&mut transaction, tenant, data_source, &lease).await?;
        let log = SyncLog::begun(claim.run.clone(), data_source.clone(), claim.trigger, attempt, claim.now);
        let log = self.open_log(&mut transaction, tenant, &log).await?;
        transaction.commit().await.map_err(self.failed(BEGIN))?;
        let fence = Fence { tenant: tenant.clone(), data_source: data_source.clone(), run: claim.run.clone(), token };
        Ok(Begin::Begun(Box::new(BegunRun { fence, source, log, interrupted })))
    }

    async fn heartbeat(&self, fence: &Fence, now: Timestamp, policy: &LeasePolicy) -> Result<Fenced<()>> {
        let mut transaction = self.begin(CHECKPOINT).await?;
        if !self.extend(&mut transaction, fence, now, policy).await? {
            return Ok(Fenced::Stale);
        }
        transaction.commit().await.map_err(self.failed(CHECKPOINT))?;
        Ok(Fenced::Done(()))
    }

    async fn checkpoint(
        &self,
        fence: &Fence,
        changes: &[CursorChange],
        progress: &Progress,
        now: Timestamp,
        policy: &LeasePolicy,
    ) -> Result<Fenced<()>> {
        let mut transaction = self.begin(CHECKPOINT).await?;
        if !self.extend(&mut transaction, fence, now, policy).await? {
            return Ok(Fenced::Stale);
        }
        self.write_progress(&mut transaction, fence, changes, progress).await?;
        transaction.commit().await.map_err(self.failed(CHECKPOINT))?;
        Ok(Fenced::Done(()))
    }

    async fn finish_run(&self, fence: &Fence, finish: &RunFinish, now: Timestamp) -> Result<Fenced<SyncLog>> {
        let mut transaction = self.begin(FINISH).await?;
        let (tenant, data_source) = (&fence.tenant, &fence.data_source);
        let mut lease = self.lock_lease(&mut transaction, tenant, data_source).await?;
        if lease.run.as_ref() != Some(&fence.run) || !lease.release(fence.token) {
            return Ok(Fenced::Stale);
        }
        self.write_progress(&mut transaction, fence, &finish.changes, &finish.progress).await?;
        self.end_log(&mut transaction, tenant, &fence.run, finish.end, now).await?;
        self.write_error(&mut transaction, fence, finish).await?;
        self.save_lease(&mut transaction, tenant, data_source, &lease).await?;
        let log = self.log_in(&mut transaction, tenant, &fence.run).await?;
        if let Some(source) = self.lock_source(&mut transaction, tenant, data_source).await? {
            let confirmed_deletions = source.confirmed_deletions.filter(|_| !finish.confirmation_used);
            let after = DataSource { confirmed_deletions, ..source.after_run(log.status, finish.park, now) };
            self.write_source(&mut transaction, &after).await?;
        }
        transaction.commit().await.map_err(self.failed(FINISH))?;
        Ok(Fenced::Done(log))
    }

    async fn cancel_run(&self, tenant: &TenantId, run: &RunId, now: Timestamp) -> Result<bool> {
        const OPERATION: &str = "cancel a run";
        let mut transaction = self.begin(OPERATION).await?;
        let Some(log) = self.find_log(&mut transaction, tenant, run).await? else { return Ok(false) };
        let mut lease = self.lock_lease(&mut transaction, tenant, &log.data_source).await?;
        if lease.run.as_ref() != Some(run) {
            return Ok(false);
        }
        lease.release(lease.token);
        self.save_lease(&mut transaction, tenant, &log.data_source, &lease).await?;
        self.end_log(&mut transaction, tenant, run, RunEnd::Canceled, now).await?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(true)
    }

    async fn sync_cursor(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<SyncCursor> {
        self.load_cursor(tenant, data_source).await
    }

    async fn reset_cursor(&self, fence: &Fence) -> Result<Fenced<()>> {
        const OPERATION: &str = "empty a cursor";
        let mut transaction = self.begin(OPERATION).await?;
        if !self.admits(&mut transaction, fence).await? {
            return Ok(Fenced::Stale);
        }
        self.clear_cursor(&mut transaction, &fence.tenant, &fence.data_source).await?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(Fenced::Done(()))
    }

    async fn sync_log(&self, tenant: &TenantId, run: &RunId) -> Result<Option<SyncLog>> {
        self.read_log(tenant, run).await
    }

    async fn sync_logs(&self, tenant: &TenantId, data_source: &DataSourceId, page: &LogPage) -> Result<Vec<SyncLog>> {
        self.read_logs(tenant, data_source, page).await
    }

    async fn latest_sync_logs(&self, tenant: &TenantId, data_sources: &[DataSourceId]) -> Result<Vec<SyncLog>> {
        self.read_latest_logs(tenant, data_sources).await
    }

    async fn expired_runs(&self, now: Timestamp, limit: usize) -> Result<Vec<(TenantId, DataSourceId)>> {
        self.read_expired(now, limit).await
    }
}

impl SqliteStore {
    async fn write_progress(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        fence: &Fence,
        changes: &[CursorChange],
        progress: &Progress,
    ) -> Result<()> {
        self.write_changes(transaction, &fence.tenant, &fence.data_source, changes).await?;
        self.write_counts(transaction, fence, progress).await
    }

    /// The log of a run that has one.
    async fn log_in(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        run: &RunId,
    ) -> Result<SyncLog> {
        let log = self.find_log(transaction, tenant, run).await?;
        log.ok_or_else(|| unreadable(&self.name(), BEGIN, "a lease of a run without a log"))
    }
}

const BEGIN: &str = "begin a run";
const CHECKPOINT: &str = "save a checkpoint";
const FINISH: &str = "finish a run";
