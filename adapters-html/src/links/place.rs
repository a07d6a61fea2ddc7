//! Where in its page a link stands.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use dom_query::NodeRef;
use headwater_domain::text::collapse_space;
use jiff::Timestamp;

use crate::article::{Names, plausible_date};

/// What the elements around a link say about it.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The same for links that stand in the same structure.
    pub structure: u64,
    in_main: bool,
    in_heading: bool,
    in_item: bool,
    in_prose: bool,
    in_margin: bool,
    in_line: bool,
}

/// Looks at what stands around a link, and at what stands in it.
pub(super) fn place(link: &NodeRef<'_>) -> Place {
    let mut place = Place { in_heading: link.descendants_it().any(|inner| is_heading(&inner)), ..Place::default() };
    let mut hasher = DefaultHasher::new();
    for (level, node) in link.ancestors_it(Some(MAX_LEVELS)).enumerate() {
        let Some(element) = node.element_ref() else { continue };
        let tag = &*element.name.local;
        let names = Names::of(&element);
        if level < STRUCTURE_LEVELS {
            tag.hash(&mut hasher);
            element.attr_ref(dom_query::local_name!("class")).map(first_word).hash(&mut hasher);
        }
        match tag {
            "h1" | "h2" | "h3" | "h4" | "h5" => place.in_heading = true,
            "main" => place.in_main = true,
            "article" | "li" | "tr" | "dd" | "dt" if level < 6 => place.in_item = true,
            "nav" | "footer" | "aside" | "menu" | "dialog" | "form" => place.in_margin = true,
            "header" if level > 2 => place.in_margin |= names.any(&["site", "page", "global", "masthead", "top"]),
            "p" => place.in_prose = !place.in_heading && !is_alone_in(&node, link),
            _ => {}
        }
        if matches!(tag, "body" | "html" | "main" | "article") {
            continue;
        }
        place.in_main |= names.any(MAIN);
        place.in_item |= level < 6 && names.any(ITEMS);
        place.in_margin |= names.any(MARGINS) && !(place.in_heading && level < 2);
        place.in_line |= level < 3 && names.any(LINES);
    }
    place.structure = hasher.finish();
    place
}

impl Place {
    /// What the place says for the link; `alike` links stand in the same structure.
    pub(super) fn score(&self, alike: usize) -> i32 {
        let mut score = 0;
        score += if self.in_heading { 4 } else { 0 };
        score += if self.in_main { 2 } else { 0 };
        score += if self.in_item { 2 } else { 0 };
        score += if alike >= 3 { 2 } else { 0 };
        score -= if self.in_margin { 8 } else { 0 };
        score -= if self.in_line { 5 } else { 0 };
        score -= if self.in_prose { 10 } else { 0 };
        score
    }

    /// The date that stands beside the link, in the smallest block that has no other story.
    pub(super) fn date_near(&self, link: &NodeRef<'_>) -> Option<Timestamp> {
        if self.in_margin || self.in_line {
            return None;
        }
        let own = link.attr("href");
        for around in std::iter::once(*link).chain(link.ancestors_it(Some(5))) {
            if around.has_name("body") || around.has_name("main") {
                return None;
            }
            let mut others = 0;
            for (count, node) in around.descendants_it().enumerate() {
                if count > MAX_BLOCK_NODES {
                    return None;
                }
                if node.has_name("a") && is_heading_link(&node) && node.attr("href") != own {
                    others += 1;
                }
                if others > 0 {
                    return None;
                }
                if let Some(date) = date_of(&node) {
                    return Some(date);
                }
            }
        }
        None
    }
}

/// Whether a node is a heading.
pub(super) fn is_heading(node: &NodeRef<'_>) -> bool {
    node.element_ref().is_some_and(|element| matches!(&*element.name.local, "h1" | "h2" | "h3" | "h4" | "h5"))
}

fn is_heading_link(node: &NodeRef<'_>) -> bool {
    node.ancestors_it(Some(2)).any(|above| is_heading(&above)) || node.descendants_it().any(|inner| is_heading(&inner))
}

/// The date that an element is made to show.
fn date_of(node: &NodeRef<'_>) -> Option<Timestamp> {
    let element = node.element_ref()?;
    if &*element.name.local == "time" {
        let stated = element.attr("datetime").and_then(|date| plausible_date(&date));
        return stated.or_else(|| plausible_date(&collapse_space(&node.text())));
    }
    if !Names::of(&element).any(&["date", "time", "published", "timestamp", "datetime", "pubdate", "posted"]) {
        return None;
    }
    let text = collapse_space(&node.text());
    if text.len() > MAX_DATE_BYTES { None } else { plausible_date(&text) }
}

/// Whether a paragraph has no other text than the link's.
fn is_alone_in(paragraph: &NodeRef<'_>, link: &NodeRef<'_>) -> bool {
    let count = |node: &NodeRef<'_>| node.text().chars().filter(|c| !c.is_whitespace()).count();
    count(paragraph) <= count(link) + 12
}

fn first_word(class: &str) -> Option<&str> {
    class.split_ascii_whitespace().next()
}

const MAIN: &[&str] =
    &["main", "content", "primary", "stories", "articles", "posts", "feed", "stream", "listing", "river"];
const ITEMS: &[&str] = &[
    "article", "articles", "post", "posts", "story", "stories", "entry", "item", "card", "teaser", "news", "headline",
    "media", "topic", "thread", "tile", "result", "listing", "summary", "title",
];
const MARGINS: &[&str] = &[
    "nav",
    "navbar",
    "navigation",
    "menu",
    "breadcrumb",
    "breadcrumbs",
    "footer",
    "sidebar",
    "aside",
    "widget",
    "cookie",
    "consent",
    "share",
    "social",
    "pagination",
    "pager",
    "paging",
    "tagcloud",
    "login",
    "masthead",
    "toolbar",
    "related",
    "comments",
    "newsletter",
    "subscribe",
    "advert",
    "ads",
    "sponsored",
    "promo",
    "skip",
    "lang",
    "language",
    "languages",
    "contentinfo",
    "search",
    "toc",
    "copyright",
    "legal",
    "partners",
    "mostread",
    "popular",
];
const LINES: &[&str] = &[
    "tag",
    "tags",
    "category",
    "categories",
    "author",
    "authors",
    "byline",
    "meta",
    "metadata",
    "label",
    "labels",
    "topics",
    "section",
    "kicker",
    "comments",
    "comment",
    "more",
    "readmore",
    "permalink",
    "avatar",
    "user",
    "date",
    "subtext",
];
const MAX_LEVELS: usize = 30;
const STRUCTURE_LEVELS: usize = 4;
const MAX_BLOCK_NODES: usize = 120;
const MAX_DATE_BYTES: usize = 60;
