//! Which entries of a feed, or links of a page, are usable, and in which order they are taken.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use super::article::LinkVia;
use super::candidate::{Candidate, PageLink};
use super::history::ArticleKey;
use crate::feed::{Content, FeedDocument, FeedItem, LinkFrom};
use crate::secret::PrivateUrl;

/// The distinct usable entries of a feed: newest first, undated ones last, ties in document order.
///
/// Usable is an entry with an http or https link of its own; a file that is merely attached is no article. Of entries
/// with the same URL in normal form the first stays. A date more than a day ahead counts as none.
pub fn from_feed(document: FeedDocument, now: Timestamp) -> Vec<Candidate> {
    let language = document.language;
    let mut candidates: Vec<Candidate> =
        document.items.into_iter().filter_map(|item| from_item(item, language.as_deref(), now)).collect();
    keep_distinct(&mut candidates);
    candidates.sort_by_key(|candidate| Reverse(candidate.published_at));
    candidates
}

/// The distinct usable links of a page, in the given order (best first).
pub fn from_links(links: Vec<PageLink>, now: Timestamp) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = links.into_iter().filter_map(|link| from_link(link, now)).collect();
    keep_distinct(&mut candidates);
    candidates
}

fn from_item(item: FeedItem, language: Option<&str>, now: Timestamp) -> Option<Candidate> {
    let url = item.link.filter(|_| item.link_from != Some(LinkFrom::Enclosure)).filter(is_web)?;
    Some(Candidate {
        key: ArticleKey::of(&url),
        url,
        title: item.title,
        published_at: plausible(item.published_at, now).or_else(|| plausible(item.updated_at, now)),
        language: item.language.or_else(|| language.map(str::to_owned)),
        found_via: LinkVia::Feed,
        content: longer(item.content, item.description),
        failures: 0,
    })
}

fn from_link(link: PageLink, now: Timestamp) -> Option<Candidate> {
    is_web(&link.url).then(|| Candidate {
        key: ArticleKey::of(&link.url),
        url: link.url,
        title: link.text,
        published_at: plausible(link.published_at, now),
        language: None,
        found_via: LinkVia::Html,
        content: None,
        failures: 0,
    })
}

fn is_web(url: &PrivateUrl) -> bool {
    matches!(url.expose().scheme(), "http" | "https")
}

/// A date, unless it lies more than a day ahead: such entries would stand at the top for ever.
fn plausible(at: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    at.filter(|at| at.duration_since(now) <= SignedDuration::from_hours(24))
}

fn longer(content: Option<Content>, description: Option<Content>) -> Option<Content> {
    let length = |body: &Content| body.raw.len();
    match (content, description) {
        (Some(content), Some(description)) if length(&description) > length(&content) => Some(description),
        (Some(content), _) => Some(content),
        (None, description) => description,
    }
}

fn keep_distinct(candidates: &mut Vec<Candidate>) {
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| seen.insert(candidate.key.clone()));
}

#[cfg(test)]
mod tests;
