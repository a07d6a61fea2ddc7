//! What of the store is older than is kept, and how it goes.

use headwater_domain::sync::RESTORE_DAYS;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, Store};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::config::StoreConfig;

/// From when on rows are old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cutoffs {
    now: Timestamp,
    /// The time before which digests of runs are; none: they are kept for good.
    runs: Option<Timestamp>,
    /// The time before which what became of articles is; none: it is kept for good.
    articles: Option<Timestamp>,
    /// Days for which logs of data sources are kept that do not say so themselves.
    sync_logs_days: u32,
    /// The time before which documents were deleted.
    documents: Timestamp,
}

/// How many rows went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Pruned {
    /// Runs.
    pub(crate) runs: usize,
    /// Articles.
    pub(crate) articles: usize,
    /// Logs of data sources.
    pub(crate) sync_logs: usize,
    /// Deleted documents.
    pub(crate) documents: usize,
}

impl Cutoffs {
    /// What the configuration keeps, seen from now. A deleted document is promised to come back for [`RESTORE_DAYS`] days.
    pub(crate) fn of(config: &StoreConfig, now: Timestamp) -> Self {
        let deleted_days = config.keep_deleted_days.unwrap_or(RESTORE_DAYS).max(RESTORE_DAYS);
        Self {
            now,
            runs: config.keep_runs_days.map(|days| cutoff(now, days)),
            articles: config.keep_history_days.map(|days| cutoff(now, days)),
            sync_logs_days: config.keep_sync_logs_days.unwrap_or(SYNC_LOGS_DAYS),
            documents: cutoff(now, deleted_days),
        }
    }

    /// Whether digests and history never are old.
    pub(crate) fn keep_digests_and_history(self) -> bool {
        self.runs.is_none() && self.articles.is_none()
    }
}

/// Lets go of old rows, in small batches, so that no other writer waits long.
pub(crate) async fn prune(store: &dyn Store, tenant: &TenantId, cutoffs: Cutoffs) -> Result<Pruned> {
    let mut pruned = Pruned::default();
    if let Some(before) = cutoffs.runs {
        forget(async || store.forget_deliveries(tenant, before, BATCH).await).await?;
        pruned.runs = forget(async || store.forget_runs(tenant, before, BATCH).await).await?;
    }
    if let Some(before) = cutoffs.articles {
        pruned.articles = forget(async || store.forget_articles(tenant, before, BATCH).await).await?;
    }
    let days = Some(cutoffs.sync_logs_days);
    pruned.sync_logs = forget(async || store.forget_sync_logs(tenant, cutoffs.now, days, BATCH).await).await?;
    pruned.documents = forget(async || store.forget_documents(tenant, cutoffs.documents, BATCH).await).await?;
    Ok(pruned)
}

fn cutoff(now: Timestamp, days: u32) -> Timestamp {
    now.checked_sub(SignedDuration::from_hours(24 * i64::from(days))).unwrap_or(Timestamp::MIN)
}

/// Batch after batch, until one finds less than it might have taken.
async fn forget(batch: impl AsyncFn() -> Result<usize>) -> Result<usize> {
    let mut removed = 0;
    loop {
        let now = batch().await?;
        removed += now;
        if now < BATCH {
            return Ok(removed);
        }
    }
}

/// So many rows go in one transaction.
const BATCH: usize = 500;

/// Days for which logs of data sources are kept where nothing says otherwise.
const SYNC_LOGS_DAYS: u32 = 30;

#[cfg(test)]
mod tests;
