//! Which tags, texts and raw sections a document consists of, in one linear pass.
//!
//! This is a tokeniser and no parser: it builds nothing, remembers one element name and never looks at a byte twice
//! more than it must, so that its cost is linear in the input whatever stands in it. Everything else in this crate sees
//! a document only after it has gone through here.

mod attributes;

use std::borrow::Cow;

pub(crate) use attributes::Attributes;

/// One piece of a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token<'a> {
    /// A start tag.
    Start(Tag<'a>),
    /// An end tag; the name in lower case.
    End(Cow<'a, str>),
    /// Text with its character references as they stand. A `<` can only be its first character, and means itself.
    Text(&'a str),
    /// The content of a script, a style sheet or another element whose text is no markup and has no references.
    Raw(&'a str),
}

/// A start tag.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tag<'a> {
    /// The name in lower case.
    pub name: Cow<'a, str>,
    /// The attributes as they stand.
    pub attributes: Attributes<'a>,
    /// The tag ends with `/>`.
    pub self_closing: bool,
}

/// Reads the tokens of a document.
pub(crate) struct Scanner<'a> {
    source: &'a str,
    position: usize,
    /// The element whose content comes next and is no markup.
    raw: Option<Raw>,
    /// Inside of a drawing, where a title is an element like any other.
    in_svg: bool,
}

#[derive(Clone, Copy)]
struct Raw {
    name: &'static str,
    references: bool,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of `source`.
    pub(crate) fn new(source: &'a str) -> Self {
        Self { source, position: 0, raw: None, in_svg: false }
    }

    fn rest(&self) -> &'a str {
        &self.source[self.position..]
    }

    /// Text up to the next `<`, the one at its start excepted.
    fn text(&mut self) -> Token<'a> {
        let rest = self.rest();
        let end = find(rest, 1, b'<').unwrap_or(rest.len());
        self.position += end;
        Token::Text(&rest[..end])
    }

    /// The content of `raw` up to its end tag, or to the end of the document.
    fn raw_content(&mut self, raw: Raw) -> Option<Token<'a>> {
        let rest = self.rest();
        let end = end_of_raw(rest, raw.name);
        self.position += end;
        match (end, raw.references) {
            (0, _) => None,
            (_, true) => Some(Token::Text(&rest[..end])),
            (_, false) => Some(Token::Raw(&rest[..end])),
        }
    }

    /// What begins with the `<` at the present position; `None` for what is no content (comments and the like).
    fn markup(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        match rest.as_bytes().get(1) {
            Some(byte) if byte.is_ascii_alphabetic() => self.start_tag(),
            Some(b'/') => self.end_tag(),
            Some(b'!') => {
                self.position += declaration_length(rest);
                None
            }
            Some(b'?') => {
                self.position += past(rest, 2, b'>');
                None
            }
            _ => Some(self.text()),
        }
    }

    fn start_tag(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let name_end = name_length(rest, 1);
        let Some(length) = attributes::section_length(&rest[name_end..]) else {
            self.position = self.source.len();
            return None;
        };
        let section = &rest[name_end..name_end + length];
        self.position += name_end + length + 1;
        let name = lower(&rest[1..name_end]);
        let self_closing = section.ends_with('/');
        self.in_svg = (self.in_svg && !breaks_out(&name)) || (name == "svg" && !self_closing);
        let is_raw = |raw: &&Raw| raw.name == name && (!self.in_svg || !(raw.references || self_closing));
        self.raw = RAW.iter().find(is_raw).copied();
        Some(Token::Start(Tag { name, attributes: Attributes::new(section), self_closing }))
    }

    fn end_tag(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        if !rest.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic) {
            self.position += past(rest, 2, b'>');
            return None;
        }
        let name_end = name_length(rest, 2);
        match attributes::section_length(&rest[name_end..]) {
            Some(length) => self.position += name_end + length + 1,
            None => self.position = self.source.len(),
        }
        let name = lower(&rest[2..name_end]);
        self.in_svg &= name != "svg";
        Some(Token::End(name))
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some(raw) = self.raw.take()
            && let Some(token) = self.raw_content(raw)
        {
            return Some(token);
        }
        while self.position < self.source.len() {
            if self.source.as_bytes()[self.position] != b'<' {
                return Some(self.text());
            }
            if let Some(token) = self.markup() {
                return Some(token);
            }
        }
        None
    }
}

/// Whether an element of that name never has content.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "image"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Whether an element of that name ends a drawing that was never closed.
pub(crate) fn breaks_out(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "br"
            | "button"
            | "center"
            | "dd"
            | "div"
            | "dl"
            | "dt"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hr"
            | "img"
            | "li"
            | "main"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "table"
            | "td"
            | "tr"
            | "ul"
    )
}

/// The length of a comment, a doctype or another `<!…>`.
fn declaration_length(text: &str) -> usize {
    if text.starts_with("<!-->") {
        return 5;
    }
    if text.starts_with("<!--->") {
        return 6;
    }
    if text.starts_with("<!--") {
        return comment_length(text);
    }
    if text.starts_with("<![CDATA[") {
        return 9;
    }
    past(text, 2, b'>')
}

/// The length of a comment: up to `-->` or `--!>`, else to the end.
fn comment_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut from = 4;
    while let Some(end) = find(text, from, b'>') {
        if bytes[..end].ends_with(b"--") || bytes[..end].ends_with(b"--!") {
            return end + 1;
        }
        from = end + 1;
    }
    text.len()
}

/// Where the end tag of a raw element begins.
fn end_of_raw(text: &str, name: &str) -> usize {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = find(text, from, b'<') {
        let name_end = at + 2 + name.len();
        let named = bytes.get(at + 1) == Some(&b'/')
            && bytes.get(at + 2..name_end).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()));
        if named && bytes.get(name_end).is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/')) {
            return at;
        }
        from = at + 1;
    }
    text.len()
}

fn name_length(text: &str, from: usize) -> usize {
    let name = text.as_bytes()[from..].iter();
    from + name.take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'>' | b'/')).count()
}

fn find(text: &str, from: usize, byte: u8) -> Option<usize> {
    memchr::memchr(byte, text.as_bytes().get(from..)?).map(|at| from + at)
}

fn past(text: &str, from: usize, byte: u8) -> usize {
    find(text, from, byte).map_or(text.len(), |at| at + 1)
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

const RAW: [Raw; 9] = [
    Raw { name: "script", references: false },
    Raw { name: "style", references: false },
    Raw { name: "title", references: true },
    Raw { name: "textarea", references: true },
    Raw { name: "iframe", references: false },
    Raw { name: "xmp", references: false },
    Raw { name: "noembed", references: false },
    Raw { name: "noframes", references: false },
    Raw { name: "plaintext", references: false },
];

#[cfg(test)]
mod tests;
