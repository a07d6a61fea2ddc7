//! Which paragraph of a page introduces its article from outside of the text.

use dom_query::{Document, Element, NodeRef};
use headwater_domain::text::collapse_space;

use super::measure::Measures;
use super::names::Names;

/// The lead of a page whose header holds it, as plain text.
pub(super) fn lead(document: &Document) -> Option<String> {
    let body = document.body()?;
    let measures = Measures::of(&body);
    let candidates =
        body.descendants_it().filter(|node| node.element_ref().is_some_and(|element| is_named_lead(&element)));
    let heading = body.descendants_it().find(|node| node.has_name("h1"))?;
    candidates.take(MAX_CANDIDATES).filter(|node| is_beside(node, &heading)).find_map(|node| {
        let measure = measures.get(&node);
        let is_prose = (MIN_CHARS..MAX_CHARS).contains(&measure.chars) && measure.link_density() < 0.2;
        if !is_prose || is_of_another_story(&node) {
            return None;
        }
        let text = collapse_space(&node.text());
        text.ends_with(['.', '!', '?', '…', '”', '"', '»', '。', '！', '？', ':', ')']).then_some(text)
    })
}

/// Whether a node stands in the same part of the page as the heading, a few levels up at most.
fn is_beside(node: &NodeRef<'_>, heading: &NodeRef<'_>) -> bool {
    let around: Vec<_> = heading.ancestors_it(Some(HEADING_LEVELS)).filter(|above| !above.has_name("body")).collect();
    node.ancestors_it(Some(NODE_LEVELS)).any(|above| around.iter().any(|outer| outer.id == above.id))
}

/// Whether a text says already what the lead does.
pub(super) fn is_in(text: &str, lead: &str) -> bool {
    let fold =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let lead: String = fold(lead).chars().take(60).collect();
    fold(text).contains(&lead)
}

fn is_named_lead(element: &Element) -> bool {
    let tag = &*element.name.local;
    if !matches!(tag, "p" | "div" | "h2" | "h3" | "section" | "span" | "header") {
        return false;
    }
    let describes = |a: &dom_query::Attr| {
        &*a.name.local == "itemprop" && matches!(&*a.value, "description" | "abstract" | "alternativeHeadline")
    };
    if element.attrs.iter().any(describes) {
        return true;
    }
    let names = Names::of(element);
    names.any(WORDS) || names.pair(PAIRS)
}

/// A lead in a list of stories, in a link or beside the article is that of another one.
fn is_of_another_story(node: &NodeRef<'_>) -> bool {
    node.ancestors_it(None).any(|above| {
        above.element_ref().is_some_and(|element| {
            matches!(&*element.name.local, "a" | "aside" | "nav" | "footer" | "li")
                || Names::of(&element)
                    .any(&["sidebar", "related", "widget", "comments", "footer", "list", "archive", "loop"])
        })
    })
}

const WORDS: &[&str] = &[
    "lead",
    "lede",
    "intro",
    "standfirst",
    "dek",
    "deck",
    "subtitle",
    "subheadline",
    "subhead",
    "vorspann",
    "anreisser",
    "chapo",
    "chapeau",
    "ingress",
    "entradilla",
    "bajada",
    "copete",
    "summary",
    "abstract",
    "leadtext",
    "introtext",
    "perex",
];
const PAIRS: &[(&str, &str)] =
    &[("teaser", "text"), ("sub", "title"), ("sub", "headline"), ("article", "intro"), ("article", "summary")];
const MIN_CHARS: usize = 50;
const MAX_CHARS: usize = 800;
const HEADING_LEVELS: usize = 3;
const NODE_LEVELS: usize = 4;
const MAX_CANDIDATES: usize = 40;

#[cfg(test)]
mod tests;
