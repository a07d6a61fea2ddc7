//! Asks a system whether credentials and settings will do.

use clap::Args;
use serde_json::json;

use super::ConfigFile;
use super::bound::Bound;
use crate::cli::Status;
use crate::context::Context;
use crate::output;

/// The arguments of `datasource validate`.
#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    config: ConfigFile,
}

/// Prints that the system is connected, or fails with the reason.
pub(crate) async fn run(args: ValidateArgs, context: &Context) -> anyhow::Result<Status> {
    let bound = Bound::open(&args.config, context)?;
    bound.connector.validate(&bound.config).await?;
    if context.json {
        output::json(&json!({ "status": "connected" }))?;
    } else {
        output::text("connected")?;
    }
    Ok(Status::Done)
}
