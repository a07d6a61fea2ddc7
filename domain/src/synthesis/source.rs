//! A site or feed that phase 1 watches.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::secret::PrivateUrl;

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

impl Default for TenantId {
    /// The tenant of the command line: `default`.
    fn default() -> Self {
        Self("default".to_owned())
    }
}
