//! `headwater config show`: the settings that hold.

use anyhow::Context as _;

use crate::cli::Status;
use crate::context::Context;
use crate::output;

/// Shows what holds, as TOML that can be used as a file, or as JSON. Secrets are masked.
pub(crate) fn run(context: &Context) -> anyhow::Result<Status> {
    if context.json {
        output::json(&context.config)?;
        return Ok(Status::Done);
    }
    let text = toml::to_string(&context.config).context("could not write the configuration as TOML")?;
    output::bytes(text.as_bytes())?;
    Ok(Status::Done)
}
