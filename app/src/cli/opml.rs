//! Commands that exchange lists of feeds with other readers.

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum OpmlCommand {}

/// Runs one of them.
pub(crate) async fn run(command: OpmlCommand, _context: &Context) -> anyhow::Result<Status> {
    match command {}
}
