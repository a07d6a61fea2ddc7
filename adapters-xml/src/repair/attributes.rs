//! How a start tag is read that may be broken anywhere.

use std::borrow::Cow;

use headwater_domain::feed::WarningCode;

use super::{Repair, characters};
use crate::error::Refused;
use crate::names;

/// A start tag as it could be read.
pub(super) struct LenientTag<'a> {
    /// The name as it stands there.
    pub(super) name: &'a str,
    pub(super) attributes: Vec<Attribute<'a>>,
    /// Whether it ends with `/>`.
    pub(super) empty: bool,
    /// Where the next token begins.
    pub(super) end: usize,
    /// Whether its own `>` was found.
    pub(super) whole: bool,
}

/// An attribute: its value is a slice of the text, still to be escaped.
pub(super) struct Attribute<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    /// Where the value stands.
    pub(super) at: usize,
}

impl<'a> Repair<'a> {
    /// Reads the tag at the present place; nothing is written.
    pub(super) fn read_tag(&mut self) -> Result<LenientTag<'a>, Refused> {
        let text = self.text;
        let bytes = text.as_bytes();
        let name_start = self.at + 1;
        let name_end =
            name_start + bytes[name_start..].iter().position(|b| ends_name(*b)).unwrap_or(text.len() - name_start);
        let mut tag = LenientTag {
            name: &text[name_start..name_end],
            attributes: Vec::new(),
            empty: false,
            end: name_end,
            whole: false,
        };
        loop {
            while bytes
                .get(tag.end)
                .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'='))
            {
                tag.end += 1;
            }
            match bytes.get(tag.end) {
                None | Some(b'<') => return Ok(tag),
                Some(b'>') => {
                    tag.end += 1;
                    tag.whole = true;
                    return Ok(tag);
                }
                Some(b'/') => {
                    tag.end += 1;
                    tag.empty = bytes.get(tag.end) == Some(&b'>');
                }
                Some(_) => {
                    let attribute = self.read_attribute(&mut tag.end);
                    self.keep(&mut tag.attributes, attribute)?;
                }
            }
        }
    }

    fn keep(&mut self, attributes: &mut Vec<Attribute<'a>>, attribute: Attribute<'a>) -> Result<(), Refused> {
        if attributes.len() >= self.caps.attributes {
            return Err(Refused::TooManyAttributes(self.caps.attributes));
        }
        if attributes.iter().any(|known| known.name == attribute.name) {
            self.note(WarningCode::BrokenMarkup, attribute.at, "a doubled attribute dropped");
        } else {
            attributes.push(attribute);
        }
        Ok(())
    }

    fn read_attribute(&mut self, at: &mut usize) -> Attribute<'a> {
        let text = self.text;
        let bytes = text.as_bytes();
        let start = *at;
        *at += bytes[start..].iter().position(|byte| ends_name(*byte) || *byte == b'=').unwrap_or(text.len() - start);
        let name = &text[start..*at];
        let after_blanks = *at + bytes[*at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if bytes.get(after_blanks) != Some(&b'=') {
            self.note(WarningCode::BrokenMarkup, start, "an attribute without a value");
            return Attribute { name, value: name, at: start };
        }
        *at = after_blanks + 1;
        *at += bytes[*at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match bytes.get(*at) {
            Some(&quote @ (b'"' | b'\'')) => self.quoted(name, quote, at),
            _ => self.unquoted(name, at),
        }
    }

    fn quoted(&mut self, name: &'a str, quote: u8, at: &mut usize) -> Attribute<'a> {
        let start = *at + 1;
        let found = self.ahead.quote(quote, start);
        let tag_end = self.ahead.tag_end(start);
        // A value that runs past its tag into the next one lost its closing quote.
        let lost = match (found, tag_end) {
            (Some(found), Some(tag_end)) => tag_end < found && self.text[tag_end..found].contains('<'),
            (found, _) => found.is_none(),
        };
        if let Some(found) = found.filter(|_| !lost) {
            *at = found + 1;
            return Attribute { name, value: &self.text[start..found], at: start };
        }
        self.note(WarningCode::BrokenMarkup, start, "an attribute without its closing quote");
        *at = start;
        self.unquoted(name, at)
    }

    fn unquoted(&mut self, name: &'a str, at: &mut usize) -> Attribute<'a> {
        let start = *at;
        let rest = &self.text.as_bytes()[start..];
        let mut length = rest
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<'))
            .unwrap_or(rest.len());
        if rest[..length].ends_with(b"/") && rest.get(length) == Some(&b'>') {
            length -= 1;
        }
        self.note(WarningCode::BrokenMarkup, start, "an attribute without quotes");
        *at = start + length;
        Attribute { name, value: &self.text[start..start + length], at: start }
    }

    /// Writes the attributes of a tag at `depth`, its declarations noted first.
    pub(super) fn write_attributes(&mut self, attributes: &[Attribute<'a>], depth: usize) -> Result<(), Refused> {
        // A prefix may be used before it is declared, in the same tag.
        for prefix in attributes.iter().filter_map(declared_prefix) {
            self.prefixes.declare(prefix, depth);
        }
        let mut written: Vec<Cow<'a, str>> = Vec::new();
        for attribute in attributes {
            let Some(name) = self.attribute_name(attribute) else { continue };
            if written.contains(&name) {
                continue;
            }
            self.out.push(' ');
            self.out.push_str(&name);
            self.out.push_str("=\"");
            characters::write_value(attribute.value, attribute.at, self.text, &mut self.out, &mut self.notes);
            self.out.push('"');
            written.push(name);
        }
        if self.prefixes.count() > self.caps.namespaces {
            return Err(Refused::TooManyNamespaces(self.caps.namespaces));
        }
        Ok(())
    }

    /// The name that an attribute may be written with; `None` where it makes no sense at all.
    fn attribute_name(&mut self, attribute: &Attribute<'a>) -> Option<Cow<'a, str>> {
        let name = attribute.name;
        if name == "xmlns" {
            return Some(Cow::Borrowed(name));
        }
        if name.starts_with("xmlns:") {
            return declared_prefix(attribute).map(|_| Cow::Borrowed(name));
        }
        self.sound_name(name, attribute.at)
    }

    /// A name that XML accepts, its prefix in scope.
    pub(super) fn sound_name(&mut self, name: &'a str, at: usize) -> Option<Cow<'a, str>> {
        match name.split_once(':') {
            None if is_plain(name) => Some(Cow::Borrowed(name)),
            None => mended(name).map(Cow::Owned),
            Some((prefix, short)) => self.sound_prefixed(name, prefix, short, at),
        }
    }

    fn sound_prefixed(&mut self, name: &'a str, prefix: &'a str, short: &'a str, at: usize) -> Option<Cow<'a, str>> {
        use super::prefixes::Standing;
        let sound_short = if is_plain(short) { Cow::Borrowed(short) } else { Cow::Owned(mended(short)?) };
        if !is_plain(prefix) || prefix == "xmlns" {
            return Some(sound_short);
        }
        match self.prefixes.standing(prefix) {
            Standing::Declared => {}
            Standing::Added => {
                self.note(WarningCode::UndeclaredPrefix, at, "a namespace prefix that was never declared")
            }
            Standing::Dropped => return Some(sound_short),
        }
        match sound_short {
            Cow::Borrowed(_) => Some(Cow::Borrowed(name)),
            Cow::Owned(short) => Some(Cow::Owned(format!("{prefix}:{short}"))),
        }
    }
}

/// The prefix that an attribute declares, if the declaration makes sense.
fn declared_prefix<'a>(attribute: &Attribute<'a>) -> Option<&'a str> {
    let prefix = attribute.name.strip_prefix("xmlns:")?;
    let sensible = !attribute.value.trim().is_empty() && !matches!(prefix, "xml" | "xmlns") && is_plain(prefix);
    sensible.then_some(prefix)
}

/// Whether the text is a name without a colon.
fn is_plain(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(is_start) && characters.all(is_part)
}

/// A name made of what can stand in one.
fn mended(name: &str) -> Option<String> {
    let mut mended: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
    if !mended.chars().next().is_some_and(is_start) {
        mended.insert(0, '_');
    }
    (names::local(name).chars().any(is_part) && mended.len() <= MAX_NAME).then_some(mended)
}

/// Name characters of XML 1.0 (fifth edition), without the colon.
fn is_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

fn is_part(c: char) -> bool {
    is_start(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<' | b'/' | b'"' | b'\'' | b'=')
}

/// A mended name longer than this is dropped.
const MAX_NAME: usize = 1000;
