//! How a URL or a text looks without its secrets.

use std::borrow::Cow;

use super::scan::{Finding, Kind, PLACEHOLDER, Rules, find};

/// A URL as it may be stored and compared: user information removed, the values of secret parameters, in the query, in
/// the fragment and in URLs inside of them, and keys at places of a path that are known for them, replaced by
/// `[REDACTED]`.
///
/// All other bytes stay, and so does their order. A second time changes nothing. Nothing is allocated where nothing is
/// secret.
pub fn redact_url(url: &str) -> Cow<'_, str> {
    if may_hold_secret(url.as_bytes()) { replace(url, &find(url, STORED_URL)) } else { Cow::Borrowed(url) }
}

/// A URL as it may be printed: as [`redact_url`] has it, and whatever else looks like a key is replaced too.
///
/// What looks like a key may be the digest of a public thing, so this form is for people and logs, and for feeds' own
/// URLs; items are told apart by [`redact_url`].
pub fn mask_url(url: &str) -> Cow<'_, str> {
    replace(url, &find(url, MASKED_URL))
}

/// A text for people and logs without secrets, in whatever encoding they stand in it: URLs plain, percent-encoded,
/// with `&amp;` or JSON escapes, parameters and fields by themselves, headers, keys in paths.
pub fn redact_text(text: &str) -> Cow<'_, str> {
    replace(text, &find(text, LOGGED_TEXT))
}

/// A text that a publisher wrote, as it may be stored: only the URLs in it lose their secrets.
pub fn redact_content(text: &str) -> Cow<'_, str> {
    if may_hold_secret(text.as_bytes()) { replace(text, &find(text, STORED_TEXT)) } else { Cow::Borrowed(text) }
}

fn replace<'t>(text: &'t str, findings: &[Finding]) -> Cow<'t, str> {
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for finding in findings {
        out.push_str(&text[from..finding.range.start]);
        if finding.kind != Kind::UserInfo {
            out.push_str(PLACEHOLDER);
        }
        from = finding.range.end;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// A cheap look: without any of these no rule for stored texts applies.
fn may_hold_secret(text: &[u8]) -> bool {
    text.iter().enumerate().any(|(at, byte)| match byte {
        b'=' | b'@' | b'%' | b'\\' | b'"' => true,
        b'/' => PATH_WORDS.iter().any(|word| starts_with(&text[at + 1..], word)),
        b'.' => starts_with(&text[at + 1..], "torr"),
        b's' | b'S' => starts_with(&text[at + 1..], "crape"),
        _ => false,
    })
}

/// How the segments begin that keys stand beside.
const PATH_WORDS: &[&str] = &["down", "anno", "auto", "pass", "auth", "apik", "api_", "rssk", "torr"];

fn starts_with(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// For [`redact_url`].
pub(super) const STORED_URL: Rules = Rules { running_text: false, bare: true, keys: false, placeholders: false };

/// For [`mask_url`].
pub(super) const MASKED_URL: Rules = Rules { keys: true, ..STORED_URL };

const LOGGED_TEXT: Rules = Rules { running_text: true, bare: true, keys: true, placeholders: false };

pub(super) const STORED_TEXT: Rules = Rules { running_text: true, bare: false, keys: false, placeholders: false };
