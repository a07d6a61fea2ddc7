//! Commands that answer when something happens.

mod next;

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Tell when a schedule fires next
    Next(next::NextArgs),
}

/// Runs one of them.
pub(crate) async fn run(command: ScheduleCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        ScheduleCommand::Next(args) => next::run(args, context).await,
    }
}
