//! Which of the links of a feed or an item is which.

use std::borrow::Cow;

use headwater_domain::secret::PrivateUrl;

use super::Context;
use super::text;
use super::urls::{Base, is_web, is_web_text};
use crate::tree::Element;

/// A link element: where it leads and what for.
#[derive(Debug)]
pub(super) struct Link<'a> {
    /// The relation in lower case, without the registry's prefix; empty where none is stated.
    pub(super) rel: Cow<'a, str>,
    pub(super) url: PrivateUrl,
    pub(super) mime: Option<&'a str>,
    pub(super) length: Option<&'a str>,
    /// The URL stood there as text, as in RSS.
    pub(super) as_text: bool,
    /// The element is RSS's own.
    pub(super) plain: bool,
}

impl<'a> Link<'a> {
    /// Reads a link element: `href`, else its text.
    pub(super) fn read<E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<Self> {
        let own = base.within(element);
        let rel = relation(element.attribute("rel").unwrap_or(""));
        let href = element.attribute("href").filter(|href| !href.trim().is_empty());
        let (target, as_text) = match href {
            Some(href) => (Cow::Borrowed(href), false),
            None => (text::word(element, context)?, true),
        };
        let atom = context.is_atom_element(element);
        if as_text && atom && !is_web_text(&target) && own.url().is_none() {
            return None;
        }
        Some(Self {
            rel,
            url: own.resolve(&target, context)?,
            mime: element.attribute("type").map(str::trim).filter(|mime| !mime.is_empty()),
            length: element.attribute("length"),
            as_text,
            plain: !atom,
        })
    }

    pub(super) fn is_alternate(&self) -> bool {
        matches!(&*self.rel, "" | "alternate")
    }

    fn is_page(&self) -> bool {
        is_web(self.url.expose()) && self.mime.is_none_or(|mime| mime.to_ascii_lowercase().contains("html"))
    }
}

/// The link to the article: RSS's own, of which the last counts, then the first alternate page, then any alternate.
///
/// `self` is never it: that is where the entry itself lives as a document.
pub(super) fn main<'l>(links: &'l [Link<'_>]) -> Option<&'l PrivateUrl> {
    let plain = links.iter().rfind(|link| link.plain && link.is_alternate());
    let page = || links.iter().find(|link| link.is_alternate() && link.is_page());
    let alternate = || links.iter().find(|link| link.is_alternate());
    plain.or_else(page).or_else(alternate).map(|link| &link.url)
}

/// The first link of a relation.
pub(super) fn of_relation<'l>(links: &'l [Link<'_>], rel: &str) -> Option<&'l PrivateUrl> {
    links.iter().find(|link| link.rel == rel).map(|link| &link.url)
}

fn relation(rel: &str) -> Cow<'_, str> {
    let rel = rel.trim();
    let short = REGISTRIES.iter().find_map(|registry| rel.strip_prefix(registry)).unwrap_or(rel);
    if short.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(short.to_ascii_lowercase())
    } else {
        Cow::Borrowed(short)
    }
}

const REGISTRIES: [&str; 2] =
    ["http://www.iana.org/assignments/relation/", "http://www.iana.org/assignments/link-relations/"];
