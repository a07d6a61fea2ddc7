//! `headwater config check`: what is wrong with a configuration file.

use std::path::PathBuf;

use headwater_domain::net::Exemptions;
use serde_json::json;

use crate::cli::Status;
use crate::config::Config;
use crate::config::problems::{Problem, line_of, problems};
use crate::context::GlobalFlags;
use crate::failure::UsageError;
use crate::schedule::Schedule;
use crate::{input, output, wiring};

/// What the command is given.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The file [default: that of --config]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Checks the file; status 1 where something is wrong with it.
pub(crate) fn run(args: &CheckArgs, flags: &GlobalFlags) -> anyhow::Result<Status> {
    let named = args.file.as_ref().or(flags.config.as_ref());
    let path = named.ok_or_else(|| UsageError("name the file, or give it with --config".to_owned()))?;
    let bytes = input::read_whole(path, MAX_BYTES)
        .map_err(|error| UsageError(format!("could not read {}: {error}", path.display())))?;
    let text = String::from_utf8(bytes).map_err(|_| UsageError(format!("{} is not UTF-8", path.display())))?;
    let mut found = problems(&text);
    if found.is_empty() {
        found = senseless(&text);
    }
    if flags.json {
        let rows: Vec<_> = found
            .iter()
            .map(|problem| json!({"line": problem.line, "key": problem.key, "message": problem.message}))
            .collect();
        output::json(&json!({ "file": path, "problems": rows }))?;
    } else {
        found.iter().try_for_each(|problem| output::text(&format!("{}: {problem}", path.display())))?;
        if found.is_empty() {
            output::note(&format!("{}: all is well", path.display()));
        }
    }
    Ok(if found.is_empty() { Status::Done } else { Status::Failed })
}

/// Values of the right kind that make no sense.
fn senseless(text: &str) -> Vec<Problem> {
    let Ok(config) = toml::from_str::<Config>(text) else { return Vec::new() };
    let mut found = Vec::new();
    let mut add = |section: &str, key: &str, message: Option<String>| {
        let problem = |message| Problem {
            line: line_of(text, section, key).unwrap_or(1),
            key: Some(format!("{section}.{key}")),
            message,
        };
        found.extend(message.map(problem));
    };
    for allowed in &config.fetch.allow {
        let wrong = Exemptions::default().add(allowed).err();
        add("fetch", "allow", wrong.map(|error| error.to_string()));
    }
    let keys = config.vault.keys.as_ref().and_then(|keys| wiring::key_ring(keys.expose()).err());
    add("vault", "keys", keys.map(|error| error.to_string()));
    if let Some(schedule) = &config.watch.schedule {
        let wrong = Schedule::parse(schedule, &config.watch.time_zone).err();
        add("watch", "schedule", wrong.map(|error| error.to_string()));
    }
    found
}

/// Nobody writes a longer one.
const MAX_BYTES: u64 = 1024 * 1024;
