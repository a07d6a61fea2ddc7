//! Commands that read feeds.

mod apply;
mod discover;
mod fetch;
pub(crate) mod json;
mod kept;
mod link;
mod parse;

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum FeedCommand {
    /// Parse feeds that are at hand, and print them as JSON
    Parse(parse::ParseArgs),
    /// Find the feeds of a site or of a stored page
    Discover(discover::DiscoverArgs),
    /// Tell the new items of documents from the known ones
    Apply(apply::ApplyArgs),
    /// Make one polite attempt at a feed
    Fetch(fetch::FetchArgs),
    /// Have a site make a feed link
    Link(link::LinkArgs),
}

impl FeedCommand {
    /// Whether the command prints JSON without being asked.
    pub(crate) fn always_json(&self) -> bool {
        matches!(self, Self::Parse(_) | Self::Apply(_))
    }
}

/// Runs one of them.
pub(crate) async fn run(command: FeedCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        FeedCommand::Parse(args) => parse::run(args, context).await,
        FeedCommand::Discover(args) => discover::run(args, context).await,
        FeedCommand::Apply(args) => apply::run(args, context).await,
        FeedCommand::Fetch(args) => fetch::run(args, context).await,
        FeedCommand::Link(args) => link::run(args, context).await,
    }
}
