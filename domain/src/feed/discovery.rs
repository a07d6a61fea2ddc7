//! Where a source's feed is: the links that announce feeds, and how long a found one is trusted.

use crate::secret::PrivateUrl;

/// A feed that a page or a response announces.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedLink {
    /// Where it is.
    pub url: PrivateUrl,
    /// Its family, as announced.
    pub kind: FeedKind,
    /// What the page calls it.
    pub title: Option<String>,
    /// What it is for.
    pub role: FeedRole,
    /// How it was found.
    pub via: FoundVia,
}

/// A family of feed formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedKind {
    /// RSS of any version.
    Rss,
    /// Atom.
    Atom,
    /// JSON Feed.
    Json,
}

/// What a feed is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeedRole {
    /// The site's own articles.
    Main,
    /// Anything that is neither (categories, tags, authors).
    Other,
    /// Comments on the articles.
    Comments,
}

/// How a feed was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoundVia {
    /// The document is the feed.
    Document,
    /// A `<link>` element.
    Link,
    /// A `Link:` header.
    Header,
    /// An ordinary link whose URL or text says so.
    Anchor,
}

impl FeedKind {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rss => "rss",
            Self::Atom => "atom",
            Self::Json => "json",
        }
    }
}

impl FeedRole {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Other => "other",
            Self::Comments => "comments",
        }
    }
}

impl FoundVia {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Link => "link",
            Self::Header => "header",
            Self::Anchor => "anchor",
        }
    }
}
