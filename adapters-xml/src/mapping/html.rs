//! How child elements are written out as HTML.

use crate::names;
use crate::space::Space;
use crate::tree::{Child, Element};

/// Whether text directly in the outermost element is HTML already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loose {
    /// It is: the publisher mixed markup and escaped markup.
    Yes,
    /// It is text.
    No,
}

/// The inside of an element as HTML.
pub(super) fn inner<'a, E: Element<'a>>(element: E, loose: Loose) -> String {
    let mut out = String::new();
    for child in element.children() {
        match child {
            Child::Text(text) if loose == Loose::Yes => out.push_str(&text),
            Child::Text(text) => push_escaped(&text, &mut out),
            Child::Element(inner) => push_element(inner, &mut out),
        }
    }
    out
}

/// The inside of the `<div>` that XHTML content is wrapped in, or of the element itself.
pub(super) fn xhtml<'a, E: Element<'a>>(element: E) -> String {
    let mut elements = element.elements();
    let only = elements.next().filter(|_| elements.next().is_none());
    let div = only.filter(|only| matches!(only.name(), "div" | "DIV" | "body") && blank_around(element));
    inner(div.unwrap_or(element), Loose::No)
}

fn blank_around<'a, E: Element<'a>>(element: E) -> bool {
    super::direct_text(element).0.trim().is_empty()
}

fn push_element<'a, E: Element<'a>>(element: E, out: &mut String) {
    let name = element.name();
    out.push('<');
    out.push_str(name);
    for (attribute, value) in element.attributes() {
        out.push(' ');
        out.push_str(attribute);
        out.push_str("=\"");
        push_escaped(value, out);
        out.push('"');
    }
    out.push('>');
    if names::is_void(name) && matches!(element.space(), Space::Xhtml | Space::Core | Space::Atom | Space::Other) {
        return;
    }
    for child in element.children() {
        match child {
            Child::Text(text) => push_escaped(&text, out),
            Child::Element(inner) => push_element(inner, out),
        }
    }
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

fn push_escaped(text: &str, out: &mut String) {
    let mut copied = 0;
    for at in memchr::memchr3_iter(b'<', b'&', b'"', text.as_bytes()) {
        out.push_str(&text[copied..at]);
        out.push_str(match text.as_bytes()[at] {
            b'<' => "&lt;",
            b'&' => "&amp;",
            _ => "&quot;",
        });
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}
