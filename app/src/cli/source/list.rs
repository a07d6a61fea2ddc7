//! `headwater source list`: which sources there are, and how each is doing.

use headwater_domain::resilience::Circuit;
use headwater_domain::synthesis::health::LastOutcome;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::SourceStore as _;
use serde_json::json;

use super::listed::{Listed, minute, with_health};
use crate::cli::Status;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Only those that failed, are gone or need their secret
    #[arg(long)]
    failing: bool,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: ListArgs, context: &Context) -> anyhow::Result<Status> {
    let store = wiring::store(context, args.store.as_deref()).await?;
    let sources = wiring::sources(context, store.clone())?.sources(&TenantId::default()).await?;
    let mut listed = with_health(sources, store.as_ref(), context).await?;
    if args.failing {
        listed.retain(is_failing);
    }
    if context.json {
        let rows: Vec<_> = listed.iter().map(Listed::json).collect();
        output::json(&json!({ "sources": rows }))?;
        return Ok(Status::Done);
    }
    if listed.is_empty() {
        output::note(if args.failing { "all is well" } else { "no sources: `headwater source add URL` adds one" });
    }
    listed.iter().try_for_each(|one| output::text(&text(one)))?;
    Ok(Status::Done)
}

fn is_failing(listed: &Listed) -> bool {
    matches!(listed.health.outcome, LastOutcome::Failed | LastOutcome::Gone) || listed.source.url_redacted
}

/// The URL with its title, and how it is doing, on two lines, or three where there is something to do.
fn text(listed: &Listed) -> String {
    let source = &listed.source;
    let star = if source.preferred { "* " } else { "" };
    let title = source.title.as_deref().map(|title| format!("  ({title})")).unwrap_or_default();
    let mut text = format!("{star}{}{title}\n    {}", source.url, listed.state());
    match listed.health.next_attempt_at {
        Some(at) => text.push_str(&format!("; next from {}", minute(at))),
        None if listed.health.circuit == Circuit::Open => text.push_str("; asked by hand only"),
        None => {}
    }
    if let Some(advice) = listed.advice() {
        text.push_str(&format!("\n    {advice}"));
    }
    text
}
