//! Wakes workers: the tables and functions of graphile_worker, and the server's notifications.
//!
//! What graphile_worker has for leases is left alone: its recovery gives a job of a dead worker its attempt back, so that
//! a job that kills its workers would go on for ever, and it ends a job without asking whose it is. Both are done here, in
//! statements of our own that a claim is shown to.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use graphile_worker::WorkerUtils;
use graphile_worker::sql::get_job::get_job;
use graphile_worker::sql::task_identifiers::get_tasks_details;
use headwater_domain::ErrorKind;
use headwater_domain::jobs::{Claim, Job, Ring, Waiting};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Error, JobQueue, Result};
use jiff::{SignedDuration, Timestamp};
use sqlx::postgres::PgListener;
use sqlx::{Postgres, Transaction};

use crate::PgStore;
use crate::columns::{parse_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl JobQueue for PgStore {
    async fn ring(&self, ring: &Ring) -> Result<bool> {
        self.prepare_queue().await?;
        let mut transaction = self.begin(RING).await?;
        let rung = self.ring_within(&mut transaction, ring).await?;
        transaction.commit().await.map_err(self.failed(RING))?;
        Ok(rung)
    }

    async fn take(&self, kinds: &[String], now: Timestamp, lease: Duration) -> Result<Option<Job>> {
        self.prepare_queue().await?;
        let kinds: Vec<_> = kinds.iter().map(|kind| text(kind).into_owned()).collect();
        let mut transaction = self.begin(TAKE).await?;
        for statement in [GIVE_UP, LET_GO] {
            sqlx::query(statement)
                .bind(time_text(lease_start(now, lease)))
                .execute(&mut *transaction)
                .await
                .map_err(self.failed(TAKE))?;
        }
        let tasks = get_tasks_details(&mut *transaction, SCHEMA, kinds).await.map_err(self.refused(TAKE))?;
        let moment = SystemTime::from(now).into();
        let job =
            get_job(&mut *transaction, &tasks, SCHEMA, WORKER, &[], Some(moment)).await.map_err(self.refused(TAKE))?;
        transaction.commit().await.map_err(self.failed(TAKE))?;
        job.map(|job| self.job(&job)).transpose()
    }

    async fn extend(&self, claim: Claim, now: Timestamp) -> Result<bool> {
        const EXTEND: &str = "UPDATE headwater_jobs._private_jobs SET locked_at = $3::text::timestamptz
             WHERE id = $1 AND attempts = $2 AND locked_at IS NOT NULL";
        self.change(EXTEND, claim, Some(now)).await
    }

    async fn done(&self, claim: Claim) -> Result<bool> {
        self.change(END, claim, None).await
    }

    async fn failed(&self, claim: Claim, retry_at: Option<Timestamp>) -> Result<bool> {
        const AGAIN: &str = "UPDATE headwater_jobs._private_jobs
             SET locked_at = NULL, locked_by = NULL, run_at = $3::text::timestamptz
             WHERE id = $1 AND attempts = $2 AND locked_at IS NOT NULL AND attempts < max_attempts";
        if retry_at.is_some() && self.change(AGAIN, claim, retry_at).await? {
            return Ok(true);
        }
        self.change(END, claim, None).await
    }

    async fn waiting<'a>(&self, tenant: &TenantId, key: &'a str) -> Result<Option<Waiting>> {
        const OPERATION: &str = "read a job";
        self.prepare_queue().await?;
        let row: Option<(String, i32, Option<String>)> = sqlx::query_as(
            "SELECT (run_at AT TIME ZONE 'UTC')::text, attempts::int, (locked_at AT TIME ZONE 'UTC')::text
             FROM headwater_jobs._private_jobs WHERE key = $1",
        )
        .bind(whole_key(tenant, key))
        .fetch_optional(self.readers())
        .await
        .map_err(self.failed(OPERATION))?;
        let Some((not_before, attempts, claimed_at)) = row else { return Ok(None) };
        let not_before =
            parse_time(&not_before).ok_or_else(|| unreadable(&self.name(), OPERATION, "the time of a job"))?;
        let attempts = u32::try_from(attempts).unwrap_or_default();
        Ok(Some(Waiting { not_before, attempts, claimed_at: claimed_at.as_deref().and_then(parse_time) }))
    }

    async fn heard(&self, at_most: Duration) -> Result<()> {
        // One connection listens for all who wait; whoever listens wakes the others.
        let heard = tokio::time::timeout(at_most, async {
            tokio::select! {
                () = self.bell().notified() => Ok(()),
                heard = self.listen() => {
                    self.bell().notify_waiters();
                    heard
                }
            }
        });
        heard.await.unwrap_or(Ok(())).map_err(self.failed("wait for a job"))
    }
}

impl PgStore {
    /// Makes the tables of graphile_worker, the first time that this store needs them.
    pub(crate) async fn prepare_queue(&self) -> Result<()> {
        const OPERATION: &str = "prepare the queue";
        let prepared = self.queue_prepared().get_or_try_init(async || {
            // Of concurrent starts one migrates: the library's own migrations may trip over each other.
            let mut transaction = self.begin(OPERATION).await?;
            sqlx::query("SELECT pg_advisory_xact_lock($1)")
                .bind(QUEUE_LOCK)
                .execute(&mut *transaction)
                .await
                .map_err(self.failed(OPERATION))?;
            WorkerUtils::new(self.readers().clone(), SCHEMA).migrate().await.map_err(self.refused(OPERATION))?;
            transaction.commit().await.map_err(self.failed(OPERATION))
        });
        prepared.await.copied()
    }

    /// Rings within the caller's transaction.
    pub(crate) async fn ring_within(&self, transaction: &mut Transaction<'_, Postgres>, ring: &Ring) -> Result<bool> {
        let payload =
            serde_json::json!({ "tenant": ring.tenant.0, "key": text(&ring.key), "payload": text(&ring.payload) });
        sqlx::query_scalar(
            "SELECT revision = 0 FROM headwater_jobs.add_job(
                 identifier => $1, payload => $2::text::json, run_at => $3::text::timestamptz, max_attempts => $4,
                 job_key => $5, job_key_mode => 'unsafe_dedupe')",
        )
        .bind(text(&ring.kind).as_ref())
        .bind(payload.to_string())
        .bind(time_text(ring.not_before))
        .bind(i32::from(i16::try_from(ring.max_attempts.max(1)).unwrap_or(i16::MAX)))
        .bind(whole_key(&ring.tenant, &ring.key))
        .fetch_one(&mut **transaction)
        .await
        .map_err(self.failed(RING))
    }

    /// Changes the job that a claim holds, and says whether it still held it.
    async fn change(&self, statement: &'static str, claim: Claim, time: Option<Timestamp>) -> Result<bool> {
        const OPERATION: &str = "change a job";
        let query = sqlx::query(statement).bind(claim.job).bind(i64::from(claim.attempt));
        let query = match time {
            Some(time) => query.bind(time_text(time)),
            None => query,
        };
        let changed = query.execute(self.readers()).await.map_err(self.failed(OPERATION))?;
        Ok(changed.rows_affected() > 0)
    }

    async fn listen(&self) -> sqlx::Result<()> {
        let mut listener = self.listener().lock().await;
        let Some(mut open) = listener.take() else {
            let mut new = PgListener::connect_with(self.readers()).await?;
            new.listen(CHANNEL).await?;
            *listener = Some(new);
            // What was rung before was not heard: whoever waits asks once more.
            return Ok(());
        };
        let heard = open.recv().await.map(drop);
        if heard.is_ok() {
            *listener = Some(open);
        }
        heard
    }

    fn job(&self, job: &graphile_worker::Job) -> Result<Job> {
        let word = |name: &str| job.payload().get(name).and_then(|value| value.as_str()).map(str::to_owned);
        let (Some(tenant), Some(key), Some(payload)) = (word("tenant"), word("key"), word("payload")) else {
            return Err(unreadable(&self.name(), TAKE, &format!("job {}", job.id())));
        };
        let attempt = u32::try_from(*job.attempts()).unwrap_or_default();
        Ok(Job {
            tenant: TenantId(tenant),
            key,
            kind: job.task_identifier().clone(),
            payload,
            claim: Claim { job: *job.id(), attempt },
            max_attempts: u32::try_from(*job.max_attempts()).unwrap_or_default(),
        })
    }

    /// Turns a failure of graphile_worker into an error of the ports.
    fn refused<E: std::error::Error + Send + Sync + 'static>(
        &self,
        operation: &'static str,
    ) -> impl FnOnce(E) -> Error {
        let detail = format!("could not {operation} in {}", self.name());
        move |error| Error::new(ErrorKind::Store, operation, detail).with_source(error)
    }
}

/// Keys are unique across tenants over there.
fn whole_key(tenant: &TenantId, key: &str) -> String {
    serde_json::json!([tenant.0, text(key)]).to_string()
}

/// What was claimed at this time or before is nobody's any more.
fn lease_start(now: Timestamp, lease: Duration) -> Timestamp {
    SignedDuration::try_from(lease).ok().and_then(|lease| now.checked_sub(lease).ok()).unwrap_or(Timestamp::MIN)
}

/// Jobs that were lost once too often: what they do kills who does it.
const GIVE_UP: &str = "DELETE FROM headwater_jobs._private_jobs WHERE id IN (
     SELECT id FROM headwater_jobs._private_jobs
     WHERE locked_at <= $1::text::timestamptz AND attempts >= max_attempts FOR UPDATE SKIP LOCKED)";

/// Jobs whose holder was not heard of for too long.
const LET_GO: &str = "UPDATE headwater_jobs._private_jobs SET locked_at = NULL, locked_by = NULL WHERE id IN (
     SELECT id FROM headwater_jobs._private_jobs WHERE locked_at <= $1::text::timestamptz FOR UPDATE SKIP LOCKED)";

const END: &str = "DELETE FROM headwater_jobs._private_jobs WHERE id = $1 AND attempts = $2 AND locked_at IS NOT NULL";

const RING: &str = "ring for a job";
const TAKE: &str = "take a job";

/// A schema of its own, apart from what another program may keep in the library's usual one.
const SCHEMA: &str = "headwater_jobs";

/// Who holds a job is told by its attempt, so that the name need not tell workers apart.
const WORKER: &str = "headwater";

/// Where the library announces new jobs.
const CHANNEL: &str = "jobs:insert";

/// "HDWQ", the advisory lock of those who make the queue's tables.
const QUEUE_LOCK: i64 = 0x4844_5751;
