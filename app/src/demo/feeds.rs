//! Which feed a site of the demo serves, and of what type.

mod atom;
mod json;
mod rss;

use super::world::{FeedShape, Site};

/// A feed document with the type it is served as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Feed {
    /// The `Content-Type` header, and the type that a `<link>` announces.
    pub(crate) content_type: &'static str,
    /// The document.
    pub(crate) body: String,
}

/// The feed of a site, if it has one.
pub(crate) fn feed(site: &Site) -> Option<Feed> {
    let body = match site.feed {
        FeedShape::None => return None,
        FeedShape::Rss20 => rss::rss20(site, site.articles.len()),
        FeedShape::TwoEntries => rss::rss20(site, 2),
        FeedShape::Broken => rss::broken(site),
        FeedShape::Rss10 => rss::rss10(site),
        FeedShape::Atom => atom::atom(site),
        FeedShape::Json => json::json_feed(site),
    };
    Some(Feed { content_type: content_type(site.feed), body })
}

/// What a site says its feed is.
pub(crate) fn content_type(shape: FeedShape) -> &'static str {
    match shape {
        FeedShape::Atom => "application/atom+xml",
        FeedShape::Json => "application/feed+json",
        FeedShape::Rss10 => "application/rdf+xml",
        _ => "application/rss+xml",
    }
}
