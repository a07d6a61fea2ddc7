//! How a failed command tells people and programs what went wrong.

use std::fmt;

use headwater_domain::ErrorKind;
use serde_json::json;

use crate::output::{self, Form};

/// The command line, or a file that it names, cannot be understood: exit status 2.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Writes the error document or a message for people.
pub(crate) fn report(error: &anyhow::Error, form: Form) {
    let known = error.chain().find_map(|cause| cause.downcast_ref::<headwater_ports::Error>());
    let message = message(error);
    let hint = known.and_then(|error| error.hint.as_deref());
    if form == Form::Json {
        let code = known.map_or(ErrorKind::Internal, |error| error.kind).code();
        let mut body = json!({ "code": code, "message": message });
        if let Some(hint) = hint {
            body["hint"] = hint.into();
        }
        let _ = output::json(&json!({ "error": body }));
        return;
    }
    output::note(&format!("error: {message}"));
    if let Some(hint) = hint {
        output::note(&format!("hint: {hint}"));
    }
}

/// The whole chain in one line, without what a level merely repeats of the level below.
fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain() {
        let level = cause.to_string();
        if message.ends_with(&level) {
            continue;
        }
        if !message.is_empty() {
            message.push_str(": ");
        }
        message.push_str(&level);
    }
    message
}
