//! How a web page is read: its feeds, its article links, its text.

use headwater_domain::feed::discovery::FeedLink;
use headwater_domain::synthesis::article::PageArticle;
use headwater_domain::synthesis::candidate::PageLink;
use url::Url;

use crate::{Headers, Result};

/// Reads HTML pages. Hostile ones too: an adapter MUST bound depth, size and time before it builds a tree.
///
/// The methods are CPU-bound and synchronous; callers in async code run them on a blocking thread.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait PageReader: Send + Sync {
    /// The feeds that the page announces, best first: main feeds before others, comment feeds last.
    fn feeds<'a>(&self, page: &PageInput<'a>) -> Result<Vec<FeedLink>>;

    /// At most `max_links` links to articles of the same site, best first, each normalised URL once.
    fn links<'a>(&self, page: &PageInput<'a>, max_links: usize) -> Result<Vec<PageLink>>;

    /// The article of the page.
    ///
    /// # Errors
    /// `no_readable_content` where there is none; `too_deep`, `body_too_large` at a cap.
    fn article<'a>(&self, page: &PageInput<'a>) -> Result<PageArticle>;
}

/// A page with what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct PageInput<'a> {
    /// The decoded body.
    pub bytes: &'a [u8],
    /// Where it was fetched, after redirects.
    pub url: &'a Url,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// The head of the response (`Link` headers are read from it), where there was one.
    pub headers: Option<&'a Headers>,
}
