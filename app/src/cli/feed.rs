//! Commands that read feeds.

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum FeedCommand {}

/// Runs one of them.
pub(crate) async fn run(command: FeedCommand, _context: &Context) -> anyhow::Result<Status> {
    match command {}
}
