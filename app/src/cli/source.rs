//! Commands that look after the sources of the store.

mod add;
mod list;
mod listed;
mod remove;
mod show;

use clap::Subcommand;
use headwater_domain::synthesis::source::{Source, TenantId, source_key};
use headwater_ports::SourceStore;

use super::Status;
use super::opml::{export, import};
use crate::context::Context;
use crate::failure::UsageError;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum SourceCommand {
    /// Add sites or feeds, or give a source its URL with its secret again
    Add(add::AddArgs),
    /// List the sources, and how each is doing
    List(list::ListArgs),
    /// Show all that is known of a source, and what to do about it
    Show(show::ShowArgs),
    /// Remove sources; what became of their articles stays known
    Remove(remove::RemoveArgs),
    /// Add the feeds of an OPML list
    Import(import::ImportArgs),
    /// Write the sources as an OPML list, without the secrets of their URLs
    Export(export::ExportArgs),
}

/// Runs one of them.
pub(crate) async fn run(command: SourceCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        SourceCommand::Add(args) => add::run(args, context).await,
        SourceCommand::List(args) => list::run(args, context).await,
        SourceCommand::Show(args) => show::run(args, context).await,
        SourceCommand::Remove(args) => remove::run(args, context).await,
        SourceCommand::Import(args) => import::run(args, context).await,
        SourceCommand::Export(args) => export::run(args, context).await,
    }
}

/// The source that somebody means: by its URL, its identifier, or the one title that is so.
async fn named(store: &dyn SourceStore, name: &str) -> anyhow::Result<Source> {
    let sources = store.sources(&TenantId::default()).await?;
    let key = name.trim().parse().ok().map(|url| source_key(&headwater_domain::secret::PrivateUrl::new(url)));
    let by_name = |source: &&Source| source.id.0 == name || key.as_ref().is_some_and(|key| source.key() == *key);
    if let Some(source) = sources.iter().find(by_name) {
        return Ok(source.clone());
    }
    let title = |source: &&Source| source.title.as_deref().is_some_and(|title| title.eq_ignore_ascii_case(name));
    let titled: Vec<&Source> = sources.iter().filter(title).collect();
    let shown = headwater_domain::secret::redact_text(name);
    match titled.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(UsageError(format!("no source is named {shown:?}: `headwater source list` shows them")).into()),
        _ => Err(UsageError(format!("several sources have the title {shown:?}: name one by its URL")).into()),
    }
}
