//! The tokens of sound XML, as slices of the text.

use memchr::{memchr, memchr3, memmem};

/// A piece of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Character data, references not resolved.
    Text(&'a str),
    /// The inside of a CDATA section.
    Cdata(&'a str),
    /// The inside of a comment.
    Comment(&'a str),
    /// The inside of a processing instruction, the XML declaration among them.
    Instruction(&'a str),
    /// What stands between `<!` and the end of a declaration; without its subset, if it has one.
    Doctype(&'a str),
    /// A start tag or an empty-element tag.
    Open(Tag<'a>),
    /// The name in an end tag.
    Close(&'a str),
}

/// A start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    /// The name, prefix included.
    pub(crate) name: &'a str,
    /// Everything between the name and the end, the `/` of an empty element left out.
    pub(crate) attributes: &'a str,
    /// How many quoted values there are.
    pub(crate) count: usize,
    /// Whether the element is empty (`<a/>`).
    pub(crate) empty: bool,
}

/// Why a text is not a sound document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Flaw {
    /// A `<` begins nothing that XML knows, or something stands where it must not.
    #[error("markup where none may stand")]
    StrayMarkup,
    /// A tag, comment, section or the root element has no end.
    #[error("it ends early")]
    EndsEarly,
    /// There is no element at all.
    #[error("it has no element")]
    NoRoot,
    /// The first element is not one that a feed begins with.
    #[error("no feed begins so")]
    StrangeRoot,
    /// A name that XML does not allow.
    #[error("a name that cannot be one")]
    BadName,
    /// A character that XML forbids.
    #[error("a forbidden character")]
    BadCharacter,
    /// A reference to nothing, or to an entity that XML does not know.
    #[error("a reference to nothing")]
    BadReference,
    /// An attribute without value or quotes, or one that stands there twice.
    #[error("a broken attribute")]
    BadAttribute,
    /// A prefix that is not declared, or may not be bound so.
    #[error("a prefix that is not declared")]
    BadNamespace,
    /// An end tag that does not close what is open.
    #[error("an end tag of nothing")]
    BadNesting,
}

/// Reads tokens one after the other, each byte once or twice.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, position: 0 }
    }

    /// Where the next token begins.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Goes back, or on, to a place between tokens.
    pub(crate) fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// The next token; `None` at the end.
    ///
    /// After a flaw the position is where it was.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<Token<'a>>, Flaw> {
        let bytes = self.text.as_bytes();
        let start = self.position;
        match bytes.get(start) {
            None => Ok(None),
            Some(b'<') => self.markup(start).map(Some),
            Some(_) => {
                let end = memchr(b'<', &bytes[start..]).map_or(bytes.len(), |length| start + length);
                self.position = end;
                Ok(Some(Token::Text(&self.text[start..end])))
            }
        }
    }

    #[inline]
    fn markup(&mut self, start: usize) -> Result<Token<'a>, Flaw> {
        let bytes = self.text.as_bytes();
        match bytes.get(start + 1) {
            Some(b'/') => self.close(start),
            Some(b'!') => self.declaration(start),
            Some(b'?') => self.enclosed(start, 2, "?>").map(Token::Instruction),
            Some(&byte) if is_name_start(byte) => self.open(start),
            _ => Err(Flaw::StrayMarkup),
        }
    }

    #[inline]
    fn close(&mut self, start: usize) -> Result<Token<'a>, Flaw> {
        let end = self.find(b'>', start + 2)?;
        self.position = end + 1;
        Ok(Token::Close(self.text[start + 2..end].trim_ascii_end()))
    }

    #[inline]
    fn open(&mut self, start: usize) -> Result<Token<'a>, Flaw> {
        let bytes = self.text.as_bytes();
        let name_end =
            start + 1 + bytes[start + 1..].iter().position(|byte| ends_name(*byte)).ok_or(Flaw::EndsEarly)?;
        let (end, count) = self.tag_end(name_end)?;
        let empty = bytes[end - 1] == b'/';
        let inside = name_end.min(end - usize::from(empty))..end - usize::from(empty);
        self.position = end + 1;
        Ok(Token::Open(Tag {
            name: &self.text[start + 1..name_end],
            attributes: self.text[inside].trim_ascii(),
            count,
            empty,
        }))
    }

    /// Where the `>` outside quotes is, and how many quoted values stand before it.
    #[inline]
    fn tag_end(&self, from: usize) -> Result<(usize, usize), Flaw> {
        let bytes = self.text.as_bytes();
        if bytes[from] == b'>' {
            return Ok((from, 0));
        }
        let mut at = from;
        let mut count = 0;
        loop {
            at += memchr3(b'>', b'"', b'\'', &bytes[at..]).ok_or(Flaw::EndsEarly)?;
            if bytes[at] == b'>' {
                return Ok((at, count));
            }
            at = self.find(bytes[at], at + 1)? + 1;
            count += 1;
        }
    }

    fn declaration(&mut self, start: usize) -> Result<Token<'a>, Flaw> {
        let rest = &self.text[start..];
        if rest.starts_with("<![CDATA[") {
            return self.enclosed(start, 9, "]]>").map(Token::Cdata);
        }
        if rest.starts_with("<!--") {
            return self.enclosed(start, 4, "-->").map(Token::Comment);
        }
        if !rest.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic) {
            return Err(Flaw::StrayMarkup);
        }
        self.doctype(start)
    }

    /// `<!NAME … >`; a subset ends the token at its `[`, since nobody reads on after one.
    fn doctype(&mut self, start: usize) -> Result<Token<'a>, Flaw> {
        let bytes = self.text.as_bytes();
        let mut at = start + 2;
        loop {
            at += bytes[at..]
                .iter()
                .position(|byte| matches!(byte, b'>' | b'[' | b'"' | b'\''))
                .ok_or(Flaw::EndsEarly)?;
            match bytes[at] {
                b'>' | b'[' => break,
                quote => at = self.find(quote, at + 1)? + 1,
            }
        }
        self.position = at + 1;
        Ok(Token::Doctype(&self.text[start + 2..at + usize::from(bytes[at] == b'[')]))
    }

    fn enclosed(&mut self, start: usize, opening: usize, closing: &str) -> Result<&'a str, Flaw> {
        let from = start + opening;
        let inside = self.text.as_bytes().get(from..).ok_or(Flaw::EndsEarly)?;
        let length = memmem::find(inside, closing.as_bytes()).ok_or(Flaw::EndsEarly)?;
        self.position = from + length + closing.len();
        Ok(&self.text[from..from + length])
    }

    #[inline]
    fn find(&self, byte: u8, from: usize) -> Result<usize, Flaw> {
        memchr(byte, &self.text.as_bytes()[from..]).map(|length| from + length).ok_or(Flaw::EndsEarly)
    }
}

/// Whether an instruction is the XML declaration.
pub(crate) fn is_declaration(body: &str) -> bool {
    body.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("xml"))
        && body.as_bytes().get(3).is_none_or(u8::is_ascii_whitespace)
}

/// Whether a name may begin with this byte; all of UTF-8 beyond ASCII passes here.
#[inline]
pub(crate) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

#[inline]
fn ends_name(byte: u8) -> bool {
    matches!(byte, b'>' | b'/' | b' ' | b'\n' | b'\t' | b'\r')
}
