//! Which commands there are, and how one is run.

mod article;
mod config;
mod datasource;
mod db;
mod demo;
mod digest;
mod feed;
mod help;
mod key;
mod opml;
mod redact;
mod run;
mod schedule;
mod source;
mod url;

use std::process::ExitCode;

use clap::error::ContextValue;
use clap::{FromArgMatches, Parser, Subcommand};
use headwater_domain::secret::redact_text;

use crate::context::{Context, GlobalFlags};
use crate::failure::{self, UsageError};
use crate::output::{Form, ReaderGone};
use crate::{output, telemetry};

/// Runs the command that the command line names.
pub(crate) fn main() -> ExitCode {
    let parsed = help::command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = parsed.unwrap_or_else(|error| without_secrets(error).exit());
    let form = if cli.global.json || cli.command.always_json() { Form::Json } else { Form::People };
    match execute(cli, form) {
        Ok(status) => status.into(),
        Err(error) if error.chain().any(|cause| cause.is::<ReaderGone>()) => Status::Done.into(),
        Err(error) if error.is::<UsageError>() => {
            output::note(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
        Err(error) => {
            failure::report(&error, form);
            ExitCode::from(1)
        }
    }
}

/// Why a command line is not understood is told with what stands in it, which may be a URL with a secret.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    let told = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, redact_text(text).into_owned())),
        _ => None,
    });
    for (kind, text) in told.collect::<Vec<_>>() {
        error.insert(kind, ContextValue::String(text));
    }
    error
}

/// How a command ended, apart from errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Everything was done: 0.
    Done,
    /// The work failed, and the document says so: 1.
    Failed,
    /// Some of it failed, and the document says what: 3.
    Partly,
}

/// Headwater brings what other systems publish into one place: safely, once, resumably.
#[derive(Debug, Parser)]
#[command(name = "headwater", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: GlobalFlags,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read sources and bring together what is new
    Run(run::RunArgs),
    /// Look after the sources: add, list, remove, and see how each is doing
    #[command(subcommand)]
    Source(source::SourceCommand),
    /// Show and deliver the digests of earlier runs
    #[command(subcommand)]
    Digest(digest::DigestCommand),
    /// See a whole run on a small web that the program brings along
    Demo(demo::DemoArgs),
    /// Parse, discover and fetch feeds
    #[command(subcommand)]
    Feed(feed::FeedCommand),
    /// Read the article of a page
    #[command(subcommand)]
    Article(article::ArticleCommand),
    /// Take the secrets out of the text on standard input
    Redact(redact::RedactArgs),
    /// Check and normalise URLs
    #[command(subcommand)]
    Url(url::UrlCommand),
    /// Import and export lists of feeds
    #[command(subcommand)]
    Opml(opml::OpmlCommand),
    /// Work out schedules
    #[command(subcommand)]
    Schedule(schedule::ScheduleCommand),
    /// Read wikis, document stores and feeds through connectors
    #[command(subcommand)]
    Datasource(datasource::DatasourceCommand),
    /// Write, check and show the configuration
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Look after the store
    #[command(subcommand)]
    Db(db::DbCommand),
    /// Make and change the keys that seal secrets in the store
    #[command(subcommand)]
    Key(key::KeyCommand),
}

impl Command {
    /// The flags of all commands as this one means them: `--config` of a data source is no configuration of the program.
    fn settled(&self, global: GlobalFlags) -> GlobalFlags {
        match self {
            Self::Datasource(command) if command.has_config() => global.without_config(),
            _ => global,
        }
    }

    /// Whether the command prints JSON without being asked.
    fn always_json(&self) -> bool {
        match self {
            Self::Feed(command) => command.always_json(),
            Self::Url(_) => true,
            _ => false,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Partly => 3,
        })
    }
}

fn execute(cli: Cli, form: Form) -> anyhow::Result<Status> {
    if let Command::Config(command) = &cli.command
        && let Some(outcome) = config::run_early(command, &cli.global)
    {
        return outcome;
    }
    let mut context = Context::new(&cli.command.settled(cli.global.clone()))?;
    context.json = form == Form::Json;
    telemetry::init(&context.config.log, cli.global.log.as_deref());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(dispatch(cli.command, &cli.global, &context));
    // Reading a line or parsing a page cannot be called off; nobody waits for it any more.
    runtime.shutdown_background();
    outcome
}

async fn dispatch(command: Command, flags: &GlobalFlags, context: &Context) -> anyhow::Result<Status> {
    match command {
        Command::Run(args) => run::run(args, context).await,
        Command::Digest(command) => digest::run(command, context).await,
        Command::Demo(args) => demo::run(args, context).await,
        Command::Feed(command) => feed::run(command, context).await,
        Command::Article(command) => article::run(command, context).await,
        Command::Redact(args) => redact::run(args, context).await,
        Command::Url(command) => url::run(command, context).await,
        Command::Opml(command) => opml::run(command, context).await,
        Command::Schedule(command) => schedule::run(command, context).await,
        Command::Datasource(command) => datasource::run(command, context).await,
        Command::Source(command) => source::run(command, context).await,
        Command::Config(command) => config::run(&command, flags, context),
        Command::Db(command) => db::run(command, context).await,
        Command::Key(command) => key::run(command, context).await,
    }
}

#[cfg(test)]
mod tests;
