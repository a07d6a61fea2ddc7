//! Commands that drive connectors without the service.

mod bound;
mod catalogue;
mod counting;
mod fetch;
mod resources;
mod sync;
mod validate;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum DatasourceCommand {
    /// List the connectors
    Types(catalogue::TypesArgs),
    /// Ask a system whether credentials and settings will do
    Validate(validate::ValidateArgs),
    /// List what can be selected, one level at a time
    Resources(resources::ResourcesArgs),
    /// Read what changed, and tell it an event a line
    Fetch(fetch::FetchArgs),
    /// Keep the store's documents in step with a system: one run
    Sync(sync::SyncArgs),
}

/// Which data source.
#[derive(Debug, Args)]
struct ConfigFile {
    /// The data source: {"type", "credentials", "resource_ids", "settings"}; - reads it from standard input
    ///
    /// It takes the place of the program's own configuration file, which comes from the environment and --set here.
    #[arg(long, value_name = "FILE.json", required = true)]
    config: Option<PathBuf>,
}

impl DatasourceCommand {
    /// Whether `--config` names a data source.
    pub(crate) fn has_config(&self) -> bool {
        !matches!(self, Self::Types(_))
    }
}

/// Runs one of them.
pub(crate) async fn run(command: DatasourceCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        DatasourceCommand::Types(args) => catalogue::run(args, context).await,
        DatasourceCommand::Validate(args) => validate::run(args, context).await,
        DatasourceCommand::Resources(args) => resources::run(args, context).await,
        DatasourceCommand::Fetch(args) => fetch::run(args, context).await,
        DatasourceCommand::Sync(args) => sync::run(args, context).await,
    }
}
