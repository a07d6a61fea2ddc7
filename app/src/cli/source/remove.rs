//! `headwater source remove`: which sources are no longer watched.

use headwater_domain::synthesis::source::TenantId;
use headwater_ports::SourceStore as _;
use serde_json::json;

use super::named;
use crate::cli::Status;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, clap::Args)]
pub(crate) struct RemoveArgs {
    /// The sources: URL, identifier or title of each
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<String>,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the command. All of the sources are looked for before the first is removed.
pub(crate) async fn run(args: RemoveArgs, context: &Context) -> anyhow::Result<Status> {
    let store = wiring::sources(context, wiring::store(context, args.store.as_deref()).await?)?;
    let mut sources = Vec::new();
    for name in &args.sources {
        sources.push(named(store.as_ref(), name).await?);
    }
    let mut removed = Vec::new();
    for source in sources {
        if store.remove_source(&TenantId::default(), &source.id).await? {
            removed.push(source.url.redacted());
        }
    }
    if context.json {
        output::json(&json!({ "removed": removed }))?;
    } else {
        removed.iter().try_for_each(|url| output::text(&format!("removed: {url}")))?;
    }
    Ok(Status::Done)
}
