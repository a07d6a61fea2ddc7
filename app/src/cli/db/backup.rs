//! `headwater db backup FILE`: copies the store into a file while others use it.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::super::Status;
use super::StoreArg;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// Where the copy goes; a file that is there is not replaced
    #[arg(value_name = "FILE")]
    target: PathBuf,

    #[command(flatten)]
    store: StoreArg,
}

/// Runs the command.
pub(crate) async fn run(args: BackupArgs, context: &Context) -> anyhow::Result<Status> {
    let size = wiring::store_admin(context, args.store.url.as_deref())?.backup(&args.target).await?;
    if context.json {
        output::json(&json!({ "file": args.target.display().to_string(), "size_bytes": size }))?;
    } else {
        output::text(&format!("Wrote {size} bytes to {}.", args.target.display()))?;
    }
    Ok(Status::Done)
}
