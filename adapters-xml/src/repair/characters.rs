//! Which characters and references of a text may stay, and what becomes of the others.

use headwater_domain::feed::WarningCode;

use super::notes::Notes;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Character data.
    Text,
    /// A CDATA section.
    Section,
    /// The value of an attribute, to stand in double quotes.
    Value,
}

impl Within {
    /// Whether a byte is looked at closer, though XML allows it.
    fn is_special(self, byte: u8) -> bool {
        match self {
            Self::Text => matches!(byte, b'&' | b']' | b'<' | b'>'),
            Self::Section => byte == b'>',
            Self::Value => matches!(byte, b'&' | b'"' | b'<'),
        }
    }
}

/// Where a piece stands, and where it goes.
struct Writer<'p> {
    within: Within,
    piece: &'p str,
    /// Where the piece begins in the whole text.
    offset: usize,
    whole: &'p str,
    out: &'p mut String,
    notes: &'p mut Notes,
}

/// Writes character data: forbidden characters dropped, references mended, `]]>` taken out.
pub(super) fn write_text(piece: &str, offset: usize, whole: &str, out: &mut String, notes: &mut Notes) {
    Writer { within: Within::Text, piece, offset, whole, out, notes }.run();
}

/// Writes the inside of a CDATA section: forbidden characters dropped.
pub(super) fn write_allowed(piece: &str, offset: usize, whole: &str, out: &mut String, notes: &mut Notes) {
    Writer { within: Within::Section, piece, offset, whole, out, notes }.run();
}

/// Writes an attribute's value for double quotes.
pub(super) fn write_value(piece: &str, offset: usize, whole: &str, out: &mut String, notes: &mut Notes) {
    Writer { within: Within::Value, piece, offset, whole, out, notes }.run();
}

impl Writer<'_> {
    /// Copies runs, and stops at forbidden characters and at what is special here.
    fn run(mut self) {
        let bytes = self.piece.as_bytes();
        let mut copied = 0;
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            let forbidden = (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0xEF;
            if !forbidden && !self.within.is_special(byte) {
                at += 1;
                continue;
            }
            let length = self.special(at, byte, &mut copied);
            at += length;
        }
        self.out.push_str(&self.piece[copied..]);
    }

    /// Deals with what stands at `at`; returns its length, and moves `copied` behind it unless it is copied as it is.
    fn special(&mut self, at: usize, byte: u8, copied: &mut usize) -> usize {
        let rest = &self.piece[at..];
        let (length, instead): (usize, &str) = match byte {
            b'&' => return self.reference(at, copied),
            b']' if rest.starts_with("]]>") => {
                self.note(WarningCode::BrokenCdata, at, "a CDATA end outside of a section dropped");
                (3, "")
            }
            b'<' => {
                self.note(WarningCode::BrokenMarkup, at, "a < in an attribute escaped");
                (1, "&lt;")
            }
            b'"' => (1, "&quot;"),
            b'>' if !self.would_end_section(*copied..at) => return 1,
            b'>' if self.within == Within::Section => (1, "]]><![CDATA[>"),
            b'>' => (1, "&gt;"),
            b']' => return 1,
            0xEF if !rest.starts_with(['\u{FFFE}', '\u{FFFF}']) => return 1,
            _ => {
                self.note(WarningCode::ForbiddenCharacter, at, "characters that XML forbids dropped");
                (if byte == 0xEF { 3 } else { 1 }, "")
            }
        };
        self.out.push_str(&self.piece[*copied..at]);
        self.out.push_str(instead);
        *copied = at + length;
        length
    }

    /// Whether a `>` behind what is still to be copied would make `]]>`, now that something between was dropped.
    fn would_end_section(&self, pending: std::ops::Range<usize>) -> bool {
        match &self.piece.as_bytes()[pending] {
            [.., b']', b']'] => true,
            [b']'] => self.out.ends_with(']'),
            [] => self.out.ends_with("]]"),
            _ => false,
        }
    }

    /// Deals with an ampersand.
    fn reference(&mut self, at: usize, copied: &mut usize) -> usize {
        let rest = &self.piece[at + 1..];
        let window = floor_boundary(rest, MAX_REFERENCE);
        let name = match rest[..window].find(';') {
            Some(end) if is_reference(&rest[..end]) => &rest[..end],
            _ => {
                self.note(WarningCode::BareAmpersand, at, "a lone & kept as text");
                return self.replace(at, 1, "&amp;", copied);
            }
        };
        let length = name.len() + 2;
        if let Some(number) = name.strip_prefix('#') {
            return self.numeric(at, number, length, copied);
        }
        if matches!(name, "amp" | "lt" | "gt" | "quot" | "apos") {
            return length;
        }
        match entity(name) {
            Some(text) => {
                self.note(WarningCode::HtmlEntity, at, "an HTML entity resolved");
                let escaped = escape(&text);
                self.replace(at, length, &escaped, copied)
            }
            None => {
                self.note(WarningCode::BadReference, at, "a reference to an unknown entity kept as text");
                self.replace(at, 1, "&amp;", copied)
            }
        }
    }

    fn numeric(&mut self, at: usize, number: &str, length: usize, copied: &mut usize) -> usize {
        let value = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let character = value.ok().and_then(char::from_u32).filter(|c| is_allowed(*c));
        if character.is_none() {
            self.note(WarningCode::BadReference, at, "a reference to no character dropped");
            return self.replace(at, length, "", copied);
        }
        // XML wants a lower-case x.
        if let Some(digits) = number.strip_prefix('X') {
            let instead = format!("&#x{digits};");
            return self.replace(at, length, &instead, copied);
        }
        length
    }

    fn replace(&mut self, at: usize, length: usize, instead: &str, copied: &mut usize) -> usize {
        self.out.push_str(&self.piece[*copied..at]);
        self.out.push_str(instead);
        *copied = at + length;
        length
    }

    fn note(&mut self, code: WarningCode, at: usize, what: &'static str) {
        self.notes.add(code, self.offset + at, self.whole, what);
    }
}

/// Whether XML 1.0 allows the character.
pub(super) fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{FFFD}' | '\u{10000}'..)
}

/// What an HTML entity stands for.
fn entity(name: &str) -> Option<String> {
    let reference = format!("&{name};");
    let text = htmlize::unescape(reference.as_str());
    // What is left of a name that is only partly known ends with the semicolon.
    if text.ends_with(';') && name != "semi" { None } else { Some(text.into_owned()) }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn is_reference(name: &str) -> bool {
    match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        },
        None => !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
    }
}

fn floor_boundary(text: &str, limit: usize) -> usize {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// The longest HTML entity has 32 letters.
const MAX_REFERENCE: usize = 40;
