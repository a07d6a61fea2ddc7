//! Links that phase 1 may scrape.

use jiff::Timestamp;

use super::article::LinkVia;
use super::history::ArticleKey;
use crate::feed::Content;
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

/// A link that may be scraped, with what is known of the article before it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// By what the article is known.
    pub key: ArticleKey,
    /// Where it is, as published.
    pub url: PrivateUrl,
    /// What the feed or the link calls it.
    pub title: Option<String>,
    /// When it was published; none for a date that lies in the future.
    pub published_at: Option<Timestamp>,
    /// The language that the feed states.
    pub language: Option<String>,
    /// How it was found.
    pub found_via: LinkVia,
    /// The feed's own body, which stands in for a page that cannot be read.
    pub content: Option<Content>,
    /// How often reading it failed in earlier runs.
    pub failures: u32,
}
