//! `headwater db migrate`: brings the store to this version's schema.

use clap::Args;
use serde_json::json;

use super::super::Status;
use super::StoreArg;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    #[command(flatten)]
    store: StoreArg,
}

/// Runs the command.
pub(crate) async fn run(args: MigrateArgs, context: &Context) -> anyhow::Result<Status> {
    let report = wiring::store_admin(context, args.store.url.as_deref())?.migrate().await?;
    if context.json {
        output::json(&json!({ "from": report.from, "to": report.to }))?;
    } else if report.from == report.to {
        output::text(&format!("The schema has version {} already: nothing to do.", report.to))?;
    } else {
        output::text(&format!("Migrated the schema from version {} to {}.", report.from, report.to))?;
    }
    Ok(Status::Done)
}
