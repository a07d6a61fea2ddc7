//! Where the text of an article stands in its page.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dom_query::{Document, NodeRef};
use dom_smoothie::{CandidateSelectMode, Config, Readability};
use headwater_domain::text::plain_text;

use super::boilerplate::{self, Strictness};
use super::container::container;
use super::measure::{Measure, Measures};
use super::{lead, polish};
use crate::tidy::escape_into;

/// The article as an HTML fragment, not yet sanitised; nothing if the page has no text.
///
/// What is surely not the article goes first, then the library picks the part with the text, then what it took along
/// goes. Where that leaves little, a milder first step has a try.
pub(super) fn content(document: &Document, title: Option<&str>) -> Option<String> {
    let strict = attempt(document.clone(), Strictness::Full, title);
    if strict.as_ref().is_some_and(|found| found.chars >= ENOUGH_CHARS) {
        return strict.map(|found| found.html);
    }
    let mild = attempt(document.clone(), Strictness::Mild, title);
    let best = match (strict, mild) {
        (Some(strict), Some(mild)) if mild.chars > strict.chars * 2 => Some(mild),
        (strict, mild) => strict.or(mild),
    };
    best.map(|found| found.html)
}

struct Found {
    html: String,
    chars: usize,
}

fn attempt(document: Document, strictness: Strictness, title: Option<&str>) -> Option<Found> {
    let lead = lead::lead(&document);
    boilerplate::remove(&document, strictness);
    let stated = stated(&document, title);
    let document = main_part(document)?;
    let selection = document.select_single("#readability-page-1");
    let root: &NodeRef<'_> = selection.nodes().first()?;
    polish::polish(root, title);
    let picked = Measures::of(root).get(root);
    let mut found = match stated {
        Some((stated, found)) if picked.prose * 10 < stated.prose * 8 => found,
        _ => Found { html: root.inner_html().to_string(), chars: picked.chars },
    };
    if let Some(lead) = lead.filter(|lead| !lead::is_in(&plain_text(&found.html), lead)) {
        found.html.insert_str(0, &paragraph(&lead));
    }
    (found.chars > 0).then_some(found)
}

fn paragraph(text: &str) -> String {
    let mut html = String::from("<p>");
    escape_into(text, &mut html);
    html.push_str("</p>");
    html
}

/// What the element has that says of itself that it holds the article.
fn stated(document: &Document, title: Option<&str>) -> Option<(Measure, Found)> {
    let body = document.body()?;
    let (node, _) = container(document, &Measures::of(&body))?;
    let fragment = node.to_fragment();
    let root = fragment.root();
    polish::polish(&root, title);
    let measure = Measures::of(&root).get(&root);
    Some((measure, Found { html: root.inner_html().to_string(), chars: measure.chars }))
}

/// Lets the library mark the main part of the page. A panic in it is a page that cannot be read.
fn main_part(document: Document) -> Option<Document> {
    let config = Config {
        keep_classes: true,
        disable_json_ld: true,
        candidate_select_mode: CandidateSelectMode::Readability,
        ..Config::default()
    };
    let run = move || {
        let mut reader = Readability::with_document(document, None, Some(config)).ok()?;
        reader.parse().ok()?;
        Some(reader.doc)
    };
    catch_unwind(AssertUnwindSafe(run)).ok().flatten()
}

/// Characters that make a first attempt good enough.
const ENOUGH_CHARS: usize = 400;

#[cfg(test)]
mod tests;
