//! Which characters the bytes of a page stand for.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use headwater_domain::net::charset_of;

use crate::scan::{Scanner, Token};

/// Decodes a page: a byte order mark, else the `Content-Type`, else its own declaration, else what the bytes look like.
///
/// Labels lie: bytes that are UTF-8 and no ASCII are taken as UTF-8 whatever is declared, and a declared UTF-8 that most
/// of the non-ASCII bytes contradict is not believed.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0;
    }
    let declared = content_type.and_then(named_in).or_else(|| declared_in(bytes)).or_else(|| wide(bytes));
    match (std::str::from_utf8(bytes), declared) {
        (Ok(text), None) => Cow::Borrowed(text),
        (Ok(text), Some(encoding)) if !text.is_ascii() || encoding.is_ascii_compatible() => Cow::Borrowed(text),
        (_, Some(encoding)) if encoding != UTF_8 => encoding.decode_without_bom_handling(bytes).0,
        (_, Some(_)) if is_mostly_utf8(bytes) => String::from_utf8_lossy(bytes),
        _ => detected(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// The encoding that a `Content-Type` names.
fn named_in(content_type: &str) -> Option<&'static Encoding> {
    Encoding::for_label(charset_of(content_type)?.as_bytes())
}

/// The encoding that the beginning of the page declares in a `<meta>` element or an XML declaration.
fn declared_in(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    if head.starts_with("<?xml") {
        let declaration = &head[..head.find("?>")?];
        let at = declaration.find("encoding")?;
        let value = declaration[at + "encoding".len()..].trim_start().strip_prefix('=')?.trim_start();
        let value = value.trim_start_matches(['"', '\'']);
        return readable(Encoding::for_label(&value.as_bytes()[..value.find(['"', '\''])?])?);
    }
    Scanner::new(&head).find_map(|token| match token {
        Token::Start(tag) if tag.name == "meta" => {
            let charset = tag.attributes.value("charset").and_then(|label| Encoding::for_label(label.as_bytes()));
            let content = || tag.attributes.value("content").and_then(|content| named_in(&content));
            let equivalent = tag.attributes.value("http-equiv");
            let is_content_type = equivalent.is_some_and(|name| name.eq_ignore_ascii_case("content-type"));
            readable(charset.or_else(|| content().filter(|_| is_content_type))?)
        }
        _ => None,
    })
}

/// A declaration that could be read as ASCII is not in UTF-16, whatever it says.
fn readable(encoding: &'static Encoding) -> Option<&'static Encoding> {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return Some(UTF_8);
    }
    Some(if encoding.name() == "x-user-defined" { WINDOWS_1252 } else { encoding })
}

/// UTF-16 without a byte order mark, by the zero bytes of its first tag.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, _, 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, _, ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether few of the bytes beyond ASCII are no UTF-8: a page with a slip, not one with a wrong label.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let beyond = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let wrong: usize = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    wrong * 10 <= beyond
}

fn detected(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(DETECTED_BYTES)], bytes.len() <= DETECTED_BYTES);
    detector.guess(None, Utf8Detection::Allow)
}

const HEAD_BYTES: usize = 8 * 1024;
const DETECTED_BYTES: usize = 256 * 1024;

#[cfg(test)]
mod tests;
