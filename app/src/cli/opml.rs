//! Commands that exchange lists of feeds with other readers.

pub(super) mod export;
pub(super) mod import;

use std::borrow::Cow;

use clap::Subcommand;
use headwater_domain::feed::outline::OutlineFeed;
use serde::Serialize;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum OpmlCommand {
    /// Add the feeds of a list to the store
    Import(import::ImportArgs),
    /// Write the sources of the store as a list
    Export(export::ExportArgs),
}

/// Runs one of them.
pub(crate) async fn run(command: OpmlCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        OpmlCommand::Import(args) => import::run(args, context).await,
        OpmlCommand::Export(args) => export::run(args, context).await,
    }
}

/// A feed of a list as JSON.
#[derive(Debug, Serialize)]
struct FeedJson<'a> {
    url: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_url: Option<Cow<'a, str>>,
    path: Vec<&'a str>,
}

impl<'a> FeedJson<'a> {
    fn of(feed: &'a OutlineFeed) -> Self {
        Self {
            url: feed.url.redacted_str(),
            title: feed.title.as_deref(),
            site_url: feed.site_url.as_ref().map(|site| site.redacted_str()),
            path: feed.path.iter().map(|name| &**name).collect(),
        }
    }
}
