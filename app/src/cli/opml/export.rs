//! How `opml export` writes the sources of the store as a list that other readers take.

use std::collections::BTreeSet;
use std::path::PathBuf;

use headwater_domain::feed::outline::OutlineFeed;
use headwater_domain::synthesis::source::{Source, SourceId, TenantId};
use headwater_ports::{SecretsInUrls, SourceStore as _, WriteOptions};
use serde::Serialize;

use super::FeedJson;
use crate::cli::Status;
use crate::context::Context;
use crate::out_file::OutFile;
use crate::{output, wiring};

/// What `opml export` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// Where the list is written [default: standard output]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// Write the secrets of URLs too, where the store can open them: the list is then a key
    #[arg(long)]
    with_secrets: bool,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Writes the list.
pub(crate) async fn run(args: ExportArgs, context: &Context) -> anyhow::Result<Status> {
    let out = args.out.as_deref().map(OutFile::create).transpose()?;
    let store = wiring::sources(context, wiring::store(context, args.store.as_deref()).await?)?;
    let tenant = TenantId::default();
    let sources = store.sources(&tenant).await?;
    if args.with_secrets {
        tell_missing(&sources, &store.shut(&tenant, &sources).await?);
    }
    let feeds: Vec<OutlineFeed> = sources.into_iter().map(feed).collect();
    let options = WriteOptions {
        title: "Headwater".to_owned(),
        created_at: context.clock.now(),
        secrets: if args.with_secrets { SecretsInUrls::Kept } else { SecretsInUrls::Redacted },
    };
    let list = wiring::outline_format().write(&feeds, &options);
    match out {
        Some(out) => _ = out.commit(list.as_bytes())?,
        None if !context.json => output::bytes(list.as_bytes())?,
        None => {}
    }
    if context.json {
        output::json(&ExportJson { feeds: feeds.iter().map(FeedJson::of).collect() })?;
    }
    Ok(Status::Done)
}

/// Which secrets are not in the list, though they were asked for.
fn tell_missing(sources: &[Source], shut: &BTreeSet<SourceId>) {
    let missing = sources.iter().filter(|source| source.url_redacted && !shut.contains(&source.id)).count();
    for (count, why) in [(shut.len(), "no configured vault key opens it"), (missing, "the store does not hold it")] {
        if count > 0 {
            output::note(&format!("URLs without their secret: {count}; {why}"));
        }
    }
}

/// A source as a feed: the feed that was found for it, else the source itself.
fn feed(source: Source) -> OutlineFeed {
    let (url, site_url) = match source.feed {
        Some(found) if found.rss_url != source.url => (found.rss_url, Some(source.url)),
        _ => (source.url, None),
    };
    OutlineFeed { url, title: source.title, site_url, path: Vec::new() }
}

#[derive(Debug, Serialize)]
struct ExportJson<'a> {
    feeds: Vec<FeedJson<'a>>,
}
