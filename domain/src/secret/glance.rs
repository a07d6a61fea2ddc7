//! Whether a text that a publisher wrote can hold a secret at all, by a look that costs next to nothing.
//!
//! Bodies are full of `=` and `/`, and hardly any holds a secret. The look errs on the side of yes, so that the careful
//! search may be left out where it says no.

use std::ops::Range;

use super::encoding::Unit;
use super::names::{Sensitivity, sensitivity};
use super::path::KEY_WORDS;

/// Whether the rules for stored texts may apply somewhere in the text.
pub(super) fn may_hold_secret(text: &[u8]) -> bool {
    next_suspicious(text, 0, Names::InUrls).is_some()
}

/// Whether the rules for stored URLs may apply: names count wherever they stand, and fields in quotation marks too.
pub(super) fn url_may_hold_secret(url: &[u8]) -> bool {
    let quoted = url.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'\\'));
    let quoted = quoted || url.windows(3).any(|three| matches!(three, b"%22" | b"%27" | b"%25" | b"%26"));
    let quoted = quoted || is_quoted_by_reference(url);
    let odd = url.contains(&b'@') && url.iter().any(|byte| is_break(*byte));
    quoted || odd || next_suspicious(url, 0, Names::Anywhere).is_some()
}

/// The next word, from a place on, that may hold a secret: what stands between blanks, quotes and angle brackets.
pub(super) fn next_suspicious_word(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let at = next_suspicious(bytes, from, Names::InUrls)?;
    let before = bytes[from..at].iter().rposition(|byte| is_break(*byte)).map_or(from, |place| from + place + 1);
    let length = bytes[at..].iter().position(|byte| is_break(*byte)).unwrap_or(bytes.len() - at);
    Some(before..at + length.max(1))
}

/// Where a name counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Behind the sign that begins a parameter of a URL.
    InUrls,
    Anywhere,
}

fn next_suspicious(text: &[u8], from: usize, names: Names) -> Option<usize> {
    let mut at = from;
    while let Some(length) = text[at..].iter().position(|byte| STOPS[usize::from(*byte)]) {
        at += length;
        if is_suspicious(text, at, names) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn is_suspicious(text: &[u8], at: usize, names: Names) -> bool {
    match text[at] {
        b'=' => is_secret_name(text, at, names),
        b'/' => is_beside_key(text, at, at + 1) || is_user_info(text, at + 1),
        b'.' => starts_with(text, at + 1, b"torrent") || ends_with(text, at, b"auto"),
        b'&' => may_be_odd_reference(text, at + 1) && is_disguised(text, at),
        _ => is_disguised(text, at),
    }
}

/// Whether a quotation mark may stand there as a reference, however often it is encoded.
fn is_quoted_by_reference(url: &[u8]) -> bool {
    let begins = |at| url[at] == b'&' && QUOTES.iter().any(|name| starts_with(url, at, name));
    (0..url.len()).any(begins)
}

/// Whether what stands before a `=` ends like the name of a secret, or cannot be read at a glance.
fn is_secret_name(text: &[u8], equals: usize, names: Names) -> bool {
    let before = &text[equals.saturating_sub(LONGEST)..equals];
    let blanks = before.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    let before = &before[..before.len() - blanks];
    let length = before.iter().rev().take_while(|byte| is_name_byte(**byte)).count();
    let (rest, name) = before.split_at(before.len() - length);
    let encoded = matches!(rest.last(), Some(b'%' | b'\\'));
    let in_url = matches!(rest.last(), Some(b'?' | b'&' | b';' | b'#'));
    let counts = in_url || names == Names::Anywhere;
    encoded || length + blanks >= LONGEST || (counts && sensitivity(name) != Sensitivity::Harmless)
}

/// Whether the slash from `start` to `end` ends or begins a segment of a path that keys stand beside.
fn is_beside_key(text: &[u8], start: usize, end: usize) -> bool {
    let after = text.get(end).map_or(0, u8::to_ascii_lowercase);
    let before = start.checked_sub(1).map_or(0, |place| text[place].to_ascii_lowercase());
    (FIRST_LETTERS[usize::from(after)] && KEY_WORDS.iter().any(|word| starts_with(text, end, word.as_bytes())))
        || (LAST_LETTERS[usize::from(before)] && KEY_WORDS.iter().any(|word| ends_with(text, start, word.as_bytes())))
}

/// Whether an `@` stands behind the second slash of `//`, where user information may be.
fn is_user_info(text: &[u8], at: usize) -> bool {
    let Some((b'/', rest)) = text.get(at..).and_then(<[u8]>::split_first) else { return false };
    let rest = &rest[..rest.len().min(LONGEST_USER_INFO)];
    let length = rest.iter().position(|byte| is_break(*byte)).unwrap_or(rest.len());
    let authority = &rest[..rest.iter().position(|byte| *byte == b'/').unwrap_or(length).min(length)];
    let odd_port =
        authority.windows(2).any(|pair| pair[0] == b':' && !pair[1].is_ascii_digit()) || authority.ends_with(b":");
    authority.contains(&b'@') || (odd_port && rest[..length].contains(&b'@'))
}

/// Whether more than the references that every HTML is full of may begin behind an `&`.
fn may_be_odd_reference(text: &[u8], at: usize) -> bool {
    // `&amp;` may be the first layer of another reference.
    let at = if starts_with(text, at, b"amp;") { at + 4 } else { at };
    matches!(text.get(at), Some(b'#' | b'a' | b'A' | b'e' | b's' | b'c' | b'p' | b'%' | b'&' | b'\\'))
}

/// Whether an escape hides a letter or a sign that matters.
fn is_disguised(text: &[u8], at: usize) -> bool {
    let Some(unit) = Unit::read(text, at).filter(|unit| unit.end > at + 1) else { return false };
    match unit.byte {
        b'/' => is_beside_key(text, at, unit.end) || is_before_at_sign(&text[unit.end..]),
        b'=' | b'@' | b'_' | b'-' | b'%' | b'.' | b'[' | b']' | b'?' | b'#' => true,
        byte => byte.is_ascii_alphanumeric(),
    }
}

fn is_before_at_sign(rest: &[u8]) -> bool {
    rest.iter().take(LONGEST_USER_INFO).take_while(|byte| !is_break(**byte)).any(|byte| *byte == b'@')
}

fn starts_with(text: &[u8], at: usize, word: &[u8]) -> bool {
    text.get(at..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word))
}

fn ends_with(text: &[u8], at: usize, word: &[u8]) -> bool {
    at.checked_sub(word.len()).is_some_and(|start| text[start..at].eq_ignore_ascii_case(word))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'[' | b']')
}

fn is_break(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'<' | b'>' | b'"' | b'\'')
}

/// Bytes that are looked at closer.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let bytes = b"=/.%\\&";
    let mut at = 0;
    while at < bytes.len() {
        stops[bytes[at] as usize] = true;
        at += 1;
    }
    stops
};

/// The first letters of the segments that keys stand beside, and the last ones: most slashes have neither.
const FIRST_LETTERS: [bool; 256] = letters(End::First);
const LAST_LETTERS: [bool; 256] = letters(End::Last);

enum End {
    First,
    Last,
}

const fn letters(end: End) -> [bool; 256] {
    let mut letters = [false; 256];
    let mut at = 0;
    while at < KEY_WORDS.len() {
        let word = KEY_WORDS[at].as_bytes();
        let place = match end {
            End::First => 0,
            End::Last => word.len() - 1,
        };
        letters[word[place] as usize] = true;
        at += 1;
    }
    letters
}

/// How references to quotation marks begin, and to the sign that begins a reference.
const QUOTES: [&[u8]; 4] = [b"&quot", b"&apos", b"&#", b"&amp;"];

/// Names are looked at so far back.
const LONGEST: usize = 80;

/// User information is looked for so far.
const LONGEST_USER_INFO: usize = 400;

#[cfg(test)]
mod tests;
