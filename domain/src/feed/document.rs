//! A parsed feed: what the channel says of itself, and its items in document order.

use jiff::Timestamp;

use super::{FeedExtras, FeedItem, Warning};
use crate::secret::PrivateUrl;

/// A parsed feed, whatever its format.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedDocument {
    /// The format that the root element, or the version member, names.
    pub format: FeedFormat,
    /// Plain text.
    pub title: Option<String>,
    /// The site that the feed belongs to.
    pub link: Option<PrivateUrl>,
    /// Where the feed says it lives.
    pub self_url: Option<PrivateUrl>,
    /// A WebSub hub.
    pub hub_url: Option<PrivateUrl>,
    /// The next page of a paged feed (RFC 5005 section 3), or the JSON Feed's `next_url`.
    pub next_url: Option<PrivateUrl>,
    /// The previous document of an archived feed (RFC 5005 section 4).
    pub prev_archive_url: Option<PrivateUrl>,
    /// A language tag.
    pub language: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// The feed's picture.
    pub image_url: Option<PrivateUrl>,
    /// When the feed says it last changed.
    pub updated_at: Option<Timestamp>,
    /// How long the document may be kept, in minutes (`ttl`).
    pub ttl_minutes: Option<u32>,
    /// Minutes between updates as `sy:updatePeriod` and `sy:updateFrequency` state them.
    pub update_period_minutes: Option<u32>,
    /// Hours of the day, 0 to 23 in UTC, at which nothing is published.
    pub skip_hours: Vec<u8>,
    /// Days on which nothing is published.
    pub skip_days: Vec<Weekday>,
    /// The feed says it has ended (`itunes:complete`, JSON Feed `expired`).
    pub complete: bool,
    /// What few feeds say; absent where nothing of it is said.
    pub extras: Option<Box<FeedExtras>>,
    /// The name of the encoding that was decoded, as the WHATWG writes it, in lower case.
    pub encoding: String,
    /// Something had to be mended before the document could be read.
    pub repaired: bool,
    /// Items are missing: the document ended early, or went over a limit.
    pub truncated: bool,
    /// What was noticed on the way.
    pub warnings: Vec<Warning>,
    /// The items, in document order.
    pub items: Vec<FeedItem>,
}

/// The formats that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedFormat {
    /// RSS 2.0, and roots that are odd but hold RSS items.
    Rss20,
    /// RSS 0.91 to 0.94.
    Rss09x,
    /// RSS 0.90 and 1.0: RDF.
    Rss10,
    /// Atom 1.0 (RFC 4287).
    Atom10,
    /// Atom 0.3.
    Atom03,
    /// JSON Feed 1.0.
    Json10,
    /// JSON Feed 1.1.
    Json11,
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say all")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl FeedDocument {
    /// An empty document of a format, for a parser to fill.
    pub fn empty(format: FeedFormat) -> Self {
        Self {
            format,
            title: None,
            link: None,
            self_url: None,
            hub_url: None,
            next_url: None,
            prev_archive_url: None,
            language: None,
            description: None,
            image_url: None,
            updated_at: None,
            ttl_minutes: None,
            update_period_minutes: None,
            skip_hours: Vec::new(),
            skip_days: Vec::new(),
            complete: false,
            extras: None,
            encoding: "utf-8".to_owned(),
            repaired: false,
            truncated: false,
            warnings: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl FeedFormat {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rss20 => "rss2.0",
            Self::Rss09x => "rss0.9x",
            Self::Rss10 => "rss1.0",
            Self::Atom10 => "atom1.0",
            Self::Atom03 => "atom0.3",
            Self::Json10 => "json1.0",
            Self::Json11 => "json1.1",
        }
    }
}

impl Weekday {
    /// The English name in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Monday => "monday",
            Self::Tuesday => "tuesday",
            Self::Wednesday => "wednesday",
            Self::Thursday => "thursday",
            Self::Friday => "friday",
            Self::Saturday => "saturday",
            Self::Sunday => "sunday",
        }
    }
}
