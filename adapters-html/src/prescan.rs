//! What of a page is worth building a tree of.
//!
//! Scripts, styles, comments and drawings are most of a page's bytes and none of its text, so they go before the tree is
//! built; what remains is well-formed and of bounded depth. Structured data is kept aside, pictures that would be loaded
//! late get their address.

use std::borrow::Cow;
use std::collections::HashSet;

use url::Url;

use crate::address;
use crate::image::{Image, image};
use crate::scan::{Scanner, Tag, Token, breaks_out};
use crate::tidy::{TidyWriter, attribute, raw_attribute};

/// A page that is safe to build a tree of.
pub(crate) struct Prescanned<'a> {
    /// The document, without what is no text.
    pub html: String,
    /// The base of its relative addresses.
    pub base: Url,
    /// The texts of its JSON-LD blocks.
    pub json_ld: Vec<&'a str>,
}

/// Reads a page once, from the first byte to the last.
pub(crate) fn prescan<'a>(source: &'a str, url: &Url) -> Prescanned<'a> {
    let mut page = Page {
        writer: TidyWriter::new(source.len() / 2, MAX_PAGE_DEPTH),
        base: None,
        json_ld: Vec::new(),
        skipped: None,
        in_json_ld: false,
        in_noscript: false,
        pictures: HashSet::new(),
    };
    page.writer.doctype();
    for token in Scanner::new(source) {
        page.token(token, url);
    }
    Prescanned { html: page.writer.finish(), base: page.base.unwrap_or_else(|| url.clone()), json_ld: page.json_ld }
}

struct Page<'a> {
    writer: TidyWriter<'a>,
    base: Option<Url>,
    json_ld: Vec<&'a str>,
    /// The element of [`SKIPPED`] that is open.
    skipped: Option<Cow<'a, str>>,
    in_json_ld: bool,
    in_noscript: bool,
    pictures: HashSet<String>,
}

impl<'a> Page<'a> {
    fn token(&mut self, token: Token<'a>, url: &Url) {
        if let Some(name) = &self.skipped {
            match token {
                Token::Start(tag) if name == "svg" && breaks_out(&tag.name) => {
                    self.skipped = None;
                    self.start(tag, url);
                }
                Token::End(end) if end == *name => self.skipped = None,
                Token::Raw(text) if std::mem::take(&mut self.in_json_ld) && self.json_ld.len() < MAX_JSON_LD => {
                    self.json_ld.push(text);
                }
                _ => {}
            }
            return;
        }
        match token {
            Token::Start(tag) => self.start(tag, url),
            Token::End(name) if name == "noscript" => self.in_noscript = false,
            Token::End(name) => self.writer.end(&name),
            Token::Text(text) if !self.in_noscript => self.writer.text(text),
            Token::Raw(text) => self.writer.plain(text),
            Token::Text(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'a>, url: &Url) {
        match &*tag.name {
            "script" => {
                let media_type = tag.attributes.value("type").unwrap_or_default();
                self.in_json_ld = media_type.trim().to_ascii_lowercase().starts_with("application/ld+json");
                self.skipped = Some(tag.name);
            }
            "svg" if tag.self_closing => {}
            name if SKIPPED.contains(&name) => self.skipped = Some(tag.name),
            name if UNWRAPPED.contains(&name) => {}
            "noscript" => self.in_noscript = true,
            "img" | "image" | "amp-img" => self.picture(&tag, url),
            _ if self.in_noscript => {}
            "base" => {
                if self.base.is_none() {
                    self.base = tag.attributes.value("href").and_then(|href| address::web(&href, Some(url)));
                }
            }
            "xmp" | "plaintext" => self.writer.start(Cow::Borrowed("pre"), |_| {}),
            _ => {
                let Tag { name, attributes, .. } = tag;
                self.writer.start(name, |out| {
                    for found in attributes.iter() {
                        if is_kept(&found.name, found.raw) {
                            raw_attribute(&found.name, found.raw, out);
                        }
                    }
                });
            }
        }
    }

    fn picture(&mut self, tag: &Tag<'a>, url: &Url) {
        let base = self.base.as_ref().unwrap_or(url);
        let Image::Shown(source) = image(&tag.attributes, Some(base)) else { return };
        let new = self.pictures.insert(source.as_str().to_owned());
        if self.in_noscript && !new {
            return;
        }
        self.writer.start(Cow::Borrowed("img"), |out| {
            attribute("src", source.as_str(), out);
            for found in tag.attributes.iter() {
                if matches!(&*found.name, "alt" | "title" | "width" | "height" | "class" | "id" | "itemprop") {
                    raw_attribute(&found.name, found.raw, out);
                }
            }
        });
    }
}

/// Attributes that tell what an element is; handlers and large values tell nothing.
fn is_kept(name: &str, raw: &str) -> bool {
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'));
    is_name && !name.is_empty() && !name.starts_with("on") && raw.len() <= MAX_VALUE_BYTES
}

/// Elements that are left out with their content.
const SKIPPED: [&str; 10] =
    ["script", "style", "svg", "iframe", "noembed", "noframes", "textarea", "select", "datalist", "canvas"];
/// Elements that mean nothing to a reader, whose content does.
const UNWRAPPED: [&str; 4] = ["math", "font", "embed", "object"];
const MAX_PAGE_DEPTH: usize = 400;
const MAX_VALUE_BYTES: usize = 4096;
const MAX_JSON_LD: usize = 20;

#[cfg(test)]
mod tests;
