//! Encodings that write everything in seven bits, with escapes: ISO-2022-JP, ISO-2022-KR and HZ.

use encoding_rs::{EUC_KR, GBK, ISO_2022_JP};
use memchr::memmem;

/// An encoding whose bytes are all ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SevenBit {
    Iso2022Jp,
    Iso2022Kr,
    Hz,
}

impl SevenBit {
    /// The encoding of that label, if it is of this family.
    pub(super) fn of(label: &str) -> Option<Self> {
        match label {
            "iso-2022-jp" | "csiso2022jp" | "iso2022jp" | "iso2022_jp" | "iso-2022-jp-1" | "iso-2022-jp-2" => {
                Some(Self::Iso2022Jp)
            }
            "iso-2022-kr" | "csiso2022kr" | "iso2022kr" | "iso2022_kr" => Some(Self::Iso2022Kr),
            "hz-gb-2312" | "hz" | "hzgb" | "hz-gb" => Some(Self::Hz),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Iso2022Jp => "iso-2022-jp",
            Self::Iso2022Kr => "iso-2022-kr",
            Self::Hz => "hz-gb-2312",
        }
    }
}

/// The family whose escapes stand in the bytes.
///
/// HZ has no control characters to be known by, so it is never detected.
pub(super) fn detect(bytes: &[u8]) -> Option<SevenBit> {
    let escape = memchr::memchr(0x1B, bytes)?;
    let tail = &bytes[escape..];
    if [&b"\x1B$B"[..], b"\x1B$@", b"\x1B(J", b"\x1B$(D"].iter().any(|mark| tail.starts_with(mark)) && bytes.is_ascii()
    {
        return Some(SevenBit::Iso2022Jp);
    }
    (tail.starts_with(KOREAN_HEADER) && bytes.is_ascii()).then_some(SevenBit::Iso2022Kr)
}

/// The text, and whether something in it could not be read; nothing if the bytes are not of this family at all.
pub(super) fn decode(bytes: &[u8], family: SevenBit) -> Option<(String, bool)> {
    if !bytes.is_ascii() {
        return None;
    }
    let (text, lossy) = match family {
        SevenBit::Iso2022Jp => ISO_2022_JP.decode_without_bom_handling(bytes),
        SevenBit::Iso2022Kr => {
            let eight = shifted_korean(bytes);
            let (text, lossy) = EUC_KR.decode_without_bom_handling(&eight);
            return Some((text.into_owned(), lossy));
        }
        SevenBit::Hz => {
            let eight = escaped_chinese(bytes);
            let (text, lossy) = GBK.decode_without_bom_handling(&eight);
            return Some((text.into_owned(), lossy));
        }
    };
    Some((text.into_owned(), lossy))
}

/// Sets the high bit between shift-out and shift-in; a line's end shifts in.
fn shifted_korean(bytes: &[u8]) -> Vec<u8> {
    let header = memmem::find(bytes, KOREAN_HEADER);
    let mut shifted = false;
    let mut out = Vec::with_capacity(bytes.len());
    for (position, &byte) in bytes.iter().enumerate() {
        if header.is_some_and(|start| (start..start + KOREAN_HEADER.len()).contains(&position)) {
            continue;
        }
        match byte {
            0x0E => shifted = true,
            0x0F => shifted = false,
            b'\n' => {
                shifted = false;
                out.push(byte);
            }
            0x21..=0x7E if shifted => out.push(byte | 0x80),
            _ => out.push(byte),
        }
    }
    out
}

/// Sets the high bit between `~{` and `~}`; `~~` is a tilde and `~` before a line's end joins lines.
fn escaped_chinese(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut chinese = false;
    let mut rest = bytes;
    while let [byte, tail @ ..] = rest {
        rest = match (byte, tail.first()) {
            (b'~', Some(b'{')) => {
                chinese = true;
                &tail[1..]
            }
            (b'~', Some(b'}')) => {
                chinese = false;
                &tail[1..]
            }
            (b'~', Some(b'~')) if !chinese => {
                out.push(b'~');
                &tail[1..]
            }
            (b'~', Some(b'\n')) => &tail[1..],
            (0x21..=0x7E, _) if chinese => {
                out.push(byte | 0x80);
                tail
            }
            _ => {
                out.push(*byte);
                tail
            }
        };
    }
    out
}

const KOREAN_HEADER: &[u8] = b"\x1B$)C";
