//! Which names and characters a sound document may hold.

use memchr::memmem;

use crate::scan::Flaw;

/// A name as prefix and local name, the prefix empty where there is none.
pub(super) fn split(name: &str) -> Result<(&str, &str), Flaw> {
    let mut colon = None;
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => {}
            b':' if colon.is_none() => colon = Some(at),
            0x80.. => return split_beyond_ascii(name),
            _ => return Err(Flaw::BadName),
        }
    }
    let (prefix, local) = colon.map_or(("", name), |at| (&name[..at], &name[at + 1..]));
    let begins = |part: &str| part.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let sound = begins(local) && (colon.is_none() || begins(prefix));
    if sound { Ok((prefix, local)) } else { Err(Flaw::BadName) }
}

/// Whether a text holds a character that XML forbids everywhere.
pub(super) fn has_forbidden(text: &str) -> bool {
    // Without a branch for each byte, so that many are looked at in one instruction.
    let control = |chunk: &[u8]| {
        chunk.iter().fold(false, |found, &byte| found | ((byte < 0x20) & (byte != 9) & (byte != 10) & (byte != 13)))
    };
    let bytes = text.as_bytes();
    bytes.chunks(4096).any(control)
        || ["\u{FFFE}", "\u{FFFF}"].iter().any(|forbidden| memmem::find(bytes, forbidden.as_bytes()).is_some())
}

#[cold]
fn split_beyond_ascii(name: &str) -> Result<(&str, &str), Flaw> {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) => (prefix, local),
        None => ("", name),
    };
    let sound = |part: &str| part.chars().next().is_some_and(begins_name) && part.chars().all(is_in_name);
    let prefix_sound = sound(prefix) || prefix.len() + local.len() == name.len();
    if sound(local) && prefix_sound { Ok((prefix, local)) } else { Err(Flaw::BadName) }
}

fn is_in_name(character: char) -> bool {
    let mark = matches!(character, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}');
    mark || begins_name(character)
}

/// Source: the production `NameStartChar` of XML 1.0, without the colon.
fn begins_name(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}
