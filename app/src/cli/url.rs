//! Commands that judge and write URLs.

use clap::Subcommand;

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum UrlCommand {}

/// Runs one of them.
pub(crate) async fn run(command: UrlCommand, _context: &Context) -> anyhow::Result<Status> {
    match command {}
}
