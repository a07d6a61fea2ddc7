//! `headwater config init`: a file to start from.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::json;

use crate::cli::Status;
use crate::config::TEMPLATE;
use crate::context::GlobalFlags;
use crate::failure::UsageError;
use crate::output;

/// What the command is given.
#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// Where the file is written; `-` is standard output. A file that is there is never replaced
    #[arg(value_name = "FILE", default_value = "headwater.toml")]
    file: PathBuf,
}

/// Writes the file. Every setting stands there behind a `#`, so that nothing changes until one is taken away.
pub(crate) fn run(args: &InitArgs, flags: &GlobalFlags) -> anyhow::Result<Status> {
    if args.file.as_os_str() == "-" {
        output::bytes(TEMPLATE.as_bytes())?;
        return Ok(Status::Done);
    }
    let shown = args.file.display();
    let mut file = std::fs::File::create_new(&args.file).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => UsageError(format!("{shown} is there already; it is not replaced")),
        _ => UsageError(format!("could not write {shown}: {error}")),
    })?;
    file.write_all(TEMPLATE.as_bytes())
        .and_then(|()| file.sync_all())
        .with_context(|| format!("could not write {shown}"))?;
    if flags.json {
        output::json(&json!({ "file": args.file }))?;
    } else {
        output::note(&format!("written to {shown}: use it with `headwater --config {shown} …`"));
    }
    Ok(Status::Done)
}
