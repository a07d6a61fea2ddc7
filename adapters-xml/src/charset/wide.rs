//! UTF-16 and UTF-32: known by their mark, or by where the zero bytes stand.

use encoding_rs::{UTF_16BE, UTF_16LE};

/// An encoding of more than one byte a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wide {
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

impl Wide {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Utf32Le => "utf-32le",
            Self::Utf32Be => "utf-32be",
        }
    }
}

/// The wide encoding of the bytes, if they are in one.
///
/// Markup begins with ASCII, so the zero bytes of its first characters give the width and the order away, with a mark
/// or without; a mark on text that has no zero bytes is a lie.
pub(super) fn recognise(bytes: &[u8]) -> Option<Wide> {
    match bytes {
        [0xFF, 0xFE, 0, 0, rest @ ..] => shape(rest).or(Some(Wide::Utf32Le)),
        [0, 0, 0xFE, 0xFF, rest @ ..] => shape(rest).or(Some(Wide::Utf32Be)),
        [0xFF, 0xFE, rest @ ..] => shape(rest).or((!looks_narrow(rest)).then_some(Wide::Utf16Le)),
        [0xFE, 0xFF, rest @ ..] => shape(rest).or((!looks_narrow(rest)).then_some(Wide::Utf16Be)),
        _ => shape(bytes),
    }
}

/// The text, and whether something in it could not be read.
pub(super) fn decode(bytes: &[u8], wide: Wide) -> (String, bool) {
    match wide {
        Wide::Utf16Le => {
            let (text, lossy) = UTF_16LE.decode_with_bom_removal(bytes);
            (text.into_owned(), lossy)
        }
        Wide::Utf16Be => {
            let (text, lossy) = UTF_16BE.decode_with_bom_removal(bytes);
            (text.into_owned(), lossy)
        }
        Wide::Utf32Le => decode_32(bytes, u32::from_le_bytes),
        Wide::Utf32Be => decode_32(bytes, u32::from_be_bytes),
    }
}

fn shape(bytes: &[u8]) -> Option<Wide> {
    let head: [bool; 4] = bytes.first_chunk::<4>()?.map(|byte| byte == 0);
    match head {
        [false, true, true, true] => Some(Wide::Utf32Le),
        [true, true, true, false] => Some(Wide::Utf32Be),
        [false, true, false, true] => Some(Wide::Utf16Le),
        [true, false, true, false] => Some(Wide::Utf16Be),
        _ => None,
    }
}

fn looks_narrow(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'<') && !bytes[..bytes.len().min(64)].contains(&0)
}

fn decode_32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> (String, bool) {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let mut lossy = !rest.is_empty();
    let mut text = String::with_capacity(bytes.len() / 4);
    for chunk in chunks {
        let value = unit(*chunk);
        let character = char::from_u32(value).unwrap_or_else(|| {
            lossy = true;
            char::REPLACEMENT_CHARACTER
        });
        text.push(character);
    }
    (text, lossy)
}
