//! One entry of a feed, whatever its format.

use jiff::Timestamp;

use super::{Content, ItemExtras};
use crate::secret::PrivateUrl;

/// One entry of a feed, in the meaning that all formats share.
///
/// Text fields are plain text; bodies are raw (see [`Content`]); URLs are absolute and show themselves redacted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeedItem {
    /// The publisher's identifier, in redacted form, as published otherwise.
    pub guid: Option<String>,
    /// Whether the publisher says, or RSS implies, that the guid is the item's URL.
    pub guid_is_permalink: Option<bool>,
    /// Plain text: tags removed, references decoded, white space collapsed.
    pub title: Option<String>,
    /// The title was made of the body's first words.
    pub title_derived: bool,
    /// The article's URL.
    pub link: Option<PrivateUrl>,
    /// Which element the link came from.
    pub link_from: Option<LinkFrom>,
    /// When the publisher says it was published; never the time of the fetch.
    pub published_at: Option<Timestamp>,
    /// When the publisher says it was last changed.
    pub updated_at: Option<Timestamp>,
    /// Whether the date carried a known zone.
    pub date_zone: Option<DateZone>,
    /// The first `dc:creator`.
    pub nickname: Option<String>,
    /// Every author, whatever element named them, each once.
    pub authors: Vec<String>,
    /// Categories, trimmed, each once.
    pub categories: Vec<String>,
    /// The summary, or the only body of an RSS item.
    pub description: Option<Content>,
    /// The full body.
    pub content: Option<Content>,
    /// Attached files, each URL once, in document order.
    pub enclosures: Vec<Enclosure>,
    /// A picture that stands for the item.
    pub image_url: Option<PrivateUrl>,
    /// Where the discussion is.
    pub comments_url: Option<PrivateUrl>,
    /// The language, where the item states one.
    pub language: Option<String>,
    /// What few items say; absent where nothing of it is said.
    pub extras: Option<Box<ItemExtras>>,
    /// The digest of what the publisher wrote, unchanged by the rotation of any secret.
    pub raw_digest: String,
}

/// An attached file.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosure {
    /// Where the file is.
    pub url: PrivateUrl,
    /// The media type, stated or guessed from the file name.
    pub mime: Option<String>,
    /// The size in bytes; absent where the feed states none, or nonsense.
    pub length: Option<u64>,
}

/// Which element an item's link came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkFrom {
    /// A link element.
    Link,
    /// A guid that is a permalink.
    Guid,
    /// The first enclosure, for want of anything better.
    Enclosure,
}

/// Whether a date carried its zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateZone {
    /// The zone stood there and has one meaning.
    Stated,
    /// There was none, or an ambiguous one: taken as UTC.
    Assumed,
}

impl LinkFrom {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Guid => "guid",
            Self::Enclosure => "enclosure",
        }
    }
}

impl DateZone {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Assumed => "assumed",
        }
    }
}
