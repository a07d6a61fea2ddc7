//! Lists the connectors.

use clap::Args;
use headwater_ports::ConnectorMetadata;

use crate::cli::Status;
use crate::context::Context;
use crate::{output, wiring};

/// The arguments of `datasource types`.
#[derive(Debug, Args)]
pub(crate) struct TypesArgs {}

/// Prints what each connector is.
pub(crate) async fn run(_args: TypesArgs, context: &Context) -> anyhow::Result<Status> {
    let known = wiring::connectors(context, wiring::fetcher(context)?)?.metadata();
    if context.json {
        output::json(&known)?;
    } else {
        output::text(known.iter().map(described).collect::<Vec<_>>().join("\n").trim_end())?;
    }
    Ok(Status::Done)
}

/// A connector for people: its name, what it is, and the fields of its configuration.
fn described(known: &ConnectorMetadata) -> String {
    let mut lines = format!("{}  {}: {}\n", known.connector_type, known.name, known.description);
    for field in known.fields {
        let must = if field.required { ", required" } else { "" };
        let place = serde_json::to_value(field.place).ok();
        let place = place.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
        lines.push_str(&format!("    {place}.{}{must}: {}\n", field.name, field.description));
    }
    lines
}
