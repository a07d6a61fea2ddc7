//! Which content codings a body claims, and which it wears.

use headwater_ports::Headers;

/// A content coding that is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    /// RFC 1952, of any number of members.
    Gzip,
    /// RFC 1950, or RFC 1951 bare.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

/// What the head of a response says about its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Codings in the order in which they are to be undone; none for an uncoded body.
    Known(Vec<Coding>),
    /// A coding that nobody asked for.
    Unknown(String),
}

/// What asks for every coding that is understood.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";

/// So many bytes of a body are looked at before its coding is decided on, unless it ends before.
pub(crate) const SNIFFED: usize = 16;

impl Claim {
    /// Reads `Content-Encoding`: a list, in several headers or one, in any case.
    pub(crate) fn of(headers: &Headers) -> Self {
        let mut codings = Vec::new();
        for value in headers.all("content-encoding") {
            let Ok(value) = std::str::from_utf8(value) else { return Self::Unknown("(not a text)".to_owned()) };
            for word in value.split(',').map(str::trim) {
                match named(word) {
                    Some(coding) => codings.extend(coding),
                    None => return Self::Unknown(word.chars().take(40).collect()),
                }
            }
        }
        if codings.len() > MAX_STACKED {
            return Self::Unknown(format!("{} codings on each other", codings.len()));
        }
        codings.reverse();
        Self::Known(codings)
    }

    /// The codings that a body with this beginning is in, whatever is claimed; `None` if they cannot be told.
    ///
    /// A gzip file without a label is decoded on trial: it stays as it is if it turns out to hold something else than text.
    /// Servers label plain bodies as coded, coded ones as plain, and one coding as another; the magic numbers decide.
    pub(crate) fn settle(&self, head: &[u8]) -> Option<Vec<Coding>> {
        let is_plain = head.len() >= SNIFFED && is_text(head);
        match self {
            Self::Unknown(_) if is_plain => Some(Vec::new()),
            Self::Unknown(_) => None,
            Self::Known(codings) if codings.is_empty() => {
                let is_hidden = magic(head) == Some(Coding::Gzip);
                Some(if is_hidden { vec![Coding::Gzip] } else { Vec::new() })
            }
            Self::Known(_) if is_plain => Some(Vec::new()),
            Self::Known(codings) => {
                let mut codings = codings.clone();
                match (codings[0], magic(head)) {
                    (Coding::Brotli, _) | (_, None) => {}
                    (_, Some(worn)) => codings[0] = worn,
                }
                Some(codings)
            }
        }
    }

    /// What to say when [`settle`](Self::settle) found no answer.
    pub(crate) fn complaint(&self) -> String {
        match self {
            Self::Known(_) => "the content coding of the body cannot be told".to_owned(),
            Self::Unknown(word) => format!("the content coding {word:?} is not understood"),
        }
    }
}

/// Whether bytes read as text: UTF-8 without control characters, UTF-16 with its mark, or markup in some other charset.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    if bytes.starts_with(&[0xfe, 0xff]) || bytes.starts_with(&[0xff, 0xfe]) {
        return true;
    }
    let head = &bytes[..bytes.len().min(512)];
    let is_control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c) || *byte == 0x7f;
    if head.iter().any(is_control) {
        return false;
    }
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let markup = head.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|first| *first == b'<');
    is_utf8 || markup && head.windows(2).any(|pair| matches!(pair, [b'<', b'?' | b'!' | b'a'..=b'z' | b'A'..=b'Z']))
}

/// Whether two bytes are a zlib header (RFC 1950): deflate with a window of at most 32 KiB, and a checksum.
pub(crate) fn is_zlib(first: u8, second: u8) -> bool {
    first & 0x0f == 8 && first >> 4 <= 7 && (u16::from(first) << 8 | u16::from(second)).is_multiple_of(31)
}

/// The coding behind a word, none for words that say nothing; the outer option is whether the word is known.
#[expect(clippy::option_option, reason = "unknown, known to say nothing, and a coding are three answers")]
fn named(word: &str) -> Option<Option<Coding>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => Some(Coding::Gzip),
        "deflate" | "x-deflate" | "zlib" => Some(Coding::Deflate),
        "br" => Some(Coding::Brotli),
        "zstd" => Some(Coding::Zstd),
        "" | "identity" | "none" | "binary" | "8bit" | "7bit" => None,
        _ => return None,
    })
}

fn magic(head: &[u8]) -> Option<Coding> {
    match head {
        [0x1f, 0x8b, 8, ..] => Some(Coding::Gzip),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Coding::Zstd),
        &[first, second, ..] if is_zlib(first, second) && head.len() > 2 => Some(Coding::Deflate),
        _ => None,
    }
}

/// Nobody codes a body more often in good faith.
const MAX_STACKED: usize = 3;

#[cfg(test)]
mod tests;
