//! What of an untrusted fragment may be shown, with which attributes and addresses.
//!
//! Only elements that the sanitiser allows are written, well-formed and of bounded depth, so that the sanitiser behind
//! this has nothing to unwrap: what it gives is what it would give again.

use std::borrow::Cow;
use std::collections::HashMap;

use url::Url;

use crate::address;
use crate::image::{Image, image};
use crate::scan::{Scanner, Tag, Token, breaks_out};
use crate::tidy::{TidyWriter, attribute};

/// Rewrites a fragment: elements that may be shown, absolute addresses, no trackers, each late-loaded picture once.
pub(crate) fn rewrite(html: &str, base: Option<&Url>) -> String {
    let mut fragment = Fragment::new(html.len(), base);
    for token in Scanner::new(html) {
        fragment.token(token);
    }
    fragment.writer.finish()
}

/// The elements that may be shown.
pub(crate) const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "acronym",
    "article",
    "aside",
    "audio",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "section",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "video",
];

/// Elements that have no content to show: nothing of them is written up to their end tag.
const HIDDEN: [&str; 11] =
    ["script", "style", "title", "textarea", "iframe", "noembed", "noframes", "svg", "select", "template", "datalist"];

/// Attributes that are kept as they are, by element.
const ATTRIBUTES: [(&str, &[&str]); 12] = [
    ("a", &["title", "hreflang"]),
    ("abbr", &["title"]),
    ("bdo", &["dir"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("dfn", &["title"]),
    ("img", &["alt", "title", "width", "height"]),
    ("ol", &["start", "reversed", "type"]),
    ("td", &["colspan", "rowspan", "align", "headers"]),
    ("th", &["colspan", "rowspan", "align", "scope"]),
    ("time", &["datetime"]),
    ("data", &["value"]),
];

struct Fragment<'a, 'b> {
    writer: TidyWriter<'a>,
    base: Option<&'b Url>,
    /// The element of [`HIDDEN`] that is open, and how often.
    hidden: Option<(Cow<'a, str>, usize)>,
    in_noscript: bool,
    /// The pictures written so far, and whether each stood in a `<noscript>`.
    pictures: HashMap<String, bool>,
    /// White space at the beginning of a `<pre>` is dropped by parsers, so it is never written.
    after_pre: bool,
}

impl<'a, 'b> Fragment<'a, 'b> {
    fn new(size: usize, base: Option<&'b Url>) -> Self {
        Self {
            writer: TidyWriter::new(size, MAX_FRAGMENT_DEPTH),
            base,
            hidden: None,
            in_noscript: false,
            pictures: HashMap::new(),
            after_pre: false,
        }
    }

    fn token(&mut self, token: Token<'a>) {
        if let Some((name, depth)) = &mut self.hidden {
            match token {
                Token::Start(tag) if name == "svg" && breaks_out(&tag.name) => {
                    self.hidden = None;
                    return self.start(tag);
                }
                Token::Start(tag) if tag.name == *name && !tag.self_closing => *depth += 1,
                Token::End(end) if end == *name => *depth -= 1,
                _ => {}
            }
            if self.hidden.as_ref().is_some_and(|(_, depth)| *depth == 0) {
                self.hidden = None;
            }
            return;
        }
        match token {
            Token::Start(tag) => self.start(tag),
            Token::End(name) => self.end(&name),
            Token::Text(text) => self.text(text),
            Token::Raw(text) => self.writer.plain(text),
        }
    }

    fn text(&mut self, text: &'a str) {
        let text = if std::mem::take(&mut self.after_pre) { text.trim_start_matches(['\n', '\r']) } else { text };
        for (number, piece) in pieces(text).enumerate() {
            if number > 0 {
                self.writer.divide();
            }
            self.writer.text(piece);
        }
    }

    fn end(&mut self, name: &str) {
        self.after_pre = false;
        match name {
            "noscript" => self.in_noscript = false,
            "xmp" | "listing" | "plaintext" => self.writer.end("pre"),
            _ => self.writer.end(name),
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        self.after_pre = false;
        match &*tag.name {
            "noscript" => self.in_noscript = true,
            "img" | "image" | "amp-img" => self.picture(&tag),
            "xmp" | "listing" | "plaintext" => self.writer.start(Cow::Borrowed("pre"), |_| {}),
            "svg" | "template" if tag.self_closing => {}
            name if HIDDEN.contains(&name) => self.hidden = Some((tag.name, 1)),
            "col" if !self.writer.is_inside("colgroup") => {}
            "source" if tag.attributes.value("src").is_none() => {}
            name if ELEMENTS.contains(&name) => self.element(tag),
            _ => {}
        }
    }

    fn element(&mut self, tag: Tag<'a>) {
        let base = self.base;
        self.after_pre = tag.name == "pre";
        let Tag { name, attributes, .. } = tag;
        let kept = ATTRIBUTES.iter().find(|(element, _)| *element == name).map_or(&[][..], |(_, names)| names);
        self.writer.start(name.clone(), |out| {
            for found in attributes.iter() {
                match (&*name, &*found.name) {
                    ("a", "href") => url_attribute("href", address::link(&found.value(), base), out),
                    ("audio" | "video" | "source", "src") => {
                        url_attribute("src", address::web(&found.value(), base), out);
                    }
                    ("video", "poster") => url_attribute("poster", address::web(&found.value(), base), out),
                    ("audio" | "video", "controls") => attribute("controls", "", out),
                    ("blockquote" | "q" | "del" | "ins", "cite") => {
                        url_attribute("cite", address::web(&found.value(), base), out);
                    }
                    ("code" | "pre", "class") => language(&found.value(), out),
                    (_, "lang") if !found.raw.is_empty() => attribute("lang", &found.value(), out),
                    (_, other) if kept.contains(&other) => attribute(other, &found.value(), out),
                    _ => {}
                }
            }
        });
    }

    fn picture(&mut self, tag: &Tag<'a>) {
        let Image::Shown(url) = image(&tag.attributes, self.base) else { return };
        let from_noscript = self.in_noscript;
        if let Some(other_from_noscript) = self.pictures.get(url.as_str())
            && (from_noscript || *other_from_noscript)
        {
            return;
        }
        self.pictures.insert(url.as_str().to_owned(), from_noscript);
        let kept = ATTRIBUTES.iter().find(|(element, _)| *element == "img").map_or(&[][..], |(_, names)| names);
        self.writer.start(Cow::Borrowed("img"), |out| {
            attribute("src", url.as_str(), out);
            for found in tag.attributes.iter().filter(|found| kept.contains(&&*found.name)) {
                attribute(&found.name, &found.value(), out);
            }
        });
    }
}

/// A text in pieces of [`MAX_TEXT_BYTES`] at most, none of which ends inside a reference.
///
/// The writer of a tree searches the rest of a text for each character that it escapes, so no text may be long.
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = if text.len() <= MAX_TEXT_BYTES { text.len() } else { end_of_piece(text) };
        let (piece, rest) = text.split_at(end);
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

fn end_of_piece(text: &str) -> usize {
    let end = text.floor_char_boundary(MAX_TEXT_BYTES);
    let tail = text.floor_char_boundary(end - LONGEST_REFERENCE);
    match text[tail..end].rfind('&') {
        Some(at) if !text[tail + at..end].contains(';') => tail + at,
        _ => end,
    }
}

fn url_attribute(name: &str, url: Option<Url>, out: &mut String) {
    if let Some(url) = url {
        attribute(name, url.as_str(), out);
    }
}

/// Keeps the language of code, in the one form that Markdown writers know.
fn language(class: &str, out: &mut String) {
    let named = class.split_ascii_whitespace().find_map(|word| {
        word.strip_prefix("language-")
            .or_else(|| word.strip_prefix("lang-"))
            .or_else(|| word.strip_prefix("highlight-source-"))
    });
    if let Some(name) =
        named.filter(|name| name.len() <= 32 && name.chars().all(|c| c.is_alphanumeric() || "+-#.".contains(c)))
    {
        attribute("class", &format!("language-{name}"), out);
    }
}

const MAX_FRAGMENT_DEPTH: usize = 200;

/// Bytes of one text node.
const MAX_TEXT_BYTES: usize = 16 * 1024;

/// No name of a reference is longer.
const LONGEST_REFERENCE: usize = 40;

#[cfg(test)]
mod tests;
