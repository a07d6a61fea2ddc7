//! What references stand for, and what text is once they are resolved.

use memchr::{memchr, memchr2, memchr3_iter};

use super::Form;
use crate::scan::Flaw;

/// What has to be done to a piece of character data, once it is known to be sound.
pub(super) fn check(raw: &str) -> Result<Form, Flaw> {
    let bytes = raw.as_bytes();
    let mut form = Form::Plain;
    for at in memchr3_iter(b'&', b'\r', b']', bytes) {
        match bytes[at] {
            b'&' if read(&bytes[at + 1..]).is_none() => return Err(Flaw::BadReference),
            b']' if bytes[at..].starts_with(b"]]>") => return Err(Flaw::StrayMarkup),
            b']' => {}
            _ => form = Form::Escaped,
        }
    }
    Ok(form)
}

/// What has to be done to the inside of a CDATA section.
pub(super) fn check_section(raw: &str) -> Form {
    if memchr(b'\r', raw.as_bytes()).is_some() { Form::Lines } else { Form::Plain }
}

/// The text that a checked piece of character data stands for.
pub(super) fn resolve(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr2(b'&', b'\r', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if raw.as_bytes()[raw.len() - rest.len() - 1] == b'\r' {
            out.push('\n');
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        } else if let Some((character, length)) = read(rest.as_bytes()) {
            out.push(character);
            rest = &rest[length..];
        }
    }
    out.push_str(rest);
    out
}

/// A text with `\n` for every end of a line.
pub(super) fn normalise_lines(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.push_str(rest);
    out
}

/// Adds what the value of an attribute stands for: white space of every kind is a blank.
pub(super) fn push_value(raw: &str, out: &mut String) -> Result<(), Flaw> {
    let mut rest = raw;
    while let Some(at) = rest.bytes().position(is_special) {
        out.push_str(&rest[..at]);
        let sign = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        if sign == b'&' {
            let (character, length) = read(rest.as_bytes()).ok_or(Flaw::BadReference)?;
            out.push(character);
            rest = &rest[length..];
        } else {
            out.push(' ');
            rest = rest.strip_prefix('\n').filter(|_| sign == b'\r').unwrap_or(rest);
        }
    }
    out.push_str(rest);
    Ok(())
}

/// Whether a byte in the value of an attribute stands for something else.
pub(super) fn is_special(byte: u8) -> bool {
    matches!(byte, b'&' | b'\t' | b'\n' | b'\r')
}

/// The character that a reference stands for, with the length of the reference; the text begins behind its `&`.
fn read(rest: &[u8]) -> Option<(char, usize)> {
    match rest {
        [b'l', b't', b';', ..] => Some(('<', 3)),
        [b'g', b't', b';', ..] => Some(('>', 3)),
        [b'a', b'm', b'p', b';', ..] => Some(('&', 4)),
        [b'q', b'u', b'o', b't', b';', ..] => Some(('"', 5)),
        [b'a', b'p', b'o', b's', b';', ..] => Some(('\'', 5)),
        [b'#', b'x', digits @ ..] => number(digits, 16).map(|(character, length)| (character, length + 2)),
        [b'#', digits @ ..] => number(digits, 10).map(|(character, length)| (character, length + 1)),
        _ => None,
    }
}

/// The character of a number, with the length of the number and its semicolon.
fn number(digits: &[u8], radix: u32) -> Option<(char, usize)> {
    let mut number = 0_u32;
    for (at, &byte) in digits.iter().enumerate() {
        if byte == b';' {
            let character = char::from_u32(number).filter(|character| is_allowed(*character));
            return character.filter(|_| at > 0).map(|character| (character, at + 1));
        }
        number = number.checked_mul(radix)?.checked_add(char::from(byte).to_digit(radix)?)?;
    }
    None
}

fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}
