//! `headwater db status`: shows where the store is and what it holds.

use clap::Args;
use headwater_ports::StoreStatus;
use serde_json::{Map, json};

use super::super::Status;
use super::StoreArg;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    store: StoreArg,
}

/// Runs the command.
pub(crate) async fn run(args: StatusArgs, context: &Context) -> anyhow::Result<Status> {
    let status = wiring::store_admin(context, args.store.url.as_deref())?.status().await?;
    if context.json {
        output::json(&document(&status))?;
    } else {
        output::text(&text(&status))?;
    }
    Ok(Status::Done)
}

fn document(status: &StoreStatus) -> serde_json::Value {
    let tables: Map<_, _> = status.tables.iter().map(|(name, rows)| (name.clone(), (*rows).into())).collect();
    json!({
        "engine": status.engine,
        "location": status.location,
        "schema_version": status.schema_version,
        "latest_version": status.latest_version,
        "size_bytes": status.size_bytes,
        "tables": tables,
    })
}

fn text(status: &StoreStatus) -> String {
    let schema = match status.schema_version.cmp(&status.latest_version) {
        std::cmp::Ordering::Less => format!("{}, and {} is due", status.schema_version, status.latest_version),
        std::cmp::Ordering::Equal => format!("{}, up to date", status.schema_version),
        std::cmp::Ordering::Greater => format!("{}, written by a newer version", status.schema_version),
    };
    let mut lines = vec![
        format!("store   {} ({})", status.location, status.engine),
        format!("schema  {schema}"),
        format!("size    {} bytes", status.size_bytes),
    ];
    lines.extend(status.tables.iter().map(|(name, rows)| format!("rows    {rows:>10}  {name}")));
    lines.join("\n")
}
