//! Runs a connector once and tells what it reads, as it reads it.

mod cursor_file;
mod events;
mod into_folder;
mod report;

use std::path::PathBuf;

use clap::Args;
use headwater_domain::ErrorKind;
use headwater_domain::sync::SyncCursor;
use headwater_ports::Error;

use self::cursor_file::CursorFile;
use self::into_folder::IntoFolder;
use self::report::Report;
use super::ConfigFile;
use super::bound::Bound;
use crate::cli::Status;
use crate::context::Context;
use crate::synthesis::stop::Stop;

/// Read what changed, and tell it an event a line
///
/// Exit status: 0 all was read; 3 something failed, or the run was stopped; 1 nothing could be read. Ctrl-C ends a run
/// at its last checkpoint.
#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    #[command(flatten)]
    config: ConfigFile,

    /// Keep in this file where the sync stands; the next run reads only what changed
    #[arg(long, value_name = "FILE")]
    cursor: Option<PathBuf>,

    /// Read everything again; what is gone is found all the same
    #[arg(long)]
    full: bool,

    /// Write each document into this folder, and remove what is deleted
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// Runs the connector.
pub(crate) async fn run(args: FetchArgs, context: &Context) -> anyhow::Result<Status> {
    let bound = Bound::open(&args.config, context)?;
    let (file, mut cursor) = CursorFile::open(args.cursor.as_deref())?;
    let folder = args.into.as_deref().map(IntoFolder::open).transpose()?;
    let mut report = Report::new(context.json, file, folder, &cursor);
    if args.full {
        cursor.forget_versions();
    }
    let outcome = read(&bound, cursor, &mut report).await;
    report.end(outcome.err(), bound.requests.count())
}

async fn read(bound: &Bound, cursor: SyncCursor, report: &mut Report) -> Result<(), Error> {
    let stop = Stop::on_signal();
    tokio::select! {
        outcome = bound.connector.fetch_stream(&bound.config, cursor, report) => outcome.map(drop),
        () = stop.requested() => Err(Error::new(ErrorKind::Interrupted, "read the data source", "the run was stopped")),
    }
}
