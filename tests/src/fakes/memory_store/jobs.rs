//! Jobs and schedules in memory.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::jobs::{Claim, Job, Ring, Schedule, ScheduleId, Waiting};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{JobQueue, Result, ScheduleStore};
use jiff::{SignedDuration, Timestamp};

use super::{MemoryStore, clean, microseconds};

/// The rows of jobs and schedules.
#[derive(Debug, Default)]
pub(super) struct JobRows {
    jobs: BTreeMap<i64, JobRow>,
    last_job: i64,
    schedules: BTreeMap<(TenantId, ScheduleId), Schedule>,
}

#[derive(Debug)]
struct JobRow {
    ring: Ring,
    attempts: u32,
    claimed_at: Option<Timestamp>,
}

#[async_trait]
impl JobQueue for MemoryStore {
    async fn ring(&self, ring: &Ring) -> Result<bool> {
        let rung = self.rows().jobs.ring(ring);
        self.bell().notify_one();
        Ok(rung)
    }

    async fn take(&self, kinds: &[String], now: Timestamp, lease: Duration) -> Result<Option<Job>> {
        let mut rows = self.rows();
        let jobs = &mut rows.jobs.jobs;
        let lease = SignedDuration::try_from(lease).unwrap_or(SignedDuration::MAX);
        let void = |row: &JobRow| row.claimed_at.is_some_and(|at| now.duration_since(at) >= lease);
        jobs.retain(|_, row| !void(row) || row.attempts < row.ring.max_attempts);
        jobs.values_mut().filter(|row| void(row)).for_each(|row| row.claimed_at = None);
        let due = jobs.iter_mut().filter(|(_, row)| {
            row.claimed_at.is_none() && row.ring.not_before <= now && kinds.contains(&row.ring.kind)
        });
        let Some((job, row)) = due.min_by_key(|(job, row)| (row.ring.not_before, **job)) else { return Ok(None) };
        row.attempts += 1;
        row.claimed_at = Some(microseconds(now));
        Ok(Some(Job {
            tenant: row.ring.tenant.clone(),
            key: row.ring.key.clone(),
            kind: row.ring.kind.clone(),
            payload: row.ring.payload.clone(),
            claim: Claim { job: *job, attempt: row.attempts },
            max_attempts: row.ring.max_attempts,
        }))
    }

    async fn extend(&self, claim: Claim, now: Timestamp) -> Result<bool> {
        Ok(self.rows().jobs.held(claim).map(|row| row.claimed_at = Some(microseconds(now))).is_some())
    }

    async fn done(&self, claim: Claim) -> Result<bool> {
        let mut rows = self.rows();
        let held = rows.jobs.held(claim).is_some();
        if held {
            rows.jobs.jobs.remove(&claim.job);
        }
        Ok(held)
    }

    async fn failed(&self, claim: Claim, retry_at: Option<Timestamp>) -> Result<bool> {
        let mut rows = self.rows();
        let Some(row) = rows.jobs.held(claim) else { return Ok(false) };
        match retry_at.filter(|_| row.attempts < row.ring.max_attempts) {
            Some(retry_at) => {
                row.claimed_at = None;
                row.ring.not_before = microseconds(retry_at);
            }
            None => drop(rows.jobs.jobs.remove(&claim.job)),
        }
        Ok(true)
    }

    async fn waiting<'a>(&self, tenant: &TenantId, key: &'a str) -> Result<Option<Waiting>> {
        let rows = self.rows();
        let mut jobs = rows.jobs.jobs.values();
        let found = jobs.find(|row| (&row.ring.tenant, row.ring.key.as_str()) == (tenant, &clean(key)));
        Ok(found.map(|row| Waiting {
            not_before: row.ring.not_before,
            attempts: row.attempts,
            claimed_at: row.claimed_at,
        }))
    }

    async fn heard(&self, at_most: Duration) -> Result<()> {
        let _ = tokio::time::timeout(at_most, self.bell().notified()).await;
        Ok(())
    }
}

#[async_trait]
impl ScheduleStore for MemoryStore {
    async fn save_schedule(&self, schedule: &Schedule) -> Result<()> {
        let place = (schedule.tenant.clone(), schedule.id.clone());
        let schedule = Schedule { next_fire: schedule.next_fire.map(microseconds), ..schedule.clone() };
        self.rows().jobs.schedules.insert(place, schedule);
        Ok(())
    }

    async fn schedule(&self, tenant: &TenantId, id: &ScheduleId) -> Result<Option<Schedule>> {
        Ok(self.rows().jobs.schedules.get(&(tenant.clone(), id.clone())).cloned())
    }

    async fn schedules(&self, tenant: &TenantId) -> Result<Vec<Schedule>> {
        let rows = self.rows();
        let schedules = rows.jobs.schedules.values();
        Ok(schedules.filter(|schedule| schedule.tenant == *tenant).cloned().collect())
    }

    async fn remove_schedule(&self, tenant: &TenantId, id: &ScheduleId) -> Result<bool> {
        Ok(self.rows().jobs.schedules.remove(&(tenant.clone(), id.clone())).is_some())
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<Schedule>> {
        let rows = self.rows();
        let schedules = rows.jobs.schedules.values();
        let mut due: Vec<_> =
            schedules.filter(|schedule| schedule.next_fire.is_some_and(|at| at <= now)).cloned().collect();
        due.sort_by_key(|schedule| schedule.next_fire);
        due.truncate(limit);
        Ok(due)
    }

    async fn fire(&self, schedule: &Schedule, next: Option<Timestamp>, max_attempts: u32) -> Result<bool> {
        let mut rows = self.rows();
        let place = (schedule.tenant.clone(), schedule.id.clone());
        let (Some(ring), Some(stored)) = (schedule.ring(max_attempts), rows.jobs.schedules.get_mut(&place)) else {
            return Ok(false);
        };
        if stored.next_fire != schedule.next_fire {
            return Ok(false);
        }
        stored.next_fire = next.map(microseconds);
        rows.jobs.ring(&ring);
        self.bell().notify_one();
        Ok(true)
    }
}

impl JobRows {
    fn ring(&mut self, ring: &Ring) -> bool {
        let ring = Ring {
            key: clean(&ring.key),
            payload: clean(&ring.payload),
            not_before: microseconds(ring.not_before),
            max_attempts: ring.max_attempts.max(1),
            ..ring.clone()
        };
        if self.jobs.values().any(|row| (&row.ring.tenant, &row.ring.key) == (&ring.tenant, &ring.key)) {
            return false;
        }
        self.last_job += 1;
        self.jobs.insert(self.last_job, JobRow { ring, attempts: 0, claimed_at: None });
        true
    }

    fn held(&mut self, claim: Claim) -> Option<&mut JobRow> {
        self.jobs.get_mut(&claim.job).filter(|row| row.claimed_at.is_some() && row.attempts == claim.attempt)
    }
}
