//! How an untrusted body becomes safe to show.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use headwater_domain::feed::{Content, ContentKind};
use headwater_ports::Sanitiser;
use url::Url;

use crate::tidy::escape_into;
use crate::{fragment, markdown};

/// Cleans bodies with a list of what may stay: no active content, no counters of readers, absolute addresses.
#[derive(Debug, Clone, Copy, Default)]
pub struct HtmlSanitiser;

impl HtmlSanitiser {
    /// A sanitiser; it has no state.
    pub fn new() -> Self {
        Self
    }
}

impl Sanitiser for HtmlSanitiser {
    fn sanitise(&self, content: &Content) -> String {
        match content.kind {
            ContentKind::Html => clean(&content.raw, content.base.as_ref()),
            ContentKind::Text => escape(&content.raw),
        }
    }

    fn markdown(&self, html: &str, base: Option<&Url>) -> String {
        markdown::markdown(html, base)
    }
}

/// Safe HTML of an untrusted fragment.
pub(crate) fn clean(html: &str, base: Option<&Url>) -> String {
    let html = html.trim();
    let html = if html.contains('\0') { Cow::Owned(html.replace('\0', "")) } else { Cow::Borrowed(html) };
    if !html.bytes().any(|byte| matches!(byte, b'<' | b'&')) {
        return html.into_owned();
    }
    let rewritten = fragment::rewrite(&html, base);
    let clean = RULES.clean(&rewritten).to_string();
    match clean.trim() {
        trimmed if trimmed.len() == clean.len() => clean,
        trimmed => trimmed.to_owned(),
    }
}

fn escape(text: &str) -> String {
    let text = text.trim();
    let mut out = String::with_capacity(text.len() + 16);
    for (number, part) in text.split('"').enumerate() {
        if number > 0 {
            out.push('"');
        }
        escape_into(part, &mut out);
    }
    out
}

/// The rules of the last instance; the rewriting before it keeps to them, so it only catches what that missed.
static RULES: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(fragment::ELEMENTS.iter().copied().collect())
        .generic_attributes(HashSet::from(["lang", "title"]))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href", "hreflang"])),
            ("audio", HashSet::from(["src", "controls"])),
            ("bdo", HashSet::from(["dir"])),
            ("blockquote", HashSet::from(["cite"])),
            ("code", HashSet::from(["class"])),
            ("col", HashSet::from(["span"])),
            ("colgroup", HashSet::from(["span"])),
            ("data", HashSet::from(["value"])),
            ("del", HashSet::from(["cite"])),
            ("img", HashSet::from(["src", "alt", "width", "height"])),
            ("ins", HashSet::from(["cite"])),
            ("ol", HashSet::from(["start", "reversed", "type"])),
            ("pre", HashSet::from(["class"])),
            ("q", HashSet::from(["cite"])),
            ("source", HashSet::from(["src"])),
            ("td", HashSet::from(["colspan", "rowspan", "align", "headers"])),
            ("th", HashSet::from(["colspan", "rowspan", "align", "scope"])),
            ("time", HashSet::from(["datetime"])),
            ("video", HashSet::from(["src", "poster", "controls"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel", "ftp", "magnet", "xmpp", "irc"]))
        .url_relative(UrlRelative::Deny)
        .attribute_filter(|element, name, value| match (element, name) {
            ("code" | "pre", "class") if !value.starts_with("language-") => None,
            _ => Some(Cow::Borrowed(value)),
        })
        .link_rel(None);
    builder
});

#[cfg(test)]
mod tests;
