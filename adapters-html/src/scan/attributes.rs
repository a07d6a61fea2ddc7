//! Which attributes a tag has.

use std::borrow::Cow;
use std::iter::FusedIterator;

/// The attributes of a tag, read as they are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Attributes<'a>(&'a str);

/// One attribute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attribute<'a> {
    /// The name in lower case.
    pub name: Cow<'a, str>,
    /// The value with its character references as they stand.
    pub raw: &'a str,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(section: &'a str) -> Self {
        Self(section)
    }

    /// The decoded value of the first attribute of that name (in lower case).
    pub(crate) fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        self.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value())
    }

    /// The attributes in document order, at most [`MAX_ATTRIBUTES`].
    pub(crate) fn iter(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        Iter { section: self.0 }.take(MAX_ATTRIBUTES)
    }
}

impl<'a> Attribute<'a> {
    /// The value with its character references resolved.
    pub(crate) fn value(&self) -> Cow<'a, str> {
        if self.raw.contains('&') { htmlize::unescape_attribute(self.raw) } else { Cow::Borrowed(self.raw) }
    }
}

/// The length of what stands between a tag's name and its `>`; `None` if the document ends first.
pub(super) fn section_length(text: &str) -> Option<usize> {
    let mut walk = Walk { text, position: 0 };
    loop {
        walk.skip(|byte| byte.is_ascii_whitespace() || byte == b'/');
        match walk.peek()? {
            b'>' => return Some(walk.position),
            _ => walk.attribute()?,
        };
    }
}

struct Iter<'a> {
    section: &'a str,
}

impl<'a> Iterator for Iter<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        let mut walk = Walk { text: self.section, position: 0 };
        walk.skip(|byte| byte.is_ascii_whitespace() || byte == b'/');
        walk.peek()?;
        let (name, raw) = walk.attribute()?;
        self.section = &self.section[walk.position..];
        Some(Attribute { name: super::lower(name), raw })
    }
}

impl FusedIterator for Iter<'_> {}

/// A place in the attributes of a tag. Positions are always at ASCII characters or at the end, so slices are sound.
struct Walk<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Walk<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn skip(&mut self, class: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.position..];
        self.position += rest.iter().take_while(|byte| class(**byte)).count();
    }

    /// Reads name and value; `None` if a quoted value has no end.
    fn attribute(&mut self) -> Option<(&'a str, &'a str)> {
        let start = self.position;
        self.position += usize::from(self.peek() == Some(b'='));
        self.skip(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>' | b'='));
        let name = &self.text[start..self.position];
        let after_name = self.position;
        self.skip(|byte| byte.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            self.position = after_name;
            return Some((name, ""));
        }
        self.position += 1;
        self.skip(|byte| byte.is_ascii_whitespace());
        Some((name, self.value()?))
    }

    fn value(&mut self) -> Option<&'a str> {
        let Some(quote @ (b'"' | b'\'')) = self.peek() else {
            let start = self.position;
            self.skip(|byte| !byte.is_ascii_whitespace() && byte != b'>');
            return Some(&self.text[start..self.position]);
        };
        let start = self.position + 1;
        let length = memchr::memchr(quote, &self.text.as_bytes()[start..])?;
        self.position = start + length + 1;
        Some(&self.text[start..start + length])
    }
}

/// Attributes of one tag that are read; the rest is left out, since parsers compare each with all before it.
pub(crate) const MAX_ATTRIBUTES: usize = 64;
