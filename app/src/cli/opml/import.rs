//! How `opml import` adds the feeds of a list to the store, or only shows them.

use std::path::PathBuf;

use headwater_domain::feed::outline::{Outline, OutlineFeed, OutlineProblem};
use headwater_domain::synthesis::source::{Source, SourceId, TenantId};
use headwater_ports::SourceStore as _;
use serde::Serialize;

use super::FeedJson;
use crate::cli::Status;
use crate::context::Context;
use crate::failure::UsageError;
use crate::{input, output, sources, wiring};

/// What `opml import` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// The list; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Show what would be imported, and store nothing
    #[arg(long)]
    dry_run: bool,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Reads the list, stores its feeds and shows what became of it.
pub(crate) async fn run(args: ImportArgs, context: &Context) -> anyhow::Result<Status> {
    let bytes = input::read(&args.file, MAX_READ).map_err(UsageError::from)?;
    let outline = wiring::outline_format().read(&bytes)?;
    let added = if args.dry_run { None } else { Some(store(&outline, args.store.as_deref(), context).await?) };
    if context.json {
        output::json(&ImportJson::of(&outline, added))?;
    } else {
        show(&outline, added)?;
    }
    Ok(if outline.problems.is_empty() { Status::Done } else { Status::Partly })
}

/// Adds the feeds to the store; gives how many were not there.
async fn store(outline: &Outline, flag: Option<&str>, context: &Context) -> anyhow::Result<usize> {
    let store = wiring::sources(context, wiring::store(context, flag).await?)?;
    let tenant = TenantId::default();
    let now = context.clock.now();
    let before = store.sources(&tenant).await?.len();
    let sources: Vec<Source> = outline.feeds.iter().map(|feed| source(feed, sources::new_id(now))).collect();
    store.add_sources(&tenant, &sources).await?;
    Ok(store.sources(&tenant).await?.len().saturating_sub(before))
}

/// The feed as a source: one that is its own feed.
fn source(feed: &OutlineFeed, id: String) -> Source {
    Source {
        id: SourceId(id),
        url: feed.url.clone(),
        url_redacted: false,
        title: feed.title.clone(),
        preferred: false,
        feed: None,
    }
}

/// For people: a feed a line, and what was left out.
fn show(outline: &Outline, added: Option<usize>) -> anyhow::Result<()> {
    for feed in &outline.feeds {
        let mut line = String::new();
        for folder in &feed.path {
            line.push_str(folder);
            line.push_str(" / ");
        }
        line.push_str(feed.title.as_deref().unwrap_or("(untitled)"));
        output::text(&format!("{line}\n    {}", feed.url.redacted()))?;
    }
    for problem in &outline.problems {
        output::note(&format!("left out ({}): {}", problem.reason.as_str(), problem.text));
    }
    let secrets = outline.feeds.iter().filter(|feed| feed.url.has_secret()).count();
    if secrets > 0 {
        output::note(&format!(
            "URLs with a secret: {secrets}. It is not shown, and stored only where there is a vault key \
             (`headwater key generate` makes one)"
        ));
    }
    let found = format!(
        "feeds: {}, doubled: {}, left out: {}",
        outline.feeds.len(),
        outline.duplicates,
        outline.problems.len()
    );
    match added {
        Some(added) => output::note(&format!("{found}; new to the store: {added}")),
        None => output::note(&format!("{found}; nothing was stored")),
    }
    Ok(())
}

#[derive(Debug, Serialize)]
struct ImportJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    feeds: Vec<FeedJson<'a>>,
    duplicates: usize,
    problems: Vec<ProblemJson<'a>>,
    /// Sources that the store did not have; absent where nothing was stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<usize>,
}

#[derive(Debug, Serialize)]
struct ProblemJson<'a> {
    text: &'a str,
    reason: &'static str,
}

impl<'a> ImportJson<'a> {
    fn of(outline: &'a Outline, added: Option<usize>) -> Self {
        Self {
            title: outline.title.as_deref(),
            feeds: outline.feeds.iter().map(FeedJson::of).collect(),
            duplicates: outline.duplicates,
            problems: outline.problems.iter().map(ProblemJson::of).collect(),
            added,
        }
    }
}

impl<'a> ProblemJson<'a> {
    fn of(problem: &'a OutlineProblem) -> Self {
        Self { text: &problem.text, reason: problem.reason.as_str() }
    }
}

/// Bytes of a list that are read at most: more than the reader takes, so that it says that the list is too large.
const MAX_READ: u64 = 64 * 1024 * 1024;
