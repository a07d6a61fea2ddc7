//! The page reader that the rest of the system sees.

use headwater_domain::feed::discovery::FeedLink;
use headwater_domain::synthesis::article::PageArticle;
use headwater_domain::synthesis::candidate::PageLink;
use headwater_ports::{PageInput, PageReader, Result};

use crate::{article, discovery, links};

/// Reads pages with a linear pass in front of every parser.
#[derive(Debug, Clone, Copy, Default)]
pub struct HtmlPageReader;

impl HtmlPageReader {
    /// A reader; it has no state.
    pub fn new() -> Self {
        Self
    }
}

impl PageReader for HtmlPageReader {
    fn feeds(&self, page: &PageInput<'_>) -> Result<Vec<FeedLink>> {
        Ok(discovery::feeds(page))
    }

    fn links(&self, page: &PageInput<'_>, max_links: usize) -> Result<Vec<PageLink>> {
        links::links(page, max_links)
    }

    fn article(&self, page: &PageInput<'_>) -> Result<PageArticle> {
        article::article(page)
    }
}
