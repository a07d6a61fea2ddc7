//! Feeds: what a parsed document is, how items are told apart, when to ask again.

pub mod content;
pub mod cursor;
pub mod date;
pub mod derived_title;
pub mod digest;
pub mod discovery;
pub mod document;
pub mod extras;
pub mod fetch_state;
pub mod identity;
pub mod item;
pub mod link_header;
pub mod link_rules;
pub mod order;
pub mod outline;
pub mod pace;
pub mod place;
pub mod reader_policy;
pub mod reply;
pub mod warning;

pub use content::{Content, ContentKind};
pub use document::{FeedDocument, FeedFormat, Weekday};
pub use extras::{FeedExtras, ItemExtras};
pub use item::{DateZone, Enclosure, FeedItem, LinkFrom};
pub use place::Place;
pub use warning::{Warning, WarningCode};
