//! A site or feed that phase 1 watches.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::net::normal_form;
use crate::secret::{PrivateUrl, redact_url};

/// Whose rows a store reads and writes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TenantId(pub String);

/// The identifier of a source: a UUID as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceId(pub String);

/// A site or feed that phase 1 watches.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Which one.
    pub id: SourceId,
    /// The site, or the feed itself.
    pub url: PrivateUrl,
    /// The URL came from a store and stands there without its secret, so it cannot be fetched as it is: whoever knows
    /// the secret gives the URL again. A source that is being added has `false`.
    pub url_redacted: bool,
    /// What the user calls it.
    pub title: Option<String>,
    /// Preferred sources are read first.
    pub preferred: bool,
    /// Where its feed was found, if it was.
    pub feed: Option<FeedLocation>,
}

/// Where a source's feed was found, and when (`rss_url`, `rss_discovered_at`).
#[derive(Debug, Clone, PartialEq)]
pub struct FeedLocation {
    /// The feed.
    pub rss_url: PrivateUrl,
    /// When it was last found or verified; absent in rows that others wrote: as good as stale.
    pub rss_discovered_at: Option<Timestamp>,
}

impl Source {
    /// The key by which a source is told apart: its URL in normal form, redacted, so that a new passkey or a tracking
    /// parameter makes no new source.
    pub fn key(&self) -> String {
        source_key(&self.url)
    }

    /// What stands after the same source was added again: it keeps what is known of it, takes the later `preferred`, a
    /// title where it had none, and the later URL where only one of the two is redacted.
    #[must_use]
    pub fn added_again(self, later: Self) -> Self {
        let url = if self.url_redacted == later.url_redacted { self.url } else { later.url };
        let title = self.title.or(later.title);
        Self { url, title, url_redacted: later.url_redacted, preferred: later.preferred, ..self }
    }

    /// The source with the URL that its owner has just given, secret and all.
    #[must_use]
    pub fn with_secret(self, url: &PrivateUrl) -> Self {
        Self { url: url.clone(), url_redacted: false, ..self }
    }
}

/// The key of the source at a URL.
pub fn source_key(url: &PrivateUrl) -> String {
    redact_url(&normal_form(url.expose())).into_owned()
}

impl FeedLocation {
    /// The location as a store may keep it: none where the feed's URL carries a secret. Such a feed is found again in
    /// the next run, at the cost of a request or two.
    pub fn storable(&self) -> Option<&Self> {
        (!self.rss_url.has_secret()).then_some(self)
    }
}

impl Default for TenantId {
    /// The tenant of the command line: `default`.
    fn default() -> Self {
        Self("default".to_owned())
    }
}
