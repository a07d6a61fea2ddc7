//! What a piece of a feed's body is before anybody sanitised it.

use url::Url;

/// A body as the feed carries it: raw, untrusted, with the base that its relative URLs need.
///
/// Sanitising costs more than parsing, so it is done on demand, by a `Sanitiser`; nothing here is safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The text, references of the feed's own format already decoded.
    pub raw: String,
    /// How `raw` is to be read.
    pub kind: ContentKind,
    /// The nearest base (`xml:base`, else the feed's link, else where it was fetched).
    pub base: Option<Url>,
}

/// How the raw text of a [`Content`] is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentKind {
    /// An HTML fragment.
    Html,
    /// Plain text: `<` is a less-than sign.
    Text,
}
