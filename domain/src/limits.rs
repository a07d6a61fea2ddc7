//! How large, how many, how deep and how long: every cap with its default.

use std::time::Duration;

/// Bytes of one decoded response body: 50 MiB. Exactly so many pass, one more fails.
pub const MAX_BODY_BYTES: u64 = 50 * 1024 * 1024;

/// Bytes of one decoded web page: 5 MiB.
pub const MAX_PAGE_BYTES: u64 = 5 * 1024 * 1024;

/// Items of one feed document; the rest is left out and the document marked `truncated`.
pub const MAX_FEED_ITEMS: usize = 1000;

/// Depth of nested elements in XML.
pub const MAX_XML_DEPTH: usize = 256;

/// Depth of nested elements in HTML, as in the browsers' engines.
pub const MAX_HTML_DEPTH: usize = 512;

/// Depth of nested values in JSON.
pub const MAX_JSON_DEPTH: usize = 128;

/// Attributes, namespace declarations included, of one XML element.
pub const MAX_ATTRIBUTES: usize = 256;

/// Elements, texts and other nodes of one XML document.
pub const MAX_XML_NODES: usize = 2_000_000;

/// The whole exchange: names, connection, redirects, head and body.
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest silence on a connection.
pub const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// Redirects of one request.
pub const MAX_REDIRECTS: usize = 10;

/// Fewer usable feed entries than this send a source to its HTML links.
pub const MIN_FEED_ENTRIES: usize = 3;

/// Days for which a discovered feed URL is trusted without asking the site again.
pub const FEED_URL_FRESH_DAYS: i64 = 30;

/// Links taken from one source in one run.
pub const MAX_LINKS: usize = 20;
