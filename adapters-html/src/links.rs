//! Which links of a page lead to articles of its site.

mod place;
mod shape;

use std::cmp::Reverse;
use std::collections::HashMap;

use dom_query::{Document, NodeRef};
use headwater_domain::net::{normal_form, same_site};
use headwater_domain::synthesis::candidate::PageLink;
use headwater_domain::text::collapse_space;
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{Error, PageInput, Result};
use jiff::Timestamp;
use url::Url;

use self::place::Place;
use crate::{address, charset, prescan, tree};

/// At most `max_links` links to articles of the same site, best first, each once.
///
/// A link is judged by where it stands (main content, headings, repeated structures, a date nearby), by what it says and
/// by the shape of its address; navigation, lists of topics, authors, assets, logins and further pages are left out.
pub(crate) fn links(page: &PageInput<'_>, max_links: usize) -> Result<Vec<PageLink>> {
    let bytes = &page.bytes[..page.bytes.len().min(limits::MAX_PAGE_BYTES as usize)];
    let source = charset::decode(bytes, page.content_type);
    let prescanned = prescan::prescan(&source, page.url);
    let document = tree::build(&prescanned.html)
        .map_err(|_| Error::new(ErrorKind::TooDeep, "find article links", "the page nests too deep or is too large"))?;
    let mut found = merge(anchors(&document, page.url, &prescanned.base));
    found.retain(|link| link.score >= MIN_SCORE);
    found.sort_by_key(|link| Reverse(link.score));
    found.truncate(max_links);
    Ok(found.into_iter().map(Found::into_link).collect())
}

/// A link with what speaks for it.
struct Found {
    url: Url,
    text: Option<String>,
    published_at: Option<Timestamp>,
    score: i32,
}

impl Found {
    fn into_link(self) -> PageLink {
        PageLink { url: self.url.into(), text: self.text, published_at: self.published_at }
    }

    /// Takes over what another link to the same page says better.
    fn absorb(&mut self, other: Self) {
        let length = |text: &Option<String>| text.as_ref().map_or(0, |text| text.chars().count().min(MAX_TITLE_CHARS));
        if length(&other.text) > length(&self.text) && !shape::is_generic(other.text.as_deref().unwrap_or_default()) {
            self.text = other.text;
        }
        self.published_at = self.published_at.or(other.published_at);
        self.score = self.score.max(other.score);
    }
}

/// The links of the page that could be articles, in document order, with their scores.
fn anchors(document: &Document, page: &Url, base: &Url) -> Vec<Found> {
    let Some(body) = document.body() else { return Vec::new() };
    let own = normal_form(page);
    let mut candidates: Vec<(NodeRef<'_>, Url, Place)> = Vec::new();
    let mut repeated: HashMap<u64, usize> = HashMap::new();
    for node in body.descendants_it().filter(|node| node.has_name("a")).take(MAX_ANCHORS) {
        let Some(url) = node.attr("href").and_then(|href| address::web(&href, Some(base))) else { continue };
        if !same_site(&url, page) || !shape::may_be_article(&url) || normal_form(&url) == own {
            continue;
        }
        let place = place::place(&node);
        *repeated.entry(place.structure).or_default() += 1;
        candidates.push((node, url, place));
    }
    candidates
        .into_iter()
        .map(|(node, url, place)| {
            let text = text_of(&node);
            let alike = repeated.get(&place.structure).copied().unwrap_or_default();
            let score =
                place.score(alike) + shape::score(&url) + shape::score_of_text(text.as_deref().unwrap_or_default());
            let published_at = place.date_near(&node);
            Found { url, text, published_at, score: score + i32::from(published_at.is_some()) * 2 }
        })
        .collect()
}

/// The text of a link; the description of its picture where it has none.
fn text_of(node: &NodeRef<'_>) -> Option<String> {
    let heading = node.descendants_it().find(|inner| place::is_heading(inner)).map(|heading| heading.text());
    let text = collapse_space(&heading.unwrap_or_else(|| node.text()));
    let picture = || {
        let image = node.descendants_it().find(|inner| inner.has_name("img"))?;
        image.attr("alt").map(|alt| collapse_space(&alt))
    };
    Some(text).filter(|text| !text.is_empty()).or_else(picture).filter(|text| !text.is_empty())
}

/// One link a page, where it stands first.
fn merge(found: Vec<Found>) -> Vec<Found> {
    let mut merged: Vec<Found> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for link in found {
        let key = normal_form(&link.url);
        match places.get(&key) {
            Some(place) => merged[*place].absorb(link),
            None => {
                places.insert(key, merged.len());
                merged.push(link);
            }
        }
    }
    merged
}

/// What a link must score to be taken for an article.
const MIN_SCORE: i32 = 6;
const MAX_ANCHORS: usize = 5_000;
const MAX_TITLE_CHARS: usize = 150;

#[cfg(test)]
mod tests;
