//! What the main part of a page still has that is not the article: link lists, promotions, lines at either end.

mod phrases;

use std::collections::HashSet;

use dom_query::{Element, NodeRef};
use headwater_domain::text::collapse_space;

use super::measure::{Measure, Measures};
use super::names::Names;

/// Takes it away.
pub(super) fn polish(root: &NodeRef<'_>, title: Option<&str>) {
    remove_galleries(root);
    remove_link_lists(root);
    remove_promotions(root);
    remove_repeated(root);
    cut_before_title(root, title);
    trim_end(root);
    trim_start(root, title);
}

/// Sets of pictures with their captions, of which a page shows one at a time.
fn remove_galleries(root: &NodeRef<'_>) {
    let measures = Measures::of(root);
    let galleries: Vec<NodeRef<'_>> = elements(root, &["ul", "ol", "div", "section"])
        .filter(|node| {
            let measure = measures.get(node);
            measure.images >= 3 && measure.prose == 0 && measure.chars < measure.images * 200
        })
        .collect();
    remove_all(&galleries);
}

/// Lists and blocks that are links and little else.
fn remove_link_lists(root: &NodeRef<'_>) {
    let measures = Measures::of(root);
    let whole = measures.get(root);
    let lists: Vec<NodeRef<'_>> = elements(root, &["ul", "ol", "div", "section", "table", "dl"])
        .filter(|node| is_link_list(measures.get(node), whole))
        .collect();
    remove_all(&lists);
}

fn is_link_list(measure: Measure, whole: Measure) -> bool {
    measure.links >= 2 && measure.link_density() > 0.75 && measure.chars * 2 < whole.chars && measure.images == 0
}

/// Lines between the paragraphs that lead to other pages. Where every other line is one, the article is such a list.
fn remove_promotions(root: &NodeRef<'_>) {
    let measures = Measures::of(root);
    let blocks: Vec<NodeRef<'_>> = elements(root, &["p", "div", "h2", "h3", "h4", "h5", "h6", "li", "blockquote"])
        .filter(|node| !has_block(node) && measures.get(node).chars > 0)
        .collect();
    let promotions: Vec<NodeRef<'_>> =
        blocks.iter().filter(|node| is_promotion(node, measures.get(node))).copied().collect();
    if promotions.len() * 4 <= blocks.len() {
        remove_all(&promotions);
    }
}

fn is_promotion(node: &NodeRef<'_>, measure: Measure) -> bool {
    if measure.chars > MAX_PROMOTION_CHARS || measure.images > 0 {
        return false;
    }
    let text = collapse_space(&node.text());
    let linked = measure.link_density();
    let in_item = node.has_name("li");
    (linked > 0.5 && phrases::points_elsewhere(&text))
        || (linked > 0.9 && !in_item && measure.chars >= MIN_HEADLINE_CHARS && !is_heading(node))
        || phrases::is_call(&text)
}

/// Captions that say again what one before them said.
fn remove_repeated(root: &NodeRef<'_>) {
    let mut seen = HashSet::new();
    let captions = root.descendants_it().filter(|node| node.element_ref().is_some_and(|element| is_caption(&element)));
    let repeated: Vec<NodeRef<'_>> = captions.filter(|node| !seen.insert(collapse_space(&node.text()))).collect();
    remove_all(&repeated);
}

fn is_caption(element: &Element) -> bool {
    &*element.name.local == "figcaption" || (&*element.name.local == "p" && Names::of(element).any(&["caption"]))
}

/// Takes the title away where a heading repeats it, with the short lines before it.
fn cut_before_title(root: &NodeRef<'_>, title: Option<&str>) {
    let Some(title) = title else { return };
    let measures = Measures::of(root);
    let blocks: Vec<NodeRef<'_>> = root.descendants_it().filter(is_leaf_block).take(MAX_BLOCKS_BEFORE_TITLE).collect();
    let is_title = |node: &NodeRef<'_>| is_heading(node) && same_words(&node.text(), title);
    let Some(at) = blocks.iter().position(is_title) else { return };
    let before = &blocks[..at];
    if before.iter().all(|node| measures.get(node).chars < MAX_SHORT_CHARS) {
        remove_all(before);
    }
    blocks[at].remove_from_parent();
}

/// Takes lines from the end that belong to the page rather than to the text, and headings that head nothing.
fn trim_end(root: &NodeRef<'_>) {
    for _ in 0..MAX_TRIMMED {
        let measures = Measures::of(root);
        let Some(last) = last_block(root, &measures) else { return };
        let measure = measures.get(&last);
        let text = collapse_space(&last.text());
        let goes =
            is_heading(&last) || phrases::ends_page(&text) || (measure.link_density() > 0.8 && measure.images == 0);
        if !goes || measure.chars > MAX_PROMOTION_CHARS || measure.chars * 2 > measures.get(root).chars {
            return;
        }
        last.remove_from_parent();
    }
}

/// Takes lines from the beginning: the title again, the date, the author, labels.
fn trim_start(root: &NodeRef<'_>, title: Option<&str>) {
    for _ in 0..MAX_TRIMMED {
        let measures = Measures::of(root);
        let Some(first) = first_block(root, &measures) else { return };
        let measure = measures.get(&first);
        let text = collapse_space(&first.text());
        let is_title = title.is_some_and(|title| same_words(&text, title));
        let goes = is_title || phrases::opens_page(&text);
        if !goes || measure.images > 0 || measure.chars * 2 > measures.get(root).chars {
            return;
        }
        first.remove_from_parent();
    }
}

/// The first element in document order that has text of its own.
fn first_block<'a>(root: &NodeRef<'a>, measures: &Measures) -> Option<NodeRef<'a>> {
    root.descendants_it().find(|node| is_leaf_block(node) && measures.get(node).chars > 0)
}

/// The last one.
fn last_block<'a>(root: &NodeRef<'a>, measures: &Measures) -> Option<NodeRef<'a>> {
    let blocks: Vec<NodeRef<'a>> = root.descendants_it().filter(is_leaf_block).collect();
    blocks.into_iter().rev().find(|node| measures.get(node).chars > 0)
}

fn is_leaf_block(node: &NodeRef<'_>) -> bool {
    is_block(node) && !has_block(node)
}

fn has_block(node: &NodeRef<'_>) -> bool {
    node.descendants_it().any(|inner| is_block(&inner))
}

fn is_block(node: &NodeRef<'_>) -> bool {
    node.element_ref().is_some_and(|element| BLOCKS.contains(&&*element.name.local))
}

fn is_heading(node: &NodeRef<'_>) -> bool {
    node.element_ref().is_some_and(|element| matches!(&*element.name.local, "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

fn same_words(a: &str, b: &str) -> bool {
    let fold =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    fold(a) == fold(b)
}

fn elements<'a>(root: &NodeRef<'a>, names: &'static [&'static str]) -> impl Iterator<Item = NodeRef<'a>> {
    root.descendants_it()
        .filter(move |node| node.element_ref().is_some_and(|element| names.contains(&&*element.name.local)))
}

fn remove_all(nodes: &[NodeRef<'_>]) {
    for node in nodes {
        node.remove_from_parent();
    }
}

const BLOCKS: &[&str] = &[
    "p",
    "div",
    "section",
    "article",
    "ul",
    "ol",
    "li",
    "dl",
    "dd",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "table",
    "tr",
    "td",
    "th",
    "pre",
    "blockquote",
    "figure",
    "figcaption",
    "header",
    "footer",
    "aside",
    "main",
    "form",
    "address",
    "details",
    "summary",
    "center",
    "tbody",
    "thead",
];
const MAX_PROMOTION_CHARS: usize = 250;
const MIN_HEADLINE_CHARS: usize = 15;
const MAX_BLOCKS_BEFORE_TITLE: usize = 30;
const MAX_SHORT_CHARS: usize = 80;
const MAX_TRIMMED: usize = 8;

#[cfg(test)]
mod tests;
