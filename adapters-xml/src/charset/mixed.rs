//! Text in one encoding with runs of another in it: each part is read in its own.

use encoding_rs::{DecoderResult, Encoding, UTF_8, WINDOWS_1252};

/// How much of what is not ASCII is UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All but a few bytes.
    Most,
    /// More than chance gives.
    Some,
    /// No more than chance gives.
    None,
}

/// How much of what is not ASCII is UTF-8, by runs: a run in another encoding is seldom UTF-8 from end to end.
pub(super) fn share_of_utf8(bytes: &[u8]) -> Share {
    let mut good = 0usize;
    let mut bad = 0usize;
    for run in bytes.split(u8::is_ascii).filter(|run| !run.is_empty()) {
        if std::str::from_utf8(run).is_ok() {
            good += 1;
        } else {
            bad += 1;
        }
    }
    match good {
        0 => Share::None,
        _ if good >= bad => Share::Most,
        _ if good.saturating_mul(16) >= bad => Share::Some,
        _ => Share::None,
    }
}

/// Whether the bytes are in that multi-byte encoding but for a few.
pub(super) fn is_mostly(bytes: &[u8], encoding: &'static Encoding) -> bool {
    if encoding.is_single_byte() {
        return true;
    }
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let bad = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    let good = text.chars().filter(|c| !c.is_ascii()).count() - bad;
    good > 0 && good >= bad.saturating_mul(8)
}

/// The text; bytes that are none in the encoding are read as Windows-1252, where they are likeliest from.
pub(super) fn decode(bytes: &[u8], encoding: &'static Encoding) -> String {
    if encoding == UTF_8 {
        return decode_utf8(bytes);
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len()));
    let mut rest = bytes;
    loop {
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text, true);
        match result {
            DecoderResult::InputEmpty => return text,
            DecoderResult::OutputFull => text.reserve(rest.len().max(64)),
            DecoderResult::Malformed(_, _) => {
                text.push(char::REPLACEMENT_CHARACTER);
                if read == rest.len() {
                    return text;
                }
                decoder = encoding.new_decoder_without_bom_handling();
            }
        }
        rest = &rest[read..];
    }
}

fn decode_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let (run, _) = WINDOWS_1252.decode_without_bom_handling(chunk.invalid());
        text.push_str(&run);
    }
    text
}
