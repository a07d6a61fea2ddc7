//! `headwater key status`: shows how many secrets each key sealed.

use clap::Args;
use serde_json::{Value, json};

use super::{line, listed};
use crate::cli::Status;
use crate::context::Context;
use crate::secrets::rotation;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// A key of the ring, or one that is missing there.
struct Row {
    id: String,
    secrets: usize,
    role: &'static str,
}

/// Runs the command.
pub(crate) async fn run(args: StatusArgs, context: &Context) -> anyhow::Result<Status> {
    let vault = wiring::vault(context)?;
    let store = wiring::store(context, args.store.as_deref()).await?;
    let mut standing = rotation::standing(store.as_ref()).await?;
    let active = vault.active_key();
    let mut rows = Vec::new();
    for id in vault.keys() {
        let secrets = standing.secrets_by_key.remove(&id).unwrap_or_default();
        let role = match (active.as_deref() == Some(&id), secrets) {
            (true, _) => "active",
            (false, 0) => "unused",
            (false, _) => "old",
        };
        rows.push(Row { id, secrets, role });
    }
    rows.extend(standing.secrets_by_key.into_iter().map(|(id, secrets)| Row { id, secrets, role: "missing" }));
    if context.json {
        output::json(&json!({
            "active": active,
            "keys": rows.iter().map(document).collect::<Vec<_>>(),
            "quarantined": listed(&standing.quarantined),
        }))?;
        return Ok(Status::Done);
    }
    if rows.is_empty() {
        output::text("There is no key, and no sealed secret. `headwater key generate` makes a key.")?;
    }
    for row in &rows {
        output::text(&format!("{:<32} secrets: {:<6} {}", row.id, row.secrets, explained(row.role)))?;
    }
    for secret in &standing.quarantined {
        output::note(&line(secret));
    }
    Ok(Status::Done)
}

fn document(row: &Row) -> Value {
    json!({ "id": row.id, "secrets": row.secrets, "role": row.role })
}

fn explained(role: &str) -> &'static str {
    match role {
        "active" => "active: it seals",
        "unused" => "unused: it may be dropped",
        "old" => "old: `headwater key rotate` frees it",
        _ => "missing in HEADWATER__VAULT__KEYS",
    }
}
