//! Keeps the store's documents in step with a data source: one run, by hand.

use std::sync::Arc;

use clap::Args;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{
    DataSource, DataSourceChange, DataSourceId, KnowledgeBaseId, RunId, RunStatus, SyncLog, Trigger,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Changed, Error, Store};
use serde_json::{Value, json};

use super::ConfigFile;
use super::bound::Bound;
use crate::cli::Status;
use crate::context::Context;
use crate::prune::{Cutoffs, prune};
use crate::sources::new_id;
use crate::sync::{Engine, EnginePolicy, Reading, RunOutcome, RunRequest};
use crate::{output, wiring};

/// The arguments of `datasource sync`.
#[derive(Debug, Args)]
pub(crate) struct SyncArgs {
    #[command(flatten)]
    config: ConfigFile,

    /// What the data source is called in the store; the first run makes it
    #[arg(long, value_name = "NAME")]
    name: String,

    /// Read everything, not only what changed
    #[arg(long)]
    full: bool,

    /// Say yes to so many deletions, should a run find more than it may carry out by itself
    #[arg(long, value_name = "N")]
    confirm_deletions: Option<u64>,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the data source once, and prints the log of the run.
pub(crate) async fn run(args: SyncArgs, context: &Context) -> anyhow::Result<Status> {
    let bound = Bound::open(&args.config, context)?;
    let store = wiring::store(context, args.store.as_deref()).await?;
    let data_source = DataSourceId(args.name.clone());
    let source = source(&*store, context, &data_source, &bound.config.connector_type).await?;
    if let Some(number) = args.confirm_deletions {
        confirm(&*store, context, &source, number).await?;
    }
    let engine = Engine {
        store: Arc::clone(&store),
        clock: context.clock.clone(),
        timer: context.timer.clone(),
        policy: EnginePolicy::default(),
    };
    let request = RunRequest {
        tenant: TenantId::default(),
        data_source,
        run: RunId(new_id(context.clock.now())),
        trigger: Trigger::Manual,
        reading: if args.full { Reading::Everything } else { Reading::AsConfigured },
    };
    let log = match engine.run(&*bound.connector, &bound.config, &request).await? {
        RunOutcome::Finished(log) => log,
        other => return Err(not_run(other).into()),
    };
    let cutoffs = Cutoffs::of(&context.config.store, context.clock.now());
    if let Err(error) = prune(store.as_ref(), &request.tenant, cutoffs).await {
        // The run stands: that old rows stay a while longer is nothing to fail it for.
        tracing::warn!(code = error.kind.code(), "old logs and documents stay for now: {error}");
    }
    report(&log, context)
}

/// The data source of that name. The store keeps none of its configuration, which the file has.
async fn source(
    store: &dyn Store,
    context: &Context,
    id: &DataSourceId,
    connector_type: &str,
) -> anyhow::Result<DataSource> {
    let tenant = TenantId::default();
    if let Some(source) = store.data_source(&tenant, id).await? {
        if source.connector_type == connector_type {
            return Ok(source);
        }
        let detail = format!("`{}` is a data source of type {}, not {connector_type}", id.0, source.connector_type);
        return Err(Error::new(ErrorKind::InvalidConfig, "sync a data source", detail)
            .with_hint("choose another --name")
            .into());
    }
    let base = KnowledgeBaseId("default".to_owned());
    let source = DataSource {
        name: id.0.clone(),
        connector_type: connector_type.to_owned(),
        ..DataSource::new(id.clone(), tenant, base, context.clock.now())
    };
    store.create_data_source(&source).await?;
    Ok(source)
}

async fn confirm(store: &dyn Store, context: &Context, source: &DataSource, number: u64) -> anyhow::Result<()> {
    let change = DataSourceChange { confirmed_deletions: Some(Some(number)), ..DataSourceChange::default() };
    let now = context.clock.now();
    let changed = store.change_data_source(&source.tenant, &source.id, source.revision, &change, now).await?;
    if matches!(changed, Changed::Done(_)) {
        return Ok(());
    }
    let detail = "somebody else changed the data source at the same time";
    Err(Error::new(ErrorKind::Store, "confirm deletions", detail).with_hint("run the command again").into())
}

fn not_run(outcome: RunOutcome) -> Error {
    const OPERATION: &str = "sync a data source";
    match outcome {
        RunOutcome::AlreadyRunning(log) => {
            let detail = format!("run {} of this data source is under way since {}", log.run.0, log.started_at);
            Error::new(ErrorKind::AlreadyRunning, OPERATION, detail)
                .with_hint("wait until it ends; the lease of one that died expires within a minute")
        }
        RunOutcome::Poisoned(_) => {
            Error::new(ErrorKind::Interrupted, OPERATION, "its runs died one after the other: it is parked now")
                .with_hint("see the log for what they died of; the next run by hand tries again")
        }
        RunOutcome::Finished(_) | RunOutcome::Resting(_) | RunOutcome::Missing | RunOutcome::Superseded => {
            Error::new(ErrorKind::Interrupted, OPERATION, "another run took this one's place, or it was canceled")
        }
    }
}

fn report(log: &SyncLog, context: &Context) -> anyhow::Result<Status> {
    if context.json {
        output::json(&document(log))?;
    } else {
        output::text(&summary(log))?;
    }
    Ok(match log.status {
        RunStatus::Success => Status::Done,
        RunStatus::Partial => Status::Partly,
        _ => Status::Failed,
    })
}

fn document(log: &SyncLog) -> Value {
    let mut counts = json!(log.counts);
    counts["total"] = log.counts.total().into();
    json!({
        "run_id": log.run,
        "data_source_id": log.data_source,
        "status": log.status,
        "started_at": log.started_at,
        "finished_at": log.finished_at,
        "counts": counts,
        "errors": log.errors,
        "error": log.error,
    })
}

fn summary(log: &SyncLog) -> String {
    let counts = &log.counts;
    let mut text = format!(
        "{}: {} created, {} updated, {} deleted, {} unchanged, {} skipped, {} failed",
        log.status.as_str(),
        counts.created,
        counts.updated,
        counts.deleted,
        counts.unchanged,
        counts.skipped(),
        counts.failed
    );
    if counts.waiting > 0 {
        text += &format!("\n{} deletions wait for your yes: --confirm-deletions {}", counts.waiting, counts.waiting);
    }
    for error in log.error.iter().chain(log.errors.as_slice()) {
        text += &format!("\n{}: {}", error.code, error.message);
    }
    text
}
