//! Commands that read articles.

mod extract;

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum ArticleCommand {
    /// Read the article of a stored page
    Extract(extract::ExtractArgs),
}

/// Runs one of them.
pub(crate) async fn run(command: ArticleCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        ArticleCommand::Extract(args) => extract::run(args, context).await,
    }
}
