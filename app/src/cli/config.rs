//! Commands about the configuration.

mod check;
mod init;
mod show;

use clap::Subcommand;

use super::Status;
use crate::context::{Context, GlobalFlags};

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Write a file that lists every setting, each with what it does and its default
    Init(init::InitArgs),
    /// Say what is wrong with a file: every mistake, with its key and line
    Check(check::CheckArgs),
    /// Show the settings that hold: defaults, file, environment and flags put together, secrets masked
    Show,
}

/// Runs the commands that must work without a sound configuration; gives back the one that does not.
pub(crate) fn run_early(command: &ConfigCommand, flags: &GlobalFlags) -> Option<anyhow::Result<Status>> {
    match command {
        ConfigCommand::Init(args) => Some(init::run(args, flags)),
        ConfigCommand::Check(args) => Some(check::run(args, flags)),
        ConfigCommand::Show => None,
    }
}

/// Runs one of them.
pub(crate) fn run(command: &ConfigCommand, flags: &GlobalFlags, context: &Context) -> anyhow::Result<Status> {
    match run_early(command, flags) {
        Some(outcome) => outcome,
        None => show::run(context),
    }
}
