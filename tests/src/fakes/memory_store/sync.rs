//! How leases, cursors and logs are kept in memory.

use async_trait::async_trait;
use headwater_domain::sync::{
    Claim, CursorChange, DataSource, DataSourceId, DataSourceStatus, Fence, LeasePolicy, ParkReason, Progress, RunEnd,
    RunId, SyncCursor, SyncLog, Trigger,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Begin, BegunRun, Fenced, LogPage, Result, RunClaim, RunFinish, SyncStore};
use jiff::Timestamp;

use super::{MemoryStore, Rows, microseconds};

#[async_trait]
impl SyncStore for MemoryStore {
    async fn begin_run(&self, tenant: &TenantId, data_source: &DataSourceId, claim: &RunClaim) -> Result<Begin> {
        let mut rows = self.rows();
        let place = (tenant.clone(), data_source.clone());
        let Some(source) = rows.present(tenant, data_source) else { return Ok(Begin::Missing) };
        if claim.trigger == Trigger::Schedule && source.status != DataSourceStatus::Active {
            return Ok(Begin::Resting(Box::new(source)));
        }
        let lease = rows.leases.entry(place.clone()).or_default();
        let claimed = lease.claim(&claim.run, claim.now, &claim.policy);
        lease.expires_at = lease.expires_at.map(microseconds);
        let (token, attempt, interrupted) = match claimed {
            Claim::Held(run) => {
                let log = rows.logs.get(&(tenant.clone(), run)).expect("a lease is held by a run with a log");
                return Ok(Begin::AlreadyRunning(Box::new(log.clone())));
            }
            Claim::Poisoned { interrupted, .. } => {
                rows.end_log(tenant, &interrupted, RunEnd::Interrupted, claim.now);
                rows.after_run(&place, |source| source.parked(ParkReason::Crashing, claim.now));
                return Ok(Begin::Poisoned(Box::new(rows.present(tenant, data_source).expect("it was just there"))));
            }
            Claim::Granted { token, attempt, interrupted } => (token, attempt, interrupted),
        };
        if let Some(run) = &interrupted {
            rows.end_log(tenant, run, RunEnd::Interrupted, claim.now);
        }
        let now = microseconds(claim.now);
        let log = SyncLog::begun(claim.run.clone(), data_source.clone(), claim.trigger, attempt, now);
        rows.logs.insert((tenant.clone(), claim.run.clone()), log.clone());
        let fence = Fence { tenant: tenant.clone(), data_source: data_source.clone(), run: claim.run.clone(), token };
        Ok(Begin::Begun(Box::new(BegunRun { fence, source, log, interrupted })))
    }

    async fn heartbeat(&self, fence: &Fence, now: Timestamp, policy: &LeasePolicy) -> Result<Fenced<()>> {
        let mut rows = self.rows();
        Ok(if rows.extend(fence, now, policy) { Fenced::Done(()) } else { Fenced::Stale })
    }

    async fn checkpoint(
        &self,
        fence: &Fence,
        changes: &[CursorChange],
        progress: &Progress,
        now: Timestamp,
        policy: &LeasePolicy,
    ) -> Result<Fenced<()>> {
        let mut rows = self.rows();
        if !rows.extend(fence, now, policy) {
            return Ok(Fenced::Stale);
        }
        rows.write(fence, changes, progress);
        Ok(Fenced::Done(()))
    }

    async fn finish_run(&self, fence: &Fence, finish: &RunFinish, now: Timestamp) -> Result<Fenced<SyncLog>> {
        let mut rows = self.rows();
        if !rows.permits(fence) {
            return Ok(Fenced::Stale);
        }
        rows.write(fence, &finish.changes, &finish.progress);
        rows.end_log(&fence.tenant, &fence.run, finish.end, now);
        let log = rows.logs.get_mut(&(fence.tenant.clone(), fence.run.clone())).expect("a run has a log");
        log.error.clone_from(&finish.error);
        let log = log.clone();
        let place = (fence.tenant.clone(), fence.data_source.clone());
        rows.leases.get_mut(&place).expect("the lease was just seen").release(fence.token);
        rows.after_run(&place, |source| {
            let confirmed_deletions = source.confirmed_deletions.filter(|_| !finish.confirmation_used);
            DataSource { confirmed_deletions, ..source.after_run(log.status, finish.park, now) }
        });
        Ok(Fenced::Done(log))
    }

    async fn cancel_run(&self, tenant: &TenantId, run: &RunId, now: Timestamp) -> Result<bool> {
        let mut rows = self.rows();
        let lease =
            rows.leases.iter_mut().find(|((owner, _), lease)| owner == tenant && lease.run.as_ref() == Some(run));
        let Some((_, lease)) = lease else { return Ok(false) };
        lease.release(lease.token);
        rows.end_log(tenant, run, RunEnd::Canceled, now);
        Ok(true)
    }

    async fn sync_cursor(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<SyncCursor> {
        let rows = self.rows();
        Ok(rows.cursors.get(&(tenant.clone(), data_source.clone())).cloned().unwrap_or_default())
    }

    async fn reset_cursor(&self, fence: &Fence) -> Result<Fenced<()>> {
        let mut rows = self.rows();
        if !rows.permits(fence) {
            return Ok(Fenced::Stale);
        }
        let place = (fence.tenant.clone(), fence.data_source.clone());
        rows.cursors.remove(&place);
        rows.after_run(&place, |source| DataSource { last_sync_at: None, ..source });
        Ok(Fenced::Done(()))
    }

    async fn sync_log(&self, tenant: &TenantId, run: &RunId) -> Result<Option<SyncLog>> {
        Ok(self.rows().logs.get(&(tenant.clone(), run.clone())).cloned())
    }

    async fn sync_logs(&self, tenant: &TenantId, data_source: &DataSourceId, page: &LogPage) -> Result<Vec<SyncLog>> {
        let logs = self.rows().logs_of(tenant, data_source);
        let from = page.after.as_ref().map_or(Some(0), |run| Some(logs.iter().position(|log| log.run == *run)? + 1));
        let from = from.unwrap_or(logs.len());
        Ok(logs.into_iter().skip(from).skip(page.offset).take(page.limit).collect())
    }

    async fn latest_sync_logs(&self, tenant: &TenantId, data_sources: &[DataSourceId]) -> Result<Vec<SyncLog>> {
        let rows = self.rows();
        Ok(data_sources.iter().filter_map(|id| rows.logs_of(tenant, id).into_iter().next()).collect())
    }

    async fn expired_runs(&self, now: Timestamp, limit: usize) -> Result<Vec<(TenantId, DataSourceId)>> {
        let rows = self.rows();
        let expired = rows.leases.iter().filter(|(_, lease)| lease.run.is_some());
        let mut expired: Vec<_> =
            expired.filter_map(|(place, lease)| Some((lease.expires_at.filter(|at| *at <= now)?, place))).collect();
        expired.sort();
        Ok(expired.into_iter().take(limit).map(|(_, place)| place.clone()).collect())
    }
}

impl Rows {
    /// Whether the fence is that of the present run.
    pub(super) fn permits(&self, fence: &Fence) -> bool {
        let lease = self.leases.get(&(fence.tenant.clone(), fence.data_source.clone()));
        lease.is_some_and(|lease| lease.permits(fence.token) && lease.run.as_ref() == Some(&fence.run))
    }

    fn extend(&mut self, fence: &Fence, now: Timestamp, policy: &LeasePolicy) -> bool {
        let permitted = self.permits(fence);
        if permitted && let Some(lease) = self.leases.get_mut(&(fence.tenant.clone(), fence.data_source.clone())) {
            lease.extend(fence.token, now, policy);
            lease.expires_at = lease.expires_at.map(microseconds);
        }
        permitted
    }

    fn write(&mut self, fence: &Fence, changes: &[CursorChange], progress: &Progress) {
        let place = (fence.tenant.clone(), fence.data_source.clone());
        for change in changes {
            let change = match change {
                CursorChange::LastSync(at) => CursorChange::LastSync(microseconds(*at)),
                change => change.clone(),
            };
            if let CursorChange::LastSync(at) = change {
                self.after_run(&place, |source| DataSource { last_sync_at: Some(at), ..source });
            }
            self.cursors.entry(place.clone()).or_default().apply(change);
        }
        let log = self.logs.get_mut(&(fence.tenant.clone(), fence.run.clone())).expect("a run has a log");
        log.counts.clone_from(&progress.counts);
        if let Some(errors) = &progress.errors {
            log.errors.clone_from(errors);
        }
    }

    /// The logs of a data source, newest first.
    pub(super) fn logs_of(&self, tenant: &TenantId, data_source: &DataSourceId) -> Vec<SyncLog> {
        let logs = self.logs.iter().filter(|((owner, _), log)| owner == tenant && log.data_source == *data_source);
        let mut logs: Vec<_> = logs.map(|(_, log)| log.clone()).collect();
        logs.sort_by_key(|log| std::cmp::Reverse((log.started_at, log.run.clone())));
        logs
    }
}
