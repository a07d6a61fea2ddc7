//! Which element of a page says of itself that it holds the article.

use dom_query::{Document, Element, NodeRef};

use super::measure::{Measure, Measures};
use super::names::Names;

/// The element that holds the article by its own account, if one does and has most of the text.
pub(super) fn container<'a>(document: &'a Document, measures: &Measures) -> Option<(NodeRef<'a>, Measure)> {
    let body = document.body()?;
    let whole = measures.get(&body);
    let mut claims: [Vec<(NodeRef<'a>, Measure)>; RANKS] = Default::default();
    for node in body.descendants_it() {
        let Some(rank) = node.element_ref().and_then(|element| rank(&element)) else { continue };
        let measure = measures.get(&node);
        if measure.prose >= MIN_PROSE && !claims[rank].iter().any(|(known, _)| is_inside(&node, known)) {
            claims[rank].push((node, measure));
        }
    }
    claims.into_iter().enumerate().find_map(|(rank, claims)| {
        if rank == ARTICLES && claims.len() > 1 {
            return None;
        }
        let all: usize = claims.iter().map(|(_, measure)| measure.prose).sum();
        let (node, measure) = claims.into_iter().max_by_key(|(_, measure)| measure.prose)?;
        let leads = measure.prose * 10 >= all * 9 && measure.prose * 2 >= whole.prose;
        leads.then_some((node, measure))
    })
}

/// How plainly an element says that it holds the article; 0 is the plainest.
fn rank(element: &Element) -> Option<usize> {
    let tag = &*element.name.local;
    if element.attrs.iter().any(|a| &*a.name.local == "itemprop" && a.value.contains("articleBody")) {
        return Some(0);
    }
    if matches!(tag, "div" | "section" | "main" | "article" | "td") {
        let names = Names::of(element);
        if names.pair(BODIES) || names.any(&["articlebody", "storybody", "postbody", "entrycontent", "postcontent"]) {
            return Some(1);
        }
    }
    (tag == "article").then_some(2)
}

fn is_inside(node: &NodeRef<'_>, outer: &NodeRef<'_>) -> bool {
    node.ancestors_it(None).any(|above| above.id == outer.id)
}

const BODIES: &[(&str, &str)] = &[
    ("article", "body"),
    ("article", "content"),
    ("article", "text"),
    ("article", "copy"),
    ("article", "main"),
    ("story", "body"),
    ("story", "content"),
    ("story", "text"),
    ("post", "content"),
    ("post", "body"),
    ("post", "text"),
    ("entry", "content"),
    ("entry", "body"),
    ("entry", "text"),
    ("news", "content"),
    ("news", "text"),
    ("news", "body"),
    ("body", "copy"),
    ("body", "content"),
    ("body", "text"),
    ("blog", "content"),
    ("content", "body"),
    ("rich", "text"),
    ("text", "body"),
    ("text", "content"),
    ("field", "body"),
];
/// Where several elements are articles, the page is a list of them.
const ARTICLES: usize = 2;
const RANKS: usize = 3;
const MIN_PROSE: usize = 200;

#[cfg(test)]
mod tests;
