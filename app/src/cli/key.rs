//! Commands that make and change the keys of the vault.

mod generate;
mod rotate;
mod status;

use clap::Subcommand;
use headwater_domain::secret::StoredSecret;
use serde_json::{Value, json};

use super::Status;
use crate::context::Context;

/// The commands of the group.
#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Print a new key for HEADWATER__VAULT__KEYS
    Generate(generate::GenerateArgs),
    /// Seal every stored secret anew with the first key
    Rotate(rotate::RotateArgs),
    /// Show how many secrets each key sealed
    Status(status::StatusArgs),
}

/// Runs one of them.
pub(crate) async fn run(command: KeyCommand, context: &Context) -> anyhow::Result<Status> {
    match command {
        KeyCommand::Generate(args) => generate::run(args, context).await,
        KeyCommand::Rotate(args) => rotate::run(args, context).await,
        KeyCommand::Status(args) => status::run(args, context).await,
    }
}

/// Secrets that no key opens, for a document.
fn listed(secrets: &[StoredSecret]) -> Vec<Value> {
    let row = |secret: &StoredSecret| {
        json!({
            "tenant": secret.place.tenant.0,
            "owner": secret.place.owner,
            "field": secret.place.field,
            "key_id": secret.sealed.key_id,
        })
    };
    secrets.iter().map(row).collect()
}

/// A secret that no key opens, for people.
fn line(secret: &StoredSecret) -> String {
    format!(
        "{} of {}: sealed with {}, which opens it no more",
        secret.place.field, secret.place.owner, secret.sealed.key_id
    )
}
