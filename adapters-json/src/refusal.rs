//! What is a JSON document that is no feed?

use headwater_domain::ErrorKind;
use headwater_domain::secret::redact_text;
use headwater_domain::text::{collapse_space, excerpt};
use headwater_ports::Error;

use crate::OPERATION;
use crate::raw::Raw;
use crate::wire::Head;

/// The error for it, with what was seen: `{"error":"invalid passkey"}` is a matter of credentials.
pub(crate) fn not_a_feed(text: &str, head: &Head<'_>) -> Error {
    if text.starts_with('[') {
        return Error::new(ErrorKind::NotAFeed, OPERATION, "a JSON array, no feed");
    }
    let seen = Seen::of(text);
    let kind = seen.message.as_deref().map_or(ErrorKind::NotAFeed, kind_of);
    let mut detail = "a JSON document that is no feed".to_owned();
    if let Some(version) = &head.version {
        detail = format!("{detail}: version {:?}", excerpt(&redact_text(version), 60));
    } else if !seen.keys.is_empty() {
        detail = format!("{detail}: it has {}", seen.keys.join(", "));
    }
    if let Some(message) = &seen.message {
        detail = format!("{detail}, and says {message:?}");
    }
    Error::new(kind, OPERATION, detail)
}

/// The first members of an object, and what it says of an error.
#[derive(Default)]
struct Seen {
    keys: Vec<String>,
    message: Option<String>,
}

impl Seen {
    fn of(text: &str) -> Self {
        let mut seen = Self::default();
        let Some(mut members) = Raw::at_start(text).members() else { return seen };
        while let Ok(Some((key, value))) = members.next_member() {
            if seen.message.is_none() && MESSAGES.contains(&key.to_ascii_lowercase().as_str()) {
                seen.message = message(value);
            }
            if seen.keys.len() < 5 {
                seen.keys.push(excerpt(&redact_text(&key), 30));
            }
        }
        seen
    }
}

/// The text of an error, which may itself be an object.
fn message(value: Raw<'_>) -> Option<String> {
    let found = value.text().or_else(|| {
        let mut members = value.members()?;
        std::iter::from_fn(|| members.next_member().ok().flatten()).find_map(|(key, value)| {
            MESSAGES.contains(&key.to_ascii_lowercase().as_str()).then(|| value.text()).flatten()
        })
    })?;
    Some(excerpt(&collapse_space(&redact_text(&found)), 120)).filter(|text| !text.is_empty())
}

fn kind_of(message: &str) -> ErrorKind {
    let folded = message.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| folded.contains(word));
    if has(&["expired", "过期"]) {
        ErrorKind::Expired
    } else if has(&[
        "passkey",
        "unauthor",
        "forbidden",
        "access denied",
        "invalid token",
        "invalid api",
        "log in",
        "login",
    ]) {
        ErrorKind::Auth
    } else {
        ErrorKind::NotAFeed
    }
}

const MESSAGES: [&str; 6] = ["error", "message", "msg", "detail", "errors", "error_description"];
