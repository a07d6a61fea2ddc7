//! How bytes become a feed.

use std::sync::Arc;

use headwater_domain::feed::FeedDocument;
use headwater_domain::{ErrorKind, limits};
use url::Url;

use crate::{Error, Result};

/// Parses feeds of one family of formats.
///
/// An adapter MUST be linear in the input, bound its memory by the input, never panic, never read a file or the network,
/// and keep what can be kept: a bad item costs that item, with a warning.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait FeedParser: Send + Sync {
    /// Whether the bytes look like this family, by a glance at their beginning.
    fn recognises<'a>(&self, input: &FeedInput<'a>) -> bool;

    /// Parses the whole document.
    ///
    /// # Errors
    /// `empty_body`, `not_a_feed`, `expired`, `auth`, `blocked_by_challenge`, `dtd_forbidden`, `malformed`, `too_deep`,
    /// `body_too_large`.
    fn parse<'a>(&self, input: &FeedInput<'a>) -> Result<FeedDocument>;
}

/// A document to parse, with what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct FeedInput<'a> {
    /// The decoded body.
    pub bytes: &'a [u8],
    /// Where it was fetched, after redirects.
    pub base_url: Option<&'a Url>,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// Which items are kept.
    pub preset: Preset,
    /// Items over this many are left out; default 1000.
    pub max_items: usize,
    /// Bytes over this many are left out; default 50 MiB.
    pub max_bytes: u64,
    /// The transfer ended early: the document is truncated whatever its text says.
    pub body_cut: bool,
}

/// Which items are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// Any of guid, link, title or content suffices.
    #[default]
    Reader,
    /// A title is needed, and a link or an enclosure.
    Torrent,
}

/// Several parsers as one: the first that recognises the input parses it, else the last one says what is wrong.
#[derive(Clone)]
pub struct FeedParsers(Vec<Arc<dyn FeedParser>>);

impl<'a> FeedInput<'a> {
    /// Bytes with nothing known of them, and the default limits.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            base_url: None,
            content_type: None,
            preset: Preset::default(),
            max_items: limits::MAX_FEED_ITEMS,
            max_bytes: limits::MAX_BODY_BYTES,
            body_cut: false,
        }
    }

    /// The failure to parse what was cut: where a transfer broke off before anything of a feed was seen, the connection is
    /// at fault, and the feed may be sound.
    pub fn fault(&self, error: Error) -> Error {
        match error.kind {
            ErrorKind::NotAFeed | ErrorKind::Malformed | ErrorKind::EmptyBody if self.body_cut => self.broken_off(),
            _ => error,
        }
    }

    /// The failure of a transfer that broke off before the first item.
    pub fn broken_off(&self) -> Error {
        let detail = format!("the transfer broke off after {} bytes, before the first item", self.bytes.len());
        Error::new(ErrorKind::Connect, "parse feed", detail)
    }
}

impl FeedParsers {
    /// Puts parsers in order.
    pub fn new(parsers: Vec<Arc<dyn FeedParser>>) -> Self {
        Self(parsers)
    }
}

impl FeedParser for FeedParsers {
    fn recognises(&self, input: &FeedInput<'_>) -> bool {
        self.0.iter().any(|parser| parser.recognises(input))
    }

    fn parse(&self, input: &FeedInput<'_>) -> Result<FeedDocument> {
        let parser = self.0.iter().find(|parser| parser.recognises(input)).or_else(|| self.0.last());
        match parser {
            Some(parser) => parser.parse(input),
            None => Err(Error::new(ErrorKind::Internal, "parse feed", "no feed parser is set up")),
        }
    }
}
