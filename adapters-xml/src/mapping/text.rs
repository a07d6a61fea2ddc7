//! What an element says, as text.

use std::borrow::Cow;

use headwater_domain::feed::WarningCode;
use headwater_domain::secret::redact_content;
use headwater_domain::text::{collapse_space, plain_text};

use super::{Context, base64, html};
use crate::space::Space;
use crate::tree::{Child, Element};

/// All text in an element and below, as it stands there.
pub(super) fn all_text<'a, E: Element<'a>>(element: E) -> Cow<'a, str> {
    let (direct, parent) = super::direct_text(element);
    if !parent {
        return direct;
    }
    let mut text = String::new();
    push_text(element, &mut text);
    Cow::Owned(text)
}

fn push_text<'a, E: Element<'a>>(element: E, text: &mut String) {
    for child in element.children() {
        match child {
            Child::Element(inner) => push_text(inner, text),
            Child::Text(piece) => text.push_str(&piece),
        }
    }
}

/// The text of a field that holds a word or a URL: trimmed; absent where there is nothing.
pub(super) fn word<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<Cow<'a, str>> {
    let text = trimmed(unwrapped(all_text(element), context));
    (!text.is_empty()).then_some(text)
}

/// The title that an element gives: plain text.
///
/// In RSS a title is HTML to some publishers and text to others; references left after XML's own are decoded once more,
/// which is right for both but for a text about references. In Atom the type says what it is.
pub(super) fn title<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<String> {
    let text = match kind(element, context) {
        TextKind::Markup => collapse_space(&repaired_characters(all_text(element))),
        TextKind::Plain => collapse_space(&repaired_characters(unwrapped(all_text(element), context))),
        TextKind::Html => plain_text(&repaired_characters(unwrapped(html_source(element), context))),
        TextKind::Base64 => plain_text(&base64::decode(&all_text(element))?),
    };
    (!text.is_empty()).then_some(text)
}

/// A text without the secrets of the URLs in it.
pub(super) fn redacted(text: String) -> String {
    let shown = match redact_content(&text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(shown) => Some(shown),
    };
    shown.unwrap_or(text)
}

/// How the text of an element is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Plain text.
    Plain,
    /// HTML, escaped.
    Html,
    /// The child elements are the markup.
    Markup,
    /// Bytes of something else, most often HTML again.
    Base64,
}

/// How an element of text is meant, by its `type` and `mode`, or by the customs of the format.
pub(super) fn kind<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> TextKind {
    if !context.is_atom_element(element) {
        let plain = element.space() == Space::Media && element.attribute("type").is_none_or(|t| t.trim() == "plain");
        return if plain && !looks_like_html(&all_text(element)) { TextKind::Plain } else { TextKind::Html };
    }
    let stated = element.attribute("type").map(|stated| stated.trim().to_ascii_lowercase());
    let mode = element.attribute("mode").map(str::trim);
    if mode == Some("base64") {
        return TextKind::Base64;
    }
    match stated.as_deref() {
        Some("xhtml" | "application/xhtml+xml") => escaped_or(mode, TextKind::Markup),
        Some("html" | "text/html") => {
            let markup = mode.is_none_or(|mode| mode == "xml") && has_elements(element);
            if markup { TextKind::Markup } else { TextKind::Html }
        }
        Some("text" | "text/plain" | "") | None if has_elements(element) => TextKind::Markup,
        Some("text" | "text/plain" | "") | None => TextKind::Plain,
        Some(_) if has_elements(element) => TextKind::Markup,
        Some(other) if other.starts_with("text/") => TextKind::Plain,
        // What is neither text nor XML is in base64 (RFC 4287, section 4.1.3.3).
        Some(other) if other.contains('/') && !other.ends_with("xml") && mode.is_none() => TextKind::Base64,
        Some(_) => TextKind::Html,
    }
}

fn escaped_or(mode: Option<&str>, kind: TextKind) -> TextKind {
    if mode == Some("escaped") { TextKind::Html } else { kind }
}

fn has_elements<'a, E: Element<'a>>(element: E) -> bool {
    element.elements().next().is_some()
}

fn looks_like_html(text: &str) -> bool {
    text.contains("</") || text.contains("/>") || text.contains("&#") || text.contains("&amp;")
}

/// The HTML that an element of RSS holds: its text as it is, child elements as tags.
pub(super) fn html_source<'a, E: Element<'a>>(element: E) -> Cow<'a, str> {
    let (direct, parent) = super::direct_text(element);
    if parent { Cow::Owned(html::inner(element, html::Loose::Yes)) } else { direct }
}

/// A text without the CDATA wrapper that a publisher escaped.
pub(super) fn unwrapped<'a>(text: Cow<'a, str>, context: &Context<'_>) -> Cow<'a, str> {
    let inner = text.trim().strip_prefix("<![CDATA[");
    let Some(inner) = inner.map(|inner| inner.strip_suffix("]]>").unwrap_or(inner)) else { return text };
    context.repaired.set(true);
    context.warn(WarningCode::BrokenCdata, "an escaped CDATA wrapper taken off");
    Cow::Owned(inner.to_owned())
}

/// A text whose C1 controls are the Windows-1252 characters that were meant, as in HTML.
pub(super) fn repaired_characters(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_control = |c: char| ('\u{80}'..='\u{9F}').contains(&c);
    let bytes = text.as_bytes();
    if !memchr::memchr_iter(0xC2, bytes).any(|at| bytes.get(at + 1).is_some_and(|byte| *byte < 0xA0)) {
        return text;
    }
    let meant = |c: char| if is_control(c) { windows_1252(c) } else { c };
    Cow::Owned(text.chars().map(meant).collect())
}

fn windows_1252(c: char) -> char {
    let byte = [u8::try_from(u32::from(c)).unwrap_or(b'?')];
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&byte);
    text.chars().next().unwrap_or(c)
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}
