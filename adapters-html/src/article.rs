//! What the article of a page says.

mod boilerplate;
mod content;
mod dates;
mod json_ld;
mod measure;
mod metadata;
mod names;
mod polish;
mod title;

use headwater_domain::synthesis::article::PageArticle;
use headwater_domain::{ErrorKind, limits, text};
use headwater_ports::{Error, PageInput, Result};

pub(crate) use self::dates::plausible as plausible_date;
use self::metadata::Metadata;
pub(crate) use self::names::Names;
use crate::tree::TreeError;
use crate::{charset, markdown, prescan, sanitise, tree};

/// Reads the article of a page.
pub(crate) fn article(page: &PageInput<'_>) -> Result<PageArticle> {
    if page.bytes.len() as u64 > limits::MAX_PAGE_BYTES {
        return Err(failure(ErrorKind::BodyTooLarge, "the page is larger than 5 MiB"));
    }
    let source = charset::decode(page.bytes, page.content_type);
    let prescanned = prescan::prescan(&source, page.url);
    let document = tree::build(&prescanned.html).map_err(|error| match error {
        TreeError::TooDeep => failure(ErrorKind::TooDeep, "the elements of the page nest too deep"),
        TreeError::TooLarge => failure(ErrorKind::BodyTooLarge, "the page has too many elements"),
    })?;
    let metadata = metadata::metadata(&document, &prescanned.json_ld, &prescanned.base, page.url);
    let found = content::content(&document, metadata.title.as_deref()).unwrap_or_default();
    let content_html = sanitise::clean(&found, Some(&prescanned.base));
    finish(content_html, metadata)
}

fn finish(content_html: String, metadata: Metadata) -> Result<PageArticle> {
    let plain = text::plain_text(&content_html);
    if !is_readable(&plain) {
        return Err(failure(ErrorKind::NoReadableContent, "the page has no text to read"));
    }
    Ok(PageArticle {
        title: metadata.title,
        byline: metadata.byline,
        published_at: metadata.published_at,
        language: metadata.language,
        site_name: metadata.site_name,
        excerpt: metadata
            .description
            .or_else(|| Some(text::excerpt(&plain, EXCERPT_CHARS)).filter(|text| !text.is_empty())),
        lead_image: metadata.lead_image.map(Into::into),
        canonical_url: metadata.canonical_url.map(Into::into),
        content_markdown: markdown::markdown(&content_html, None),
        content_html,
        text_length: plain.chars().count(),
    })
}

/// Whether a text is more than a label: a character of Chinese and the like says as much as three of others.
fn is_readable(plain: &str) -> bool {
    let weight = |c: char| {
        if c.is_whitespace() {
            0
        } else if c >= '\u{2E80}' {
            3
        } else {
            1
        }
    };
    plain.chars().map(weight).sum::<usize>() >= MIN_WEIGHT
}

fn failure(kind: ErrorKind, detail: &str) -> Error {
    Error::new(kind, "read article", detail)
}

const EXCERPT_CHARS: usize = 300;
const MIN_WEIGHT: usize = 40;

#[cfg(test)]
mod tests;
