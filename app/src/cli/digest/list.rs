//! `headwater digest list`: which runs there were.

use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;
use serde::Serialize;

use crate::cli::Status;
use crate::context::Context;
use crate::{output, wiring};

/// List the runs, newest first
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

#[derive(Debug, Serialize)]
struct Listed {
    run_id: String,
    started_at: Timestamp,
    finished_at: Timestamp,
    kept: usize,
}

/// Runs the command.
pub(crate) async fn run(args: ListArgs, context: &Context) -> anyhow::Result<Status> {
    let store = wiring::store(context, args.store.as_deref()).await?;
    let runs = store.runs(&TenantId::default(), args.limit).await?;
    let runs: Vec<Listed> = runs
        .into_iter()
        .map(|run| Listed {
            run_id: run.run_id,
            started_at: run.started_at,
            finished_at: run.finished_at,
            kept: run.kept,
        })
        .collect();
    if context.json {
        output::json(&serde_json::json!({ "runs": runs }))?;
        return Ok(Status::Done);
    }
    if runs.is_empty() {
        output::note("no run yet: `headwater run` makes one");
    }
    for run in &runs {
        output::text(&format!("{}  {:.0}  {:>5} kept", run.run_id, run.finished_at, run.kept))?;
    }
    Ok(Status::Done)
}
