//! What became of each article, so that the next run shows only what is new.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

use super::near_duplicate::Fingerprint;
use crate::net::normal_form;
use crate::secret::PrivateUrl;

/// The key by which an article is known: its URL in normal form, redacted.
///
/// A parameter that is masked for its name but is too short for a passkey tells articles apart all the same (`?pid=17` on
/// many sites): a few bits of the hash of such values stand behind the URL. A new passkey leaves the key as it was.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ArticleKey(pub String);

impl ArticleKey {
    /// The key of the article at a URL.
    pub fn of(url: &PrivateUrl) -> Self {
        let normal = normal_form(url.expose());
        let Ok(url) = normal.parse::<Url>() else { return Self(normal) };
        let redacted = PrivateUrl::new(url).redacted();
        match short_values(&normal, &redacted) {
            Some(mark) => Self(format!("{redacted}#{mark}")),
            None => Self(redacted),
        }
    }

    /// The first half of the key's SHA-256: what stores look it up by.
    ///
    /// URLs are long and begin alike, so an index of them outgrows every cache; this one takes a quarter of the room. Who
    /// wants two keys with one digest has to try 2⁶⁴ of them.
    pub fn digest(&self) -> [u8; 16] {
        let hash = Sha256::digest(&self.0);
        std::array::from_fn(|place| hash[place])
    }
}

/// A mark made of the masked parameters that are too short to be secrets.
fn short_values(normal: &str, redacted: &str) -> Option<String> {
    let parameters = |url: &str| url.split_once('?').map_or(String::new(), |(_, query)| query.to_owned());
    let (normal, redacted) = (parameters(normal), parameters(redacted));
    let masked = normal.split('&').zip(redacted.split('&')).filter(|(plain, shown)| plain != shown);
    let is_short =
        |parameter: &&str| parameter.split_once('=').is_some_and(|(_, value)| value.len() < MIN_SECRET_BYTES);
    let short: Vec<&str> = masked.map(|(plain, _)| plain).filter(is_short).collect();
    if short.is_empty() {
        return None;
    }
    let hash = Sha256::digest(short.join("&"));
    Some(hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect())
}

/// Passkeys, tokens and signatures are longer.
const MIN_SECRET_BYTES: usize = 12;

/// What history holds of one article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Which article.
    pub key: ArticleKey,
    /// Its URL, redacted.
    pub url: String,
    /// Its headline.
    pub title: Option<String>,
    /// The source that led to it, redacted.
    pub source_url: String,
    /// What became of it.
    pub fate: Fate,
    /// How often scraping it failed.
    pub failures: u32,
    /// When it was last judged.
    pub seen_at: Timestamp,
    /// By what copies of its text are recognised; none where it was not read, or is too short.
    pub fingerprint: Option<Fingerprint>,
}

/// What became of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stands in a digest.
    Kept,
    /// It was read and is about none of the topics, or found no room.
    Rejected,
    /// It could not be read; it is tried again until [`MAX_FAILURES`].
    Failed,
}

/// A run of phase 1, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// A UUID as text; later runs sort after earlier ones.
    pub run_id: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// How many articles its digest has.
    pub kept: usize,
    /// The digest as the contract's JSON.
    pub digest_json: String,
}

/// So often is an article tried before it counts as settled.
pub const MAX_FAILURES: u32 = 3;

impl HistoryEntry {
    /// Whether the article needs no further visit.
    pub fn is_settled(&self) -> bool {
        self.fate != Fate::Failed || self.failures >= MAX_FAILURES
    }

    /// What stands after a later outcome for the same article: a settled entry stays; a failed one gives way, and its
    /// count of failures never goes down while it goes on failing.
    #[must_use]
    pub fn then(self, later: Self) -> Self {
        if self.is_settled() {
            return self;
        }
        let failures = if later.fate == Fate::Failed { later.failures.max(self.failures) } else { later.failures };
        Self { failures, ..later }
    }
}

/// Each article once, in the order of first mention, with what stands after all its outcomes in turn.
pub fn merge(entries: &[HistoryEntry]) -> Vec<HistoryEntry> {
    let mut places = HashMap::with_capacity(entries.len());
    let mut merged: Vec<HistoryEntry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match places.entry(&entry.key) {
            Entry::Vacant(place) => {
                place.insert(merged.len());
                merged.push(entry.clone());
            }
            Entry::Occupied(place) => {
                let known = &mut merged[*place.get()];
                *known = known.clone().then(entry.clone());
            }
        }
    }
    merged
}

impl Fate {
    /// The fate that a word of [`as_str`](Self::as_str) names.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Kept, Self::Rejected, Self::Failed].into_iter().find(|fate| fate.as_str() == word)
    }

    /// The word that stores keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
        }
    }
}

#[cfg(test)]
mod tests;
