//! `headwater db prune`: lets go of what is older than is kept.

use clap::Args;
use headwater_domain::synthesis::source::TenantId;
use serde_json::json;

use super::StoreArg;
use crate::cli::Status;
use crate::context::Context;
use crate::prune::{Cutoffs, prune};
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
    let mut config = context.config.store.clone();
    config.keep_runs_days = args.runs_days.or(config.keep_runs_days);
    config.keep_history_days = args.history_days.or(config.keep_history_days);
    let cutoffs = Cutoffs::of(&config, context.clock.now());
    let store = wiring::store(context, args.store.url.as_deref()).await?;
    let pruned = prune(store.as_ref(), &TenantId::default(), cutoffs).await?;
    if context.json {
        output::json(&json!({ "runs": pruned.runs, "articles": pruned.articles }))?;
    } else if cutoffs.keep_everything() {
        output::text("Everything is kept for good: set --runs-days or --history-days to let go of old rows.")?;
    } else {
        output::text(&format!("Let go of {} runs and {} articles.", pruned.runs, pruned.articles))?;
    }
    Ok(Status::Done)
}
