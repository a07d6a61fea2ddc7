//! `headwater db check`: examines the whole store for damage.

use clap::Args;
use serde_json::json;

use super::super::Status;
use super::StoreArg;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    store: StoreArg,
}

/// Runs the command.
pub(crate) async fn run(args: CheckArgs, context: &Context) -> anyhow::Result<Status> {
    let problems = wiring::store_admin(context, args.store.url.as_deref())?.check().await?;
    let sound = problems.is_empty();
    if context.json {
        output::json(&json!({ "sound": sound, "problems": problems }))?;
    } else if sound {
        output::text("The store is sound.")?;
    } else {
        output::text(&problems.join("\n"))?;
    }
    Ok(if sound { Status::Done } else { Status::Failed })
}
