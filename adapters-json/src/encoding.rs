//! How do the bytes of a JSON document become text?

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use headwater_domain::feed::{FeedDocument, Warning, WarningCode};
use headwater_domain::net::charset_of;

/// A document's text, and how it was decoded.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    encoding: String,
    replaced: bool,
}

impl Decoded<'_> {
    /// Notes the encoding in the document.
    pub(crate) fn describe(&self, document: &mut FeedDocument) {
        document.encoding.clone_from(&self.encoding);
        if self.replaced {
            document.repaired = true;
            let detail = format!("bytes that are no {} were replaced", self.encoding);
            document.warnings.push(Warning { code: WarningCode::UndecodableBytes, detail, item: None });
        }
    }
}

/// Decodes UTF-8, UTF-16 or UTF-32, by the byte order mark or by where the zero bytes are; what is no UTF-8 then is
/// taken for the charset of the HTTP header.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    let (family, mark) = family(bytes);
    let body = &bytes[mark..];
    match family {
        Family::Utf8 if std::str::from_utf8(body).is_err() => {
            let stated = content_type.and_then(charset_of).and_then(|label| Encoding::for_label(label.as_bytes()));
            let stated = stated.filter(|stated| *stated != UTF_8);
            by(stated.unwrap_or(UTF_8), body)
        }
        Family::Utf8 => by(UTF_8, body),
        Family::Utf16(encoding) => by(encoding, body),
        Family::Utf32 { little } => utf_32(body, little),
    }
}

/// The first character that is no white space, by a glance at the beginning.
pub(crate) fn first_character(bytes: &[u8]) -> Option<char> {
    let beginning = &bytes[..bytes.len().min(GLANCE)];
    decode(beginning, None).text.trim_start().chars().next()
}

#[derive(Clone, Copy)]
enum Family {
    Utf8,
    Utf16(&'static Encoding),
    Utf32 { little: bool },
}

/// The family of encodings, and the length of the byte order mark. JSON begins with an ASCII character, so that the
/// zero bytes of the first one tell the width (RFC 4627, section 3).
fn family(bytes: &[u8]) -> (Family, usize) {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => (Family::Utf32 { little: true }, 4),
        [0, 0, 0xfe, 0xff, ..] => (Family::Utf32 { little: false }, 4),
        [0xef, 0xbb, 0xbf, ..] => (Family::Utf8, 3),
        [0xff, 0xfe, ..] => (Family::Utf16(UTF_16LE), 2),
        [0xfe, 0xff, ..] => (Family::Utf16(UTF_16BE), 2),
        [1..=0xff, 0, 0, 0, ..] => (Family::Utf32 { little: true }, 0),
        [0, 0, 0, 1..=0xff, ..] => (Family::Utf32 { little: false }, 0),
        [1..=0xff, 0, 1..=0xff, 0, ..] => (Family::Utf16(UTF_16LE), 0),
        [0, 1..=0xff, 0, 1..=0xff, ..] => (Family::Utf16(UTF_16BE), 0),
        _ => (Family::Utf8, 0),
    }
}

fn by<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Decoded<'a> {
    let (text, replaced) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, encoding: encoding.name().to_ascii_lowercase(), replaced }
}

fn utf_32(bytes: &[u8], little: bool) -> Decoded<'static> {
    let mut replaced = !bytes.len().is_multiple_of(4);
    let mut text = String::with_capacity(bytes.len() / 4);
    for unit in bytes.chunks_exact(4) {
        let unit = <[u8; 4]>::try_from(unit).expect("chunks of four");
        let value = if little { u32::from_le_bytes(unit) } else { u32::from_be_bytes(unit) };
        let character = char::from_u32(value);
        replaced |= character.is_none();
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Decoded { text: Cow::Owned(text), encoding: format!("utf-32{}", if little { "le" } else { "be" }), replaced }
}

/// Bytes that are looked at to recognise JSON.
const GLANCE: usize = 1024;
