//! Commands that show and deliver the digests of earlier runs.

pub(super) mod deliver;
mod list;
mod show;

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum DigestCommand {
    /// List the runs, newest first
    List(list::ListArgs),
    /// Show the digest of a run again
    Show(show::ShowArgs),
    /// Deliver digests to the sinks that do not have them
    Deliver(deliver::DeliverArgs),
}

/// Runs one of them.
pub(crate) async fn run(command: DigestCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        DigestCommand::List(args) => list::run(args, context).await,
        DigestCommand::Show(args) => show::run(args, context).await,
        DigestCommand::Deliver(args) => deliver::run(args, context).await,
    }
}
