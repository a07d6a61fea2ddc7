//! Commands that look after the store.

mod backup;
mod check;
mod migrate;
mod prune;
mod status;

use clap::{Args, Subcommand};

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum DbCommand {
    /// Bring the store to this version's schema, or make it
    Migrate(migrate::MigrateArgs),
    /// Show where the store is and what it holds
    Status(status::StatusArgs),
    /// Examine the whole store for damage
    Check(check::CheckArgs),
    /// Copy the store into a file while others use it
    Backup(backup::BackupArgs),
    /// Let go of old runs and old history
    Prune(prune::PruneArgs),
}

/// Which store is meant.
#[derive(Debug, Args)]
pub(crate) struct StoreArg {
    /// The store [default: a file in the platform's data directory]
    #[arg(long = "store", value_name = "URL")]
    url: Option<String>,
}

/// Runs one of them.
pub(crate) async fn run(command: DbCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        DbCommand::Migrate(args) => migrate::run(args, context).await,
        DbCommand::Status(args) => status::run(args, context).await,
        DbCommand::Check(args) => check::run(args, context).await,
        DbCommand::Backup(args) => backup::run(args, context).await,
        DbCommand::Prune(args) => prune::run(args, context).await,
    }
}
