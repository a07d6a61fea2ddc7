//! The scraped text of a page, with where it came from.

use jiff::Timestamp;

use crate::secret::PrivateUrl;

/// What a page reader makes of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageArticle {
    /// The headline, plain text.
    pub title: Option<String>,
    /// Who wrote it.
    pub byline: Option<String>,
    /// When the page says it was published.
    pub published_at: Option<Timestamp>,
    /// A language tag.
    pub language: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The first sentences, plain text.
    pub excerpt: Option<String>,
    /// The picture that stands for the article.
    pub lead_image: Option<PrivateUrl>,
    /// The page's own canonical URL, where it names one.
    pub canonical_url: Option<PrivateUrl>,
    /// The article as safe HTML with absolute URLs.
    pub content_html: String,
    /// The article as Markdown with absolute URLs.
    pub content_markdown: String,
    /// The length of the plain text, in characters.
    pub text_length: usize,
}

/// A scraped article on its way into the digest.
#[derive(Debug, Clone, PartialEq)]
pub struct Article {
    /// Where it is.
    pub url: PrivateUrl,
    /// The source that led to it.
    pub source_url: PrivateUrl,
    /// The headline, plain text.
    pub title: String,
    /// When it was published.
    pub published_at: Option<Timestamp>,
    /// A language tag.
    pub language: Option<String>,
    /// How its link was found.
    pub found_via: LinkVia,
    /// The first sentences, plain text.
    pub excerpt: Option<String>,
    /// The text as Markdown.
    pub content_markdown: String,
}

/// How an article's link was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkVia {
    /// In a feed.
    Feed,
    /// In the HTML of the source.
    Html,
}

impl LinkVia {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Html => "html",
        }
    }
}
