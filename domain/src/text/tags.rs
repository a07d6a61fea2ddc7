//! Which parts of an HTML fragment are text, and where does it break into blocks?

/// A piece of an HTML fragment that matters to its text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text with its references.
    Text(&'a str),
    /// The border of an element that stands apart.
    Break,
}

/// Runs through an HTML fragment once.
///
/// Every search that came to the end in vain is remembered and not made again, so that no input costs more than a few
/// passes.
pub(super) struct Pieces<'a> {
    html: &'a str,
    place: usize,
    /// A CDATA section is open.
    in_cdata: bool,
    /// No tag ends from here on.
    no_tag_end: bool,
    /// A quote inside a tag stays open from here on: quotes are no longer believed.
    no_quotes: bool,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(html: &'a str) -> Self {
        Self { html, place: 0, in_cdata: false, no_tag_end: false, no_quotes: false }
    }

    /// Goes behind a run of text, but only up to the end of a CDATA section.
    fn take_text(&mut self, text: &'a str) -> &'a str {
        let end = if self.in_cdata { text.find(CDATA_END) } else { None };
        self.place += end.map_or(text.len(), |end| end + CDATA_END.len());
        self.in_cdata &= end.is_none();
        &text[..end.unwrap_or(text.len())]
    }

    /// The end of the tag, comment or declaration at `start`, or `None` if a `<` is all that it is.
    fn markup_end(&mut self, start: usize) -> Option<usize> {
        let rest = &self.html[start..];
        if rest.starts_with("<!--") {
            return Some(comment_end(self.html, start));
        }
        if rest.starts_with(CDATA) {
            self.in_cdata = true;
            return Some(start + CDATA.len());
        }
        match rest.as_bytes().get(1)? {
            b'!' | b'?' => self.plain_end(start),
            b'/' if rest.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic) => self.plain_end(start),
            byte if byte.is_ascii_alphabetic() => self.quoted_end(start).or_else(|| self.plain_end(start)),
            _ => None,
        }
    }

    fn plain_end(&mut self, start: usize) -> Option<usize> {
        if self.no_tag_end {
            return None;
        }
        let end = self.html[start..].find('>').map(|length| start + length + 1);
        self.no_tag_end = end.is_none();
        end
    }

    /// The end of a start tag whose attribute values may hold a `>`.
    fn quoted_end(&mut self, start: usize) -> Option<usize> {
        if self.no_quotes || self.no_tag_end {
            return None;
        }
        let mut quote = None;
        let mut before = b' ';
        for (offset, &byte) in self.html.as_bytes()[start..].iter().enumerate() {
            match quote {
                Some(open) if byte == open => quote = None,
                Some(_) => {}
                None if byte == b'>' => return Some(start + offset + 1),
                None if before == b'=' && (byte == b'"' || byte == b'\'') => quote = Some(byte),
                None => {}
            }
            if !byte.is_ascii_whitespace() {
                before = byte;
            }
        }
        self.no_quotes = true;
        None
    }

    /// Goes behind the end tag of an element whose content is no text, or to the end.
    fn skip_raw(&mut self, name: &str) {
        let bytes = self.html.as_bytes();
        let mut place = self.place;
        while let Some(length) = self.html[place..].find("</") {
            place += length + 2;
            let is_end =
                bytes.get(place..place + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()));
            if is_end {
                self.place = self.html[place..].find('>').map_or(self.html.len(), |length| place + length + 1);
                return;
            }
        }
        self.place = self.html.len();
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        while self.place < self.html.len() {
            let start = self.place;
            if self.html.as_bytes()[start] != b'<' {
                let rest = &self.html[start..];
                let text = &rest[..rest.find('<').unwrap_or(rest.len())];
                return Some(Piece::Text(self.take_text(text)));
            }
            let Some(end) = self.markup_end(start) else {
                self.place += 1;
                return Some(Piece::Text(&self.html[start..=start]));
            };
            self.place = end;
            let name = tag_name(&self.html[start..end]);
            if let Some(raw) = RAW.iter().find(|raw| raw.eq_ignore_ascii_case(name)) {
                if !self.html[start..].starts_with("</") {
                    self.skip_raw(raw);
                }
                return Some(Piece::Break);
            }
            if BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(name)) {
                return Some(Piece::Break);
            }
        }
        None
    }
}

fn comment_end(html: &str, start: usize) -> usize {
    let body = start + 4;
    for (opening, length) in [(">", 1), ("->", 2)] {
        if html[body..].starts_with(opening) {
            return body + length;
        }
    }
    html[body..].find("-->").map_or(html.len(), |length| body + length + 3)
}

/// The name of a tag; empty for declarations and the like.
fn tag_name(tag: &str) -> &str {
    let name = tag.trim_start_matches('<').trim_start_matches('/');
    &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())]
}

const CDATA: &str = "<![CDATA[";
const CDATA_END: &str = "]]>";

/// Elements whose content is no text.
const RAW: [&str; 2] = ["script", "style"];

/// Elements that stand apart on a page.
const BLOCKS: [&str; 45] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "td",
    "th",
    "title",
    "tr",
    "ul",
    "video",
    "audio",
];
