//! Commands that answer when something happens.

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {}

/// Runs one of them.
pub(crate) async fn run(command: ScheduleCommand, _context: &Context) -> anyhow::Result<Status> {
    match command {}
}
