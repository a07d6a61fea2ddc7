//! How the bytes of a document become text: which encoding they are in, whatever anybody declared.
//!
//! In order: a byte order mark; the shape of UTF-16 and UTF-32; the seven-bit encodings; strict UTF-8, which no other
//! encoding produces by chance; the HTTP charset and the XML declaration, specific labels before Latin ones; detection.

mod cyrillic;
mod declaration;
mod label;
mod mixed;
mod seven_bit;
mod wide;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use headwater_domain::feed::{Warning, WarningCode};
use headwater_domain::net::charset_of;

use self::label::Label;
use self::mixed::Share;

/// A document as text, with how that came about.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    /// The text, without a byte order mark.
    pub(crate) text: Cow<'a, str>,
    /// The name of the encoding, as the WHATWG writes it, in lower case.
    pub(crate) encoding: String,
    /// What the document declares is not what it is, or bytes had to be replaced.
    pub(crate) repaired: bool,
    /// What was noticed.
    pub(crate) warnings: Vec<Warning>,
}

/// What is known of a document's encoding from outside its text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Hints<'a> {
    /// The `Content-Type` header.
    pub(crate) content_type: Option<&'a str>,
    /// The last label of the host's name, as a hint for detection.
    pub(crate) top_level_domain: Option<&'a str>,
}

/// Turns bytes into text; every input has an answer.
pub(crate) fn decode<'a>(bytes: &'a [u8], hints: Hints<'_>) -> Decoded<'a> {
    if let Some(wide) = wide::recognise(bytes) {
        return decode_wide(bytes, wide);
    }
    let bytes = strip_marks(bytes);
    let declared = Declared {
        document: declaration::encoding(bytes).map(Label::of),
        transport: hints.content_type.and_then(charset_of).map(Label::of),
    };
    if let Some(decoded) = decode_seven_bit(bytes, &declared) {
        return decoded;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => decode_valid_utf8(text, &declared),
        Err(_) => decode_legacy(bytes, &declared, hints),
    }
}

/// The two places that name an encoding.
struct Declared {
    document: Option<Label>,
    transport: Option<Label>,
}

impl Declared {
    /// The labels to believe, in order: specific ones first, the header before the document.
    fn in_order(&self) -> impl Iterator<Item = &'static Encoding> {
        let labels = [&self.transport, &self.document];
        let specific = labels.into_iter().flatten().filter(|label| !label.is_latin());
        let latin = labels.into_iter().flatten().filter(|label| label.is_latin());
        specific.chain(latin).filter_map(Label::encoding).collect::<Vec<_>>().into_iter()
    }

    /// Whether the document's own declaration names another encoding than the one its bytes are in.
    fn contradicts(&self, used: &str) -> bool {
        self.document.as_ref().is_some_and(|label| !label.covers(used))
    }
}

fn decode_wide(bytes: &[u8], wide: wide::Wide) -> Decoded<'static> {
    let (text, lossy) = wide::decode(bytes, wide);
    let declared = Declared { document: declaration::encoding(text.as_bytes()).map(Label::of), transport: None };
    finish(Cow::Owned(text), wide.name(), &declared, lossy)
}

/// Encodings whose bytes are all ASCII: UTF-8 would take them for text.
fn decode_seven_bit<'a>(bytes: &'a [u8], declared: &Declared) -> Option<Decoded<'a>> {
    let label = [&declared.document, &declared.transport].into_iter().flatten().find_map(Label::seven_bit);
    let family = label.or_else(|| seven_bit::detect(bytes))?;
    let (text, lossy) = seven_bit::decode(bytes, family)?;
    Some(finish(Cow::Owned(text), family.name(), declared, lossy))
}

fn decode_valid_utf8<'a>(text: &'a str, declared: &Declared) -> Decoded<'a> {
    let other = declared.in_order().find(|encoding| *encoding != UTF_8);
    if let Some(encoding) = other.filter(|encoding| encoding.is_ascii_compatible()) {
        if text.is_ascii() {
            let named = encoding.name().to_ascii_lowercase();
            return finish(Cow::Borrowed(text), &named, &Declared { document: None, transport: None }, false);
        }
        if let Some(decoded) = short_double_byte(text, encoding) {
            return finish(Cow::Owned(decoded), &encoding.name().to_ascii_lowercase(), declared, false);
        }
    }
    finish(Cow::Borrowed(text), "utf-8", declared, false)
}

/// The text in a declared double-byte encoding, where so few bytes are not ASCII that they may be UTF-8 by chance.
fn short_double_byte(text: &str, encoding: &'static Encoding) -> Option<String> {
    let few = text.bytes().filter(|byte| !byte.is_ascii()).take(9).count() <= 8;
    let pairs_only = few && text.chars().all(|c| c.len_utf8() <= 2);
    if !pairs_only || encoding.is_single_byte() {
        return None;
    }
    encoding.decode_without_bom_handling_and_without_replacement(text.as_bytes()).map(Cow::into_owned)
}

fn decode_legacy<'a>(bytes: &'a [u8], declared: &Declared, hints: Hints<'_>) -> Decoded<'a> {
    let nearly_utf8 = match mixed::share_of_utf8(bytes) {
        Share::Most => true,
        Share::Some => !fits_double_bytes(bytes, detect(bytes, hints)),
        Share::None => false,
    };
    for encoding in declared.in_order().filter(|encoding| *encoding != UTF_8) {
        if nearly_utf8 && encoding.is_single_byte() {
            continue;
        }
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            return finish(text, &encoding.name().to_ascii_lowercase(), declared, false);
        }
    }
    if nearly_utf8 {
        return finish(Cow::Owned(mixed::decode(bytes, UTF_8)), "utf-8", declared, true);
    }
    if let Some(encoding) = declared.in_order().find(|encoding| mixed::is_mostly(bytes, encoding)) {
        let text = mixed::decode(bytes, encoding);
        return finish(Cow::Owned(text), &encoding.name().to_ascii_lowercase(), declared, true);
    }
    let encoding = detect(bytes, hints);
    let (text, lossy) = encoding.decode_without_bom_handling(bytes);
    finish(text, &encoding.name().to_ascii_lowercase(), declared, lossy)
}

/// Whether the bytes are in that encoding of more than one byte a character, without a fault.
fn fits_double_bytes(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    !encoding.is_single_byte() && text.is_some()
}

/// The most likely encoding of bytes that are not UTF-8 and whose declarations do not fit.
fn detect(bytes: &[u8], hints: Hints<'_>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let start = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let sample = &bytes[start..bytes.len().min(start + DETECTION_BYTES)];
    detector.feed(sample, start + sample.len() == bytes.len());
    let domain = hints.top_level_domain.filter(|domain| domain.bytes().all(|byte| byte.is_ascii_lowercase()));
    let guess = detector.guess(domain.map(str::as_bytes), Utf8Detection::Deny);
    let guess = if guess == UTF_8 { WINDOWS_1252 } else { guess };
    cyrillic::settle(sample, guess)
}

fn finish<'a>(text: Cow<'a, str>, name: &str, declared: &Declared, lossy: bool) -> Decoded<'a> {
    let mut warnings = Vec::new();
    let mismatch = declared.contradicts(name);
    if mismatch {
        let label = declared.document.as_ref().map_or("", Label::text);
        let detail = format!("declared as {label}, read as {name}");
        warnings.push(Warning { code: WarningCode::EncodingMismatch, detail, item: None });
    }
    if lossy {
        let detail = format!("bytes that are no {name} were replaced");
        warnings.push(Warning { code: WarningCode::UndecodableBytes, detail, item: None });
    }
    Decoded { text: strip_text_marks(text), encoding: name.to_owned(), repaired: mismatch || lossy, warnings }
}

/// Byte order marks, of which careless concatenation leaves several.
fn strip_marks(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        bytes = rest;
    }
    bytes
}

fn strip_text_marks(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.starts_with('\u{FEFF}') {
        return text;
    }
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_start_matches('\u{FEFF}')),
        Cow::Owned(text) => Cow::Owned(text.trim_start_matches('\u{FEFF}').to_owned()),
    }
}

/// So much is looked at, from the first byte that is not ASCII.
const DETECTION_BYTES: usize = 64 * 1024;

#[cfg(test)]
mod tests;
