//! How a URL or a text looks without its secrets.

use std::borrow::Cow;

use super::glance;
use super::scan::{Finding, Kind, PLACEHOLDER, Rules, find};

/// A URL as it may be stored and compared: user information removed, the values of secret parameters, in the query, in
/// the fragment and in URLs inside of them, and keys at places of a path that are known for them, replaced by
/// `[REDACTED]`.
///
/// All other bytes stay, and so does their order. A second time changes nothing. Nothing is allocated where nothing is
/// secret.
pub fn redact_url(url: &str) -> Cow<'_, str> {
    if glance::url_may_hold_secret(url.as_bytes()) { settle(url, STORED_URL) } else { Cow::Borrowed(url) }
}

/// A URL as it may be printed: as [`redact_url`] has it, and whatever else looks like a key is replaced too.
///
/// What looks like a key may be the digest of a public thing, so this form is for people and logs, and for feeds' own
/// URLs; items are told apart by [`redact_url`].
pub fn mask_url(url: &str) -> Cow<'_, str> {
    settle(url, MASKED_URL)
}

/// A text for people and logs without secrets, in whatever encoding they stand in it: URLs plain, percent-encoded,
/// with `&amp;` or JSON escapes, parameters and fields by themselves, headers, keys in paths.
pub fn redact_text(text: &str) -> Cow<'_, str> {
    settle(text, LOGGED_TEXT)
}

/// A text that a publisher wrote, as it may be stored: only the URLs in it lose their secrets.
pub fn redact_content(text: &str) -> Cow<'_, str> {
    if glance::may_hold_secret(text.as_bytes()) { settle(text, STORED_TEXT) } else { Cow::Borrowed(text) }
}

/// Gives a publisher's text piece by piece, each word that may hold a secret as [`redact_content`] has it.
///
/// For digests, which need the text only in passing: nothing is copied but those words, so a long body with a few URLs
/// in it costs one look.
pub(crate) fn redacted_pieces(text: &str, mut take: impl FnMut(&str)) {
    let mut from = 0;
    while let Some(word) = glance::next_suspicious_word(text, from) {
        take(&text[from..word.start]);
        take(&settle(&text[word.clone()], STORED_TEXT));
        from = word.end;
    }
    take(&text[from..]);
}

/// Replaces until nothing is left to replace. One round does it but for texts that are made to confuse: there, what is
/// taken out may let its surroundings mean something else.
fn settle(text: &str, rules: Rules) -> Cow<'_, str> {
    let mut out = replace(text, &find(text, rules));
    for _ in 0..MAX_ROUNDS {
        let Cow::Owned(before) = &out else { break };
        let Cow::Owned(after) = replace(before, &find(before, rules)) else { break };
        out = Cow::Owned(after);
    }
    out
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

const MAX_ROUNDS: usize = 8;

/// For [`redact_url`].
pub(super) const STORED_URL: Rules = Rules { running_text: false, bare: true, keys: false, placeholders: false };

/// For [`mask_url`].
pub(super) const MASKED_URL: Rules = Rules { keys: true, ..STORED_URL };

const LOGGED_TEXT: Rules = Rules { running_text: true, bare: true, keys: true, placeholders: false };

pub(super) const STORED_TEXT: Rules = Rules { running_text: true, bare: false, keys: false, placeholders: false };
