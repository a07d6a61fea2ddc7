//! What an item is known by: fingerprints that survive a change of scheme and the rotation of secrets.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use url::Url;

use super::FeedItem;
use crate::net::normal_form;
use crate::secret::redact_url;

/// The fingerprint of a text: what is stored of a guid or link, so that nothing can be read from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u64);

/// What one item is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// The guid, redacted; of a URL without its scheme.
    pub guid: Option<Fingerprint>,
    /// The link in normal form, redacted, without its scheme and with its fragment.
    pub link: Option<Fingerprint>,
    /// The title.
    pub title: Option<Fingerprint>,
    /// Title and date together, else what the publisher wrote: the last resort.
    pub text: Fingerprint,
    /// What the publisher wrote.
    pub digest: Fingerprint,
}

impl Marks {
    /// The marks of an item. Never random, and the same after the rotation of any secret.
    pub fn of(item: &FeedItem) -> Self {
        Self {
            guid: item.guid.as_deref().map(str::trim).filter(|guid| !guid.is_empty()).map(guid_mark),
            link: item.link.as_ref().map(|link| link_mark(link.expose())),
            title: item.title.as_deref().map(|title| Fingerprint::of(&[title])),
            text: text_mark(item),
            digest: Fingerprint::of(&[&item.raw_digest]),
        }
    }
}

/// What an item is called in answers: its guid, else its link, else its first enclosure, else its fingerprint.
pub fn item_name(item: &FeedItem) -> String {
    let link = || item.link.as_ref().map(|link| link.redacted());
    let enclosure = || item.enclosures.first().map(|enclosure| enclosure.url.redacted());
    let guid = item.guid.as_deref().map(str::trim).filter(|guid| !guid.is_empty());
    guid.map(|guid| redact_url(guid).into_owned())
        .or_else(link)
        .or_else(enclosure)
        .unwrap_or_else(|| format!("hash:{}", Marks::of(item).text))
}

impl Fingerprint {
    /// The fingerprint of texts that belong together; where one ends is part of it.
    pub fn of(texts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for text in texts {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        let digest: [u8; 32] = hash.finalize().into();
        let mut head = [0; 8];
        head.copy_from_slice(&digest[..8]);
        Self(u64::from_le_bytes(head))
    }

    /// As a number, evenly spread.
    pub fn number(self) -> u64 {
        self.0
    }
}

fn text_mark(item: &FeedItem) -> Fingerprint {
    let date = item.published_at.or(item.updated_at).map(|date| date.as_second().to_string());
    match (item.title.as_deref(), date) {
        (None, None) => Fingerprint::of(&[&item.raw_digest]),
        (title, date) => Fingerprint::of(&[title.unwrap_or_default(), &date.unwrap_or_default()]),
    }
}

fn guid_mark(guid: &str) -> Fingerprint {
    Fingerprint::of(&[without_scheme(&redact_url(guid))])
}

fn link_mark(link: &Url) -> Fingerprint {
    let redacted = match redact_url(link.as_str()) {
        Cow::Borrowed(_) => Cow::Borrowed(link),
        Cow::Owned(text) => Url::parse(&text).map_or(Cow::Borrowed(link), Cow::Owned),
    };
    let form = normal_form(&redacted);
    Fingerprint::of(&[without_scheme(&form), redacted.fragment().unwrap_or_default()])
}

/// A site that moves to https keeps its items.
fn without_scheme(text: &str) -> &str {
    ["http:", "https:"]
        .into_iter()
        .find(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
        .map_or(text, |scheme| &text[scheme.len()..])
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map(Self).map_err(serde::de::Error::custom)
    }
}
