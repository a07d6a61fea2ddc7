//! What the article of a page says.

mod boilerplate;
mod container;
mod content;
mod dates;
mod gate;
mod json_ld;
mod lead;
mod measure;
mod metadata;
mod metas;
mod names;
mod polish;
mod title;

use headwater_domain::synthesis::article::PageArticle;
use headwater_domain::{ErrorKind, limits, text};
use headwater_ports::{Error, PageInput, Result};

pub(crate) use self::dates::plausible as plausible_date;
use self::metadata::Metadata;
pub(crate) use self::names::Names;
use crate::tidy::escape_into;
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
    let text = Text::of(sanitise::clean(&found, Some(&prescanned.base))).or_stated(&metadata);
    if !gate::is_article(&text.plain, &metadata, || document.text().to_string()) {
        return Err(failure(ErrorKind::NoReadableContent, "the page has no text to read"));
    }
    Ok(finish(text, metadata))
}

/// The text of an article in two forms.
struct Text {
    html: String,
    plain: String,
}

impl Text {
    fn of(html: String) -> Self {
        Self { plain: text::plain_text(&html), html }
    }

    /// The text of the structured data, where the page itself shows but a fraction of it.
    fn or_stated(self, metadata: &Metadata) -> Self {
        let Some(body) = metadata.body.as_deref() else { return self };
        let stated = Self::of(sanitise::clean(&paragraphs(body), None));
        let weight = gate::weight(&stated.plain);
        if weight > MIN_STATED_WEIGHT && weight > gate::weight(&self.plain) * 3 { stated } else { self }
    }
}

/// The HTML of a text that is HTML already, or has its paragraphs in lines.
fn paragraphs(body: &str) -> String {
    let body = text::decode_references(body);
    if body.contains("</p>") || body.contains("<br") {
        return body.into_owned();
    }
    let mut html = String::with_capacity(body.len() + 64);
    for line in body.split('\n').map(str::trim).filter(|line| !line.is_empty()) {
        html.push_str("<p>");
        escape_into(line, &mut html);
        html.push_str("</p>");
    }
    html
}

fn finish(text: Text, metadata: Metadata) -> PageArticle {
    let excerpt = || Some(text::excerpt(&text.plain, EXCERPT_CHARS)).filter(|excerpt| !excerpt.is_empty());
    PageArticle {
        title: metadata.title,
        byline: metadata.byline,
        published_at: metadata.published_at,
        language: metadata.language,
        site_name: metadata.site_name,
        excerpt: metadata.description.or_else(excerpt),
        lead_image: metadata.lead_image.map(Into::into),
        canonical_url: metadata.canonical_url.map(Into::into),
        content_markdown: markdown::markdown(&text.html, None),
        text_length: text.plain.chars().count(),
        content_html: text.html,
    }
}

fn failure(kind: ErrorKind, detail: &str) -> Error {
    Error::new(kind, "read article", detail)
}

const EXCERPT_CHARS: usize = 300;
const MIN_STATED_WEIGHT: usize = 400;

#[cfg(test)]
mod tests;
