//! `headwater db prune`: lets go of what is older than is kept.

use clap::Args;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::Result;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::StoreArg;
use crate::cli::Status;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// Keep the digests of runs for so many days [default: store.keep_runs_days, else for good]
    #[arg(long, value_name = "N")]
    runs_days: Option<u32>,

    /// Keep what became of articles for so many days [default: store.keep_history_days, else for good]
    #[arg(long, value_name = "N")]
    history_days: Option<u32>,

    #[command(flatten)]
    store: StoreArg,
}

/// Runs the command.
pub(crate) async fn run(args: PruneArgs, context: &Context) -> anyhow::Result<Status> {
    let config = &context.config.store;
    let runs_before = cutoff(context.clock.now(), args.runs_days.or(config.keep_runs_days));
    let history_before = cutoff(context.clock.now(), args.history_days.or(config.keep_history_days));
    let store = wiring::store(context, args.store.url.as_deref()).await?;
    let tenant = TenantId::default();
    let runs = match runs_before {
        Some(before) => forget(async || store.forget_runs(&tenant, before, BATCH).await).await?,
        None => 0,
    };
    let articles = match history_before {
        Some(before) => forget(async || store.forget_articles(&tenant, before, BATCH).await).await?,
        None => 0,
    };
    if context.json {
        output::json(&json!({ "runs": runs, "articles": articles }))?;
    } else if runs_before.is_none() && history_before.is_none() {
        output::text("Everything is kept for good: set --runs-days or --history-days to let go of old rows.")?;
    } else {
        output::text(&format!("Let go of {runs} runs and {articles} articles."))?;
    }
    Ok(Status::Done)
}

/// The time before which rows are old; none: nothing ever is.
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
