//! `headwater source add`: which sites and feeds are watched from now on.

use std::collections::BTreeSet;

use headwater_domain::synthesis::source::{Source, TenantId};
use headwater_ports::SourceStore as _;
use serde_json::json;

use crate::cli::Status;
use crate::context::Context;
use crate::failure::UsageError;
use crate::sources::{Written, preferred};
use crate::synthesis::Wanted;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, clap::Args)]
pub(crate) struct AddArgs {
    /// Sites or feeds
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,

    /// What to call the source; for one URL only
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Read it first, so that it is the first to fill a quota
    #[arg(long)]
    preferred: bool,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: AddArgs, context: &Context) -> anyhow::Result<Status> {
    if args.title.is_some() && args.urls.len() > 1 {
        return Err(UsageError("--title is for one URL".to_owned()).into());
    }
    let store = wiring::sources(context, wiring::store(context, args.store.as_deref()).await?)?;
    let tenant = TenantId::default();
    let before = store.sources(&tenant).await?;
    let preferred = preferred(&before);
    let sources = args.urls.iter().map(|url| source(url, &args, &preferred, context)).collect::<Result<Vec<_>, _>>()?;
    let added = store.add_sources(&tenant, &sources).await?;
    let is_new = |source: &Source| !before.iter().any(|known| known.id == source.id);
    if context.json {
        let rows: Vec<_> = added
            .iter()
            .map(|source| json!({"id": source.id.0, "url": source.url.redacted(), "new": is_new(source)}))
            .collect();
        output::json(&json!({ "sources": rows }))?;
        return Ok(Status::Done);
    }
    for source in &added {
        let what = if is_new(source) { "added" } else { "known already" };
        output::text(&format!("{what}: {}", source.url))?;
    }
    let has_key = wiring::vault(context)?.active_key().is_some();
    if !has_key && added.iter().any(|source| source.url.has_secret()) {
        output::note(
            "the secret of a URL is stored only where there is a vault key (`headwater key generate` makes one)",
        );
    }
    Ok(Status::Done)
}

fn source(url: &str, args: &AddArgs, before: &BTreeSet<String>, context: &Context) -> Result<Source, UsageError> {
    let preferred = args.preferred.then_some(true);
    let written = Written { title: args.title.clone(), preferred, ..Written::url(url) };
    match written.wanted(context.clock.now(), before) {
        Wanted::Source(source) => Ok(source),
        Wanted::Unusable { failure, .. } => {
            let hint = failure.hint.map(|hint| format!(": {hint}")).unwrap_or_default();
            Err(UsageError(format!("{}{hint}", failure.message)))
        }
    }
}
