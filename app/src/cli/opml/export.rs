//! How `opml export` writes the sources of the store as a list that other readers take.

use std::path::PathBuf;

use headwater_domain::feed::outline::OutlineFeed;
use headwater_domain::synthesis::source::{Source, TenantId};
use headwater_ports::{SecretsInUrls, WriteOptions};
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
    let feeds: Vec<OutlineFeed> = store.sources(&TenantId::default()).await?.into_iter().map(feed).collect();
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
