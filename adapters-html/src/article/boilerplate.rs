//! Which parts of a page are not its article: dialogs, navigation, related stories, comments, share bars.

mod vocabulary;

use dom_query::{Document, Element, NodeRef};

use super::measure::Measures;
use super::names::Names;
use vocabulary as words;

/// How sure a name must be before an element goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Whatever its name condemns.
    Full,
    /// Only dialogs, navigation and what is hidden: for pages whose text the full list would take.
    Mild,
}

/// Takes the parts of a page away that are not its article.
pub(super) fn remove(document: &Document, strictness: Strictness) {
    let Some(body) = document.body() else { return };
    let measures = Measures::of(&body);
    let whole = measures.get(&body);
    let mut next = body.first_child();
    while let Some(node) = next {
        let verdict = node.element_ref().map_or(Verdict::Keep, |element| judge(&element, strictness));
        let measure = measures.get(&node);
        let share_of_prose = if whole.prose == 0 { 0.0 } else { measure.prose as f64 / whole.prose as f64 };
        let goes = match verdict {
            Verdict::Keep => false,
            Verdict::Certain => !holds_article(&node),
            Verdict::Hidden => share_of_prose < 0.7,
            Verdict::Comments => {
                whole.prose - measure.prose.min(whole.prose) >= MIN_OTHER_PROSE && !holds_article(&node)
            }
            Verdict::Likely => share_of_prose < 0.4 && !holds_article(&node),
            Verdict::IfLinked => share_of_prose < 0.3 && measure.links > 0 && measure.link_density() > 0.3,
            Verdict::IfShort => measure.chars < MAX_LINE_CHARS && !holds_heading(&node),
        };
        next = if goes { after(&node, &body) } else { node.first_child().or_else(|| after(&node, &body)) };
        if goes {
            node.remove_from_parent();
        }
    }
}

/// What is to become of an element by its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Keep,
    /// It goes, however much text it has.
    Certain,
    /// It goes, unless it has nearly all of the text: some pages show themselves by a script.
    Hidden,
    /// It goes, unless there is nothing else.
    Comments,
    /// It goes, unless it has much of the text of the page.
    Likely,
    /// It goes if much of it stands in links.
    IfLinked,
    /// It goes if it is a line or two.
    IfShort,
}

fn judge(element: &Element, strictness: Strictness) -> Verdict {
    let tag = &*element.name.local;
    if is_hidden(element) && !matches!(tag, "html" | "body") {
        return Verdict::Hidden;
    }
    if KEPT.contains(&tag) {
        return Verdict::Keep;
    }
    if matches!(tag, "nav" | "dialog" | "menu" | "button" | "input" | "template" | "label") {
        return Verdict::Likely;
    }
    let names = Names::of(element);
    if names.any(words::DIALOGS) || names.pair(words::DIALOG_PAIRS) {
        return Verdict::Certain;
    }
    if names.any(words::NAVIGATION) {
        return Verdict::Likely;
    }
    if strictness == Strictness::Mild {
        return Verdict::Keep;
    }
    if names.any(words::COMMENTS) {
        return Verdict::Comments;
    }
    if matches!(tag, "footer" | "aside") || names.any(words::ASIDES) || names.pair(words::ASIDE_PAIRS) {
        return Verdict::Likely;
    }
    if names.any(words::TEASERS) {
        return Verdict::IfLinked;
    }
    if names.any(words::LINES) || names.pair(words::LINE_PAIRS) {
        return Verdict::IfShort;
    }
    Verdict::Keep
}

fn is_hidden(element: &Element) -> bool {
    element.attrs.iter().any(|attribute| match &*attribute.name.local {
        "hidden" => true,
        "aria-hidden" => &*attribute.value == "true",
        "style" => {
            let style: String = attribute.value.chars().filter(|c| !c.is_whitespace()).take(400).collect();
            style.contains("display:none") || style.contains("visibility:hidden")
        }
        "aria-modal" => &*attribute.value == "true",
        _ => false,
    })
}

fn holds_article(node: &NodeRef<'_>) -> bool {
    node.descendants_it().any(|inner| {
        inner.element_ref().is_some_and(|element| {
            let is_body = element.attrs.iter().any(|a| &*a.name.local == "itemprop" && &*a.value == "articleBody");
            matches!(&*element.name.local, "main" | "h1") || is_body
        })
    })
}

fn holds_heading(node: &NodeRef<'_>) -> bool {
    let is_heading = |node: &NodeRef<'_>| {
        node.element_ref().is_some_and(|element| matches!(&*element.name.local, "h1" | "h2" | "h3"))
    };
    is_heading(node) || node.descendants_it().any(|inner| is_heading(&inner))
}

/// The next node in document order that is not inside `node`.
fn after<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let mut at = Some(*node);
    while let Some(here) = at {
        if here.id == root.id {
            return None;
        }
        if let Some(next) = here.next_sibling() {
            return Some(next);
        }
        at = here.parent();
    }
    None
}

/// Elements that no name condemns: what carries the text, and what would take the whole page along.
const KEPT: &[&str] = &[
    "html",
    "body",
    "main",
    "article",
    "p",
    "img",
    "a",
    "td",
    "tr",
    "tbody",
    "table",
    "code",
    "pre",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "figure",
    "figcaption",
    "strong",
    "em",
    "b",
    "i",
];
/// What must be left where the comments go.
const MIN_OTHER_PROSE: usize = 60;
const MAX_LINE_CHARS: usize = 200;

#[cfg(test)]
mod tests;
