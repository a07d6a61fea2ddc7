//! What to do about a source's feed URL: trust it, look for it again, keep, touch, set or clear it.

use jiff::{SignedDuration, Timestamp};

use super::source::FeedLocation;
use crate::ErrorKind;
use crate::secret::PrivateUrl;

/// How a source is approached.
#[derive(Debug, Clone, PartialEq)]
pub enum Approach {
    /// Its feed URL is fresh: parse that.
    ParseCached(PrivateUrl),
    /// Its feed URL is stale: ask the site again; the old URL is used where the site cannot be asked.
    Rediscover(PrivateUrl),
    /// Nothing is known of a feed.
    Discover,
}

/// What looking for a feed gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// A feed that parses.
    Found(PrivateUrl),
    /// There definitely is none: 404, 410, or a page that announces no feed.
    Absent,
    /// Nobody knows: a timeout, a refused connection, a 5xx.
    Unknown,
}

/// What becomes of a source's stored feed URL.
#[derive(Debug, Clone, PartialEq)]
pub enum CacheAction {
    /// Nothing changes.
    Keep,
    /// The same URL was verified at that time.
    Touch(Timestamp),
    /// Another URL was found.
    Set {
        /// The feed.
        url: PrivateUrl,
        /// When it was found.
        at: Timestamp,
    },
    /// There is no feed any more.
    Clear,
}

/// Decides how a source is approached.
///
/// A location of exactly `fresh_days` is stale, and so is one without a date or with a date in the future.
pub fn approach(feed: Option<&FeedLocation>, now: Timestamp, fresh_days: i64) -> Approach {
    let Some(feed) = feed else { return Approach::Discover };
    let fresh = feed.rss_discovered_at.is_some_and(|at| {
        let age = now.duration_since(at);
        !age.is_negative() && age < SignedDuration::from_hours(fresh_days.saturating_mul(24))
    });
    let url = feed.rss_url.clone();
    if fresh { Approach::ParseCached(url) } else { Approach::Rediscover(url) }
}

/// Decides what becomes of the stored location after the site was asked.
pub fn after_discovery(stored: Option<&FeedLocation>, finding: Finding, now: Timestamp) -> CacheAction {
    match (stored, finding) {
        (Some(stored), Finding::Found(url)) if stored.rss_url == url => CacheAction::Touch(now),
        (_, Finding::Found(url)) => CacheAction::Set { url, at: now },
        (Some(_), Finding::Absent) => CacheAction::Clear,
        (None, Finding::Absent) | (_, Finding::Unknown) => CacheAction::Keep,
    }
}

/// Whether a failure says for certain that no feed is there, as against one that may pass.
pub fn is_definite_absence(kind: ErrorKind, status: Option<u16>) -> bool {
    match kind {
        ErrorKind::HttpStatus => matches!(status, Some(404)),
        ErrorKind::Gone | ErrorKind::NotAFeed => true,
        _ => false,
    }
}

impl CacheAction {
    /// The location that is to be stored instead of `stored`; none where nothing changes.
    ///
    /// The inner option is what to store: none clears it.
    pub fn change(&self, stored: Option<&FeedLocation>) -> Option<Option<FeedLocation>> {
        match self {
            Self::Keep => None,
            Self::Touch(at) => stored
                .map(|stored| Some(FeedLocation { rss_url: stored.rss_url.clone(), rss_discovered_at: Some(*at) })),
            Self::Set { url, at } => Some(Some(FeedLocation { rss_url: url.clone(), rss_discovered_at: Some(*at) })),
            Self::Clear => Some(None),
        }
    }
}

#[cfg(test)]
mod tests;
