//! Commands that read articles.

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum ArticleCommand {}

/// Runs one of them.
pub(crate) async fn run(command: ArticleCommand, _context: &Context) -> anyhow::Result<Status> {
    match command {}
}
