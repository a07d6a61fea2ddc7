//! Feeds: one polite attempt at a time, with a memory that the caller keeps, and feeds as a data source on top.
//!
//! A [`FeedReader`] works with any fetcher and parser. One attempt decides from the memory whether to ask at all, asks
//! conditionally, parses, tells new items from known ones and gives the memory for the next time. It never fails by
//! exception: whatever happens is a [`FeedReading`]. `tests/examples/poll_feed.rs` polls one feed.
//! The [`RssConnector`] makes documents of their items.

mod access;
mod answer;
mod articles;
mod challenge;
mod connector;
mod feeds;
mod limits;
mod memory;
mod parsing;
mod quality;
mod reader;
mod reading;
mod request;
mod sync;
mod version;
mod walk;

pub use connector::{RssConnector, RssPorts};
pub use limits::ReadLimits;
pub use memory::FeedMemory;
pub use reader::FeedReader;
pub use reading::{FeedReading, ReadingKind};
pub use request::FeedRequest;
