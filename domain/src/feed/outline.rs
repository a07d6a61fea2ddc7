//! What a list of feeds in OPML says: feeds in folders, and what could not be understood.

use std::sync::Arc;

use crate::secret::PrivateUrl;

/// A list of feeds that was read, leniently.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outline {
    /// What the list calls itself.
    pub title: Option<String>,
    /// The feeds in document order, each normalised URL once.
    pub feeds: Vec<OutlineFeed>,
    /// How many entries named a feed that stood there before.
    pub duplicates: usize,
    /// The entries that name no feed.
    pub problems: Vec<OutlineProblem>,
}

/// A feed of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineFeed {
    /// The feed.
    pub url: PrivateUrl,
    /// What the list calls it; plain text.
    pub title: Option<String>,
    /// The site that it belongs to.
    pub site_url: Option<PrivateUrl>,
    /// The folders that it is in, outermost first; plain text.
    pub path: Vec<Arc<str>>,
}

/// An entry that names no feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineProblem {
    /// What the entry calls itself, or how it begins; never a secret.
    pub text: String,
    /// Why it was left out.
    pub reason: OutlineReason,
}

/// Why an entry was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutlineReason {
    /// It names a site, or says it is a feed, without the feed's URL.
    NoXmlUrl,
    /// The feed's URL is none, or of a scheme that is not fetched.
    InvalidUrl,
    /// Its markup is broken.
    Malformed,
}

impl OutlineReason {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoXmlUrl => "no_xml_url",
            Self::InvalidUrl => "invalid_url",
            Self::Malformed => "malformed",
        }
    }
}
