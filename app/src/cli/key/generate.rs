//! `headwater key generate`: prints a new key.

use clap::Args;
use serde_json::json;

use crate::cli::Status;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The name of the key: lower-case letters, digits and hyphens [default: made of the present time]
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: GenerateArgs, context: &Context) -> anyhow::Result<Status> {
    let id = args.id.unwrap_or_else(|| context.clock.now().strftime("k%Y%m%d-%H%M%S").to_string());
    let key = wiring::new_vault_key(&id)?;
    if context.json {
        output::json(&json!({ "key": key.expose() }))?;
    } else {
        output::text(key.expose())?;
        output::note("Put it first in HEADWATER__VAULT__KEYS, before the older keys, and keep a copy in a safe place.");
    }
    Ok(Status::Done)
}
