//! Commands that judge and write URLs.

mod check;
mod normalise;

use std::io::{self, BufRead};

use clap::{Args, Subcommand};

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum UrlCommand {
    /// Say whether URLs may be fetched, without a request
    Check(check::CheckArgs),
    /// Write URLs in normal form and in readable form
    Normalise(normalise::NormaliseArgs),
}

/// URLs on the command line, or a line each on standard input.
#[derive(Debug, Args)]
struct UrlList {
    /// The URLs; - reads them from standard input, one a line
    #[arg(required = true, value_name = "URL|-")]
    urls: Vec<String>,
}

/// Runs one of them.
pub(crate) async fn run(command: UrlCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        UrlCommand::Check(args) => check::run(args, context).await,
        UrlCommand::Normalise(args) => normalise::run(args, context).await,
    }
}

impl UrlList {
    /// Gives each URL to `each`, those of standard input as they come. Empty lines are passed over.
    fn for_each(&self, mut each: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
        for url in &self.urls {
            if url != "-" {
                each(url)?;
                continue;
            }
            for line in io::stdin().lock().split(b'\n') {
                let line = line?;
                let line = String::from_utf8_lossy(&line);
                if !line.trim().is_empty() {
                    each(line.trim())?;
                }
            }
        }
        Ok(())
    }
}
