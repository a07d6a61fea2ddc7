//! What an element gives as a body: raw, with how it is to be read.

use headwater_domain::feed::{Content, ContentKind};

use super::text::{self, TextKind};
use super::urls::Base;
use super::{Context, base64, html};
use crate::tree::Element;

/// The body of an element; absent where it is blank, or stands elsewhere (`src`).
pub(super) fn of<'a, E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<Content> {
    if element.attribute("src").is_some() && element.elements().next().is_none() {
        return None;
    }
    let own = base.within(element);
    let (raw, kind) = raw(element, context)?;
    (!raw.trim().is_empty()).then(|| Content { raw, kind, base: own.url().cloned() })
}

fn raw<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<(String, ContentKind)> {
    let kind = text::kind(element, context);
    let shown = if kind == TextKind::Plain { ContentKind::Text } else { ContentKind::Html };
    let raw = match kind {
        TextKind::Markup => html::xhtml(element),
        TextKind::Base64 => base64::decode(&text::all_text(element))?,
        TextKind::Html => text::repaired_characters(text::unwrapped(text::html_source(element), context)).into_owned(),
        TextKind::Plain => text::repaired_characters(text::unwrapped(text::all_text(element), context)).into_owned(),
    };
    Some((raw, shown))
}
