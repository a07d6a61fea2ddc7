//! How the secrets of a URL are taken out of it, and put back for one request.

use std::fmt;
use std::fmt::Write as _;
use std::ops::Range;

use url::Url;

use super::encoding::units;
use super::redact::{MASKED_URL, STORED_URL};
use super::scan::{Finding, Kind, PLACEHOLDER, Rules, find};
use super::{PrivateUrl, Secret};

/// The secrets of a URL by name, in the order in which they stand in it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretParams {
    user_info: Option<Secret<String>>,
    values: Vec<(String, Value)>,
}

#[derive(Clone, PartialEq, Eq)]
enum Value {
    /// As it stood in a URL.
    Encoded(Secret<String>),
    /// As a person would write it.
    Plain(Secret<String>),
}

/// Why a redacted URL could not be made whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnredactError {
    /// No secret of that name is known.
    #[error("no value is known for the secret {name:?}")]
    MissingSecret {
        /// The name, `path` for a part of the path.
        name: String,
    },
    /// The result is no URL.
    #[error("the URL with its secrets put back is no URL")]
    InvalidUrl,
}

impl SecretParams {
    /// Adds the secret of that name, as a person would write it. Parts of a path have the name `path`.
    #[must_use]
    pub fn with(mut self, name: &str, value: Secret<String>) -> Self {
        self.values.push((name.to_owned(), Value::Plain(value)));
        self
    }

    /// These without user name and password, for another origin.
    #[must_use]
    pub fn without_user_info(self) -> Self {
        Self { user_info: None, ..self }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.user_info.is_none() && self.values.is_empty()
    }

    /// The names of the secrets, in order; not of user information.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| name.as_str())
    }

    /// The value of that name that was not used yet, else the last one.
    fn value(&self, name: &str, used: usize) -> Option<&Value> {
        let mut values =
            self.values.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        values.clone().nth(used).or_else(|| values.next_back())
    }
}

/// The secrets that [`redact_url`](super::redact_url) takes out of a URL.
pub fn extract_secret_params(url: &Url) -> SecretParams {
    extract(url, STORED_URL)
}

/// The secrets that [`mask_url`](super::mask_url) takes out of a URL.
pub fn extract_masked_params(url: &Url) -> SecretParams {
    extract(url, MASKED_URL)
}

/// Puts secrets back where `redacted` has placeholders (`[REDACTED]`, also percent-encoded), for one request.
///
/// A name that occurs again and again takes its values in turn.
///
/// # Errors
/// A placeholder is left for which `params` has no value, or the result is no URL.
///
/// # Examples
/// ```
/// use headwater_domain::secret::{extract_secret_params, redact_url, unredact_url};
///
/// let url = "https://tracker.example/rss?passkey=abc&cat=2".parse().expect("a URL");
/// let secrets = extract_secret_params(&url);
/// let stored = redact_url(url.as_str()).into_owned();
/// assert_eq!(stored, "https://tracker.example/rss?passkey=[REDACTED]&cat=2");
/// assert_eq!(unredact_url(&stored, &secrets).expect("all secrets are known").expose(), &url);
/// ```
pub fn unredact_url(redacted: &str, params: &SecretParams) -> Result<PrivateUrl, UnredactError> {
    let mut text = String::with_capacity(redacted.len() + 64);
    let mut from = 0;
    let mut used: Vec<(String, usize)> = Vec::new();
    for (range, name, level) in placeholders(redacted) {
        text.push_str(&redacted[from..range.start]);
        let count = used.iter().filter(|(known, _)| *known == name).count();
        match params.value(&name, count) {
            Some(Value::Encoded(value)) => text.push_str(value.expose()),
            Some(Value::Plain(value)) => text.push_str(&percent_encoded(value.expose(), level)),
            None => return Err(UnredactError::MissingSecret { name }),
        }
        used.push((name, count));
        from = range.end;
    }
    text.push_str(&redacted[from..]);
    if let (Some(user_info), Some(at)) = (&params.user_info, text.find("://")) {
        text.insert_str(at + 3, user_info.expose());
    }
    Url::parse(&text).map(PrivateUrl::new).map_err(|_| UnredactError::InvalidUrl)
}

fn extract(url: &Url, rules: Rules) -> SecretParams {
    let text = url.as_str();
    let mut params = SecretParams::default();
    let authority = text.find("://").map(|at| at + 3);
    let findings = find(text, rules);
    // A name that looks like a key goes too, and its value is a nameless one then.
    let is_hidden = |name: &Range<usize>| {
        findings
            .iter()
            .any(|other| other.kind == Kind::Key && other.range.start < name.end && name.start < other.range.end)
    };
    for Finding { range, kind } in &findings {
        let value = Secret::new(text[range.clone()].to_owned());
        match kind {
            Kind::UserInfo if Some(range.start) == authority => params.user_info = Some(value),
            // User information of a URL inside this one leaves no placeholder to put it back at.
            Kind::UserInfo => {}
            Kind::Value { name, .. } if !is_hidden(name) => {
                params.values.push((decoded(&text[name.clone()]), Value::Encoded(value)));
            }
            Kind::Value { .. } | Kind::Key => params.values.push((PATH.to_owned(), Value::Encoded(value))),
        }
    }
    params
}

/// Where placeholders stand, with the names of the secrets they stand for and how deep these are encoded.
fn placeholders(text: &str) -> Vec<(Range<usize>, String, u8)> {
    let mut all: Vec<_> = find(text, Rules { placeholders: true, ..STORED_URL })
        .into_iter()
        .filter_map(|finding| match finding.kind {
            Kind::Value { name, level } => Some((finding.range, known_name(&text[name]), level)),
            _ => None,
        })
        .collect();
    for form in [PLACEHOLDER, "%5BREDACTED%5D", "%5bREDACTED%5d"] {
        for (start, _) in text.match_indices(form) {
            let range = start..start + form.len();
            if !all.iter().any(|(known, ..)| known.start < range.end && range.start < known.end) {
                all.push((range, PATH.to_owned(), 0));
            }
        }
    }
    all.sort_by_key(|(range, ..)| range.start);
    all
}

/// The name, unless it was taken for a key itself.
fn known_name(name: &str) -> String {
    let name = decoded(name);
    if name.contains(PLACEHOLDER) { PATH.to_owned() } else { name }
}

fn decoded(name: &str) -> String {
    units(name.as_bytes(), 0).map(|unit| char::from(unit.byte)).collect()
}

/// Percent-encodes what is not unreserved, once more than its name is.
fn percent_encoded(value: &str, level: u8) -> String {
    let mut text = value.to_owned();
    for _ in 0..=level {
        let mut next = String::with_capacity(text.len());
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
                next.push(char::from(byte));
            } else {
                // Writing to a string cannot fail.
                let _ = write!(next, "%{byte:02X}");
            }
        }
        text = next;
    }
    text
}

impl fmt::Debug for SecretParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretParams").field("names", &self.names().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

/// The name of a secret that is a part of a path.
const PATH: &str = "path";
