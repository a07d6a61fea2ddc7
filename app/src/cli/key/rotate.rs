//! `headwater key rotate`: seals every stored secret anew with the first key.

use clap::Args;
use serde_json::json;

use super::{line, listed};
use crate::cli::Status;
use crate::context::Context;
use crate::secrets::rotation;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct RotateArgs {
    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: RotateArgs, context: &Context) -> anyhow::Result<Status> {
    let vault = wiring::vault(context)?;
    let store = wiring::store(context, args.store.as_deref()).await?;
    let done = rotation::rotate(store.as_ref(), vault.as_ref()).await?;
    if context.json {
        output::json(&json!({
            "rotated": done.rotated,
            "current": done.current,
            "quarantined": listed(&done.quarantined),
        }))?;
    } else {
        output::text(&format!("Secrets sealed anew: {}; current already: {}.", done.rotated, done.current))?;
        for secret in &done.quarantined {
            output::note(&line(secret));
        }
    }
    Ok(if done.quarantined.is_empty() { Status::Done } else { Status::Partly })
}
