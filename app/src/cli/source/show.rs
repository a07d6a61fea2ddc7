//! `headwater source show`: all that is known of one source.

use super::listed::{Listed, minute, with_health};
use super::named;
use crate::cli::Status;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The source: its URL, its identifier or its title
    #[arg(value_name = "SOURCE")]
    source: String,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: ShowArgs, context: &Context) -> anyhow::Result<Status> {
    let store = wiring::store(context, args.store.as_deref()).await?;
    let source = named(wiring::sources(context, store.clone())?.as_ref(), &args.source).await?;
    for listed in with_health(vec![source], store.as_ref(), context).await? {
        if context.json {
            output::json(&listed.json())?;
        } else {
            lines(&listed).iter().try_for_each(|line| output::text(line))?;
        }
    }
    Ok(Status::Done)
}

fn lines(listed: &Listed) -> Vec<String> {
    let Listed { source, health } = listed;
    let mut lines = Vec::new();
    let mut line = |name: &str, value: Option<String>| lines.extend(value.map(|value| format!("{name:<13} {value}")));
    line("source", Some(source.url.redacted()));
    line("title", source.title.clone());
    line("identifier", Some(source.id.0.clone()));
    line("preferred", source.preferred.then(|| "yes".to_owned()));
    let found = |at| format!(", found {}", minute(at));
    line(
        "feed",
        source
            .feed
            .as_ref()
            .map(|feed| format!("{}{}", feed.rss_url, feed.rss_discovered_at.map(found).unwrap_or_default())),
    );
    line("state", Some(listed.state()));
    line("last attempt", health.last_attempt_at.map(minute));
    line("last read", health.last_read_at.map(minute));
    line(
        "last error",
        health.last_error.as_ref().map(|error| format!("{} ({}), {}", error.message, error.code, minute(error.at))),
    );
    line("next attempt", health.next_attempt_at.map(|at| format!("from {}", minute(at))));
    line("circuit", Some(health.circuit.as_str().replace('_', " ")));
    line("what to do", listed.advice().map(str::to_owned));
    lines
}
