//! What of the store is older than is kept, and how it goes.

use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, Retention};
use jiff::{SignedDuration, Timestamp};

use crate::config::StoreConfig;

/// The times before which rows are old; none: they are kept for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cutoffs {
    /// Of the digests of runs.
    pub(crate) runs: Option<Timestamp>,
    /// Of what became of articles.
    pub(crate) articles: Option<Timestamp>,
}

/// How many rows went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Pruned {
    /// Runs.
    pub(crate) runs: usize,
    /// Articles.
    pub(crate) articles: usize,
}

impl Cutoffs {
    /// What the configuration keeps, seen from now.
    pub(crate) fn of(config: &StoreConfig, now: Timestamp) -> Self {
        Self { runs: cutoff(now, config.keep_runs_days), articles: cutoff(now, config.keep_history_days) }
    }

    /// Whether nothing is ever old.
    pub(crate) fn keep_everything(self) -> bool {
        self.runs.is_none() && self.articles.is_none()
    }
}

/// Lets go of old rows, in small batches, so that no other writer waits long.
pub(crate) async fn prune(store: &dyn Retention, tenant: &TenantId, cutoffs: Cutoffs) -> Result<Pruned> {
    let mut pruned = Pruned::default();
    if let Some(before) = cutoffs.runs {
        pruned.runs = forget(async || store.forget_runs(tenant, before, BATCH).await).await?;
    }
    if let Some(before) = cutoffs.articles {
        pruned.articles = forget(async || store.forget_articles(tenant, before, BATCH).await).await?;
    }
    Ok(pruned)
}

fn cutoff(now: Timestamp, days: Option<u32>) -> Option<Timestamp> {
    Some(now.checked_sub(SignedDuration::from_hours(24 * i64::from(days?))).unwrap_or(Timestamp::MIN))
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
