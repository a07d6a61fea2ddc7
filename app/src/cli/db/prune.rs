//! `headwater db prune`: lets go of what is older than is kept.

use clap::Args;
use headwater_domain::synthesis::source::TenantId;

use super::StoreArg;
use crate::cli::Status;
use crate::context::Context;
use crate::prune::{Cutoffs, Pruned, prune};
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

    /// Keep the logs of data sources for so many days [default: store.keep_sync_logs_days, else 30]
    #[arg(long, value_name = "N")]
    sync_logs_days: Option<u32>,

    /// Keep deleted documents for so many days, 30 at least [default: store.keep_deleted_days, else 30]
    #[arg(long, value_name = "N")]
    deleted_days: Option<u32>,

    #[command(flatten)]
    store: StoreArg,
}

/// Runs the command.
pub(crate) async fn run(args: PruneArgs, context: &Context) -> anyhow::Result<Status> {
    let mut config = context.config.store.clone();
    config.keep_runs_days = args.runs_days.or(config.keep_runs_days);
    config.keep_history_days = args.history_days.or(config.keep_history_days);
    config.keep_sync_logs_days = args.sync_logs_days.or(config.keep_sync_logs_days);
    config.keep_deleted_days = args.deleted_days.or(config.keep_deleted_days);
    let cutoffs = Cutoffs::of(&config, context.clock.now());
    let store = wiring::store(context, args.store.url.as_deref()).await?;
    let pruned = prune(store.as_ref(), &TenantId::default(), cutoffs).await?;
    if context.json {
        output::json(&pruned)?;
    } else {
        output::text(&said(cutoffs, pruned))?;
    }
    Ok(Status::Done)
}

fn said(cutoffs: Cutoffs, pruned: Pruned) -> String {
    let Pruned { runs, articles, sync_logs, documents } = pruned;
    let gone = format!(
        "Let go of {runs} runs, {articles} articles, {sync_logs} logs of data sources and {documents} deleted documents."
    );
    if cutoffs.keep_digests_and_history() {
        return format!(
            "{gone}\nDigests and history are kept for good: set --runs-days or --history-days to let go of old ones."
        );
    }
    gone
}
