//! What one character of a text means, however it is encoded.

/// One character as its reader will see it, with the bytes of the text that stand for it.
///
/// Percent-encoding (`%26`, also repeated: `%2526`), character references (`&amp;`, `&#38;`) and JSON escapes (`\/`,
/// `\u0026`) are undone, so that rules are written once and hold for every form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// The character; bytes of other than ASCII stand as they are.
    pub(super) byte: u8,
    /// How often it was percent-encoded. A separator ends a value only if it is encoded no deeper than the value's name.
    pub(super) level: u8,
    /// Where it begins in the text.
    pub(super) start: usize,
    /// Where the next one begins.
    pub(super) end: usize,
}

impl Unit {
    /// The character at `start`, which must not lie inside another one's encoding.
    pub(super) fn read(text: &[u8], start: usize) -> Option<Self> {
        let mut unit = Self { byte: *text.get(start)?, level: 0, start, end: start + 1 };
        for _ in 0..MAX_LAYERS {
            let (decoded, deeper) = match unit.byte {
                b'%' => (percent(text, unit.end), 1),
                b'&' => (reference(text, unit.end), 0),
                b'\\' => (escape(text, unit.end), 0),
                _ => break,
            };
            let Some((byte, end)) = decoded else { break };
            unit = Self { byte, end, level: unit.level + deeper, ..unit };
        }
        Some(unit)
    }

    /// The bytes that stand for it.
    pub(super) fn raw<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start..self.end]
    }
}

/// The characters of a text from a position on.
pub(super) fn units(text: &[u8], from: usize) -> impl Iterator<Item = Unit> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        let unit = Unit::read(text, at)?;
        at = unit.end;
        Some(unit)
    })
}

/// Whether the range holds the given text, in whatever encoding.
pub(super) fn means(text: &[u8], range: std::ops::Range<usize>, wanted: &[u8]) -> bool {
    let mut wanted = wanted.iter();
    let all = units(&text[..range.end], range.start).all(|unit| wanted.next() == Some(&unit.byte));
    all && wanted.next().is_none()
}

/// Two hexadecimal digits, each plain or percent-encoded itself.
fn percent(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let (high, at) = hex_digit(text, at)?;
    let (low, at) = hex_digit(text, at)?;
    Some((high * 16 + low, at))
}

fn hex_digit(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let byte = *text.get(at)?;
    if byte != b'%' {
        return Some((hex_value(byte)?, at + 1));
    }
    let inner = hex_value(*text.get(at + 1)?)? * 16 + hex_value(*text.get(at + 2)?)?;
    Some((hex_value(inner)?, at + 3))
}

fn hex_value(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// What follows the `&` of a reference to an ASCII character.
fn reference(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let rest = &text[at..text.len().min(at + LONGEST_REFERENCE)];
    let length = rest.iter().position(|&byte| byte == b';')?;
    let name = &rest[..length];
    let byte = match name {
        b"amp" | b"AMP" => b'&',
        b"lt" => b'<',
        b"gt" => b'>',
        b"quot" => b'"',
        b"apos" => b'\'',
        b"equals" => b'=',
        b"sol" => b'/',
        b"colon" => b':',
        b"percnt" => b'%',
        [b'#', b'x' | b'X', digits @ ..] => number(digits, 16)?,
        [b'#', digits @ ..] => number(digits, 10)?,
        _ => return None,
    };
    Some((byte, at + length + 1))
}

/// What follows the `\` of a JSON escape.
fn escape(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let byte = match *text.get(at)? {
        same @ (b'/' | b'"' | b'\'' | b'\\') => same,
        b'n' | b'r' => b'\n',
        b't' => b' ',
        b'u' => return Some((number(text.get(at + 1..at + 5)?, 16)?, at + 5)),
        b'x' => return Some((number(text.get(at + 1..at + 3)?, 16)?, at + 3)),
        _ => return None,
    };
    Some((byte, at + 1))
}

/// A number below 128.
fn number(digits: &[u8], radix: u32) -> Option<u8> {
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().try_fold(0_u32, |sum, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        sum.checked_mul(radix)?.checked_add(digit)
    })?;
    u8::try_from(value).ok().filter(u8::is_ascii)
}

/// So many encodings around one character are undone.
const MAX_LAYERS: usize = 6;

/// The bytes of `#x0000026;`.
const LONGEST_REFERENCE: usize = 10;
