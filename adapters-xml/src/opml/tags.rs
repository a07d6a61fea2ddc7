//! Which tags does a list have, when nobody has checked that it is XML?

use std::borrow::Cow;

/// A tag or a declaration of the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// `<name …>` or `<name …/>`.
    Start(Tag<'a>),
    /// `</name>`.
    End(&'a str),
    /// Text between tags.
    Text(&'a str),
    /// What stands behind `<!`.
    Declaration(&'a str),
    /// A tag that another one begins in: how it begins.
    Broken(&'a str),
}

/// A start tag.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    attributes: &'a str,
    /// It ends itself.
    pub(super) is_empty: bool,
}

/// Goes over a text once; every byte belongs to one piece.
pub(super) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Takes all up to a mark and the mark itself, or the rest.
    fn take_through(&mut self, mark: &str) -> &'a str {
        let end = self.rest.find(mark).map_or(self.rest.len(), |place| place + mark.len());
        self.take(end)
    }

    fn tag(&mut self) -> Piece<'a> {
        let (end, whole) = tag_end(self.rest);
        let text = self.take(end);
        let inner = text.trim_start_matches('<').trim_end_matches('>');
        if let Some(name) = inner.strip_prefix('/') {
            return Piece::End(local(name.trim()));
        }
        if !whole {
            return Piece::Broken(text);
        }
        let is_empty = inner.ends_with('/');
        let inner = inner.trim_end_matches('/');
        let name_end = inner.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(inner.len());
        Piece::Start(Tag { name: local(&inner[..name_end]), attributes: &inner[name_end..], is_empty })
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let bytes = self.rest.as_bytes();
            match (bytes.first()?, bytes.get(1)) {
                (b'<', Some(b'!')) if self.rest.starts_with("<!--") => {
                    self.take_through("-->");
                }
                (b'<', Some(b'!')) if self.rest.starts_with("<![CDATA[") => {
                    return Some(Piece::Text(self.take_through("]]>")));
                }
                (b'<', Some(b'!')) => return Some(Piece::Declaration(self.take_through(">").trim_start_matches("<!"))),
                (b'<', Some(b'?')) => {
                    self.take_through("?>");
                }
                (b'<', Some(byte)) if byte.is_ascii_alphabetic() || *byte == b'/' => return Some(self.tag()),
                _ => {
                    let next = bytes[1..].iter().position(|byte| *byte == b'<');
                    let end = next.map_or(bytes.len(), |place| place + 1);
                    return Some(Piece::Text(self.take(end)));
                }
            }
        }
    }
}

/// Where the tag ends that begins a text, and whether it is whole: a `<` inside it begins the next tag, since a quote
/// must be missing before it.
fn tag_end(text: &str) -> (usize, bool) {
    let mut quote = None;
    let mut before = b' ';
    let bytes = text.as_bytes();
    for (place, &byte) in bytes.iter().enumerate().skip(1) {
        match quote {
            _ if byte == b'<' && begins_tag(&bytes[place + 1..]) => return (place, false),
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'>' => return (place + 1, true),
            None if before == b'=' && (byte == b'"' || byte == b'\'') => quote = Some(byte),
            None => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    (text.len(), false)
}

/// Whether one of the format's own tags begins; any other may be part of a name.
fn begins_tag(bytes: &[u8]) -> bool {
    let name = bytes.strip_prefix(b"/").unwrap_or(bytes);
    ["outline", "body", "opml"]
        .iter()
        .any(|own| name.get(..own.len()).is_some_and(|name| name.eq_ignore_ascii_case(own.as_bytes())))
}

impl<'a> Tag<'a> {
    /// The attributes with their values, references decoded, names as they stand.
    pub(super) fn attributes(&self) -> Attributes<'a> {
        Attributes { rest: self.attributes }
    }
}

/// Goes over the attributes of a tag.
pub(super) struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'' || c == '=');
            if rest.is_empty() {
                return None;
            }
            let name_end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
            let (name, after) = rest.split_at(name_end);
            let Some(value) = after.trim_start().strip_prefix('=') else {
                self.rest = after;
                continue;
            };
            let value = value.trim_start();
            let (value, after) = match value.as_bytes().first() {
                Some(quote @ (b'"' | b'\'')) => {
                    let value = &value[1..];
                    value.split_once(char::from(*quote)).unwrap_or((value, ""))
                }
                _ => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            self.rest = after;
            return Some((local(name), htmlize::unescape_attribute(value)));
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}
