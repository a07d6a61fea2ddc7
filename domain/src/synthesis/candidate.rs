//! Links that phase 1 may scrape.

use jiff::Timestamp;

use crate::secret::PrivateUrl;

/// A link to an article, found in a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageLink {
    /// Where it leads, absolute.
    pub url: PrivateUrl,
    /// Its text, plain.
    pub text: Option<String>,
    /// A date that stood beside it.
    pub published_at: Option<Timestamp>,
}
