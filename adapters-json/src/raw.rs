//! Where in a JSON text do values begin and end, without building any of them?

use std::borrow::Cow;

use headwater_domain::limits::MAX_JSON_DEPTH;

/// A value as it stands in the text; of a text that ends early the last one may lack its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Raw<'a>(&'a str);

/// Why a text cannot be gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It ends in the middle.
    Ended,
    /// Something stands where it may not.
    Misplaced,
    /// Values nest deeper than the limit.
    TooDeep,
}

/// Goes over the members of an object or the elements of an array, once.
#[derive(Debug, Clone)]
pub(crate) struct Parts<'a> {
    text: &'a str,
    place: usize,
    closing: u8,
}

impl<'a> Raw<'a> {
    /// The value that begins a text; it is not looked whether it is whole.
    pub(crate) fn at_start(text: &'a str) -> Self {
        Self(text)
    }

    pub(crate) fn members(self) -> Option<Parts<'a>> {
        self.parts(b'{', b'}')
    }

    pub(crate) fn elements(self) -> Option<Parts<'a>> {
        self.parts(b'[', b']')
    }

    fn parts(self, opening: u8, closing: u8) -> Option<Parts<'a>> {
        (self.0.as_bytes().first() == Some(&opening)).then_some(Parts { text: self.0, place: 1, closing })
    }

    /// The text of a string with its escapes resolved, or the digits of a number; nothing if it is blank.
    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        let text = match self.0.as_bytes().first()? {
            b'"' => unescape(self.0[1..].strip_suffix('"')?),
            b'-' | b'0'..=b'9' => Cow::Borrowed(self.0),
            _ => return None,
        };
        if text.trim().is_empty() { None } else { Some(text) }
    }

    /// A whole number that is not negative, plain or in a string.
    pub(crate) fn size(self) -> Option<u64> {
        let text = self.text()?;
        let digits = text.trim();
        let whole = digits
            .split_once('.')
            .filter(|(_, rest)| rest.bytes().all(|byte| byte == b'0'))
            .map_or(digits, |(whole, _)| whole);
        if whole.bytes().all(|byte| byte.is_ascii_digit()) { whole.parse().ok() } else { None }
    }

    pub(crate) fn is_true(self) -> bool {
        self.0 == "true" || self.0 == "\"true\""
    }
}

impl<'a> Parts<'a> {
    /// The next key and value of an object; after a fault there is none.
    pub(crate) fn next_member(&mut self) -> Result<Option<(Cow<'a, str>, Raw<'a>)>, Broken> {
        let Some(key) = self.next_key()? else { return Ok(None) };
        Ok(Some((key, self.value()?)))
    }

    /// The next key of an object, with the place at its value.
    pub(crate) fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, Broken> {
        if self.at_end()? {
            return Ok(None);
        }
        let key = self.value()?;
        let key = key.0.strip_prefix('"').and_then(|key| key.strip_suffix('"')).ok_or(Broken::Misplaced)?;
        self.skip_space();
        if self.byte()? != b':' {
            return Err(Broken::Misplaced);
        }
        self.place += 1;
        self.skip_space();
        Ok(Some(unescape(key)))
    }

    /// The next element of an array.
    pub(crate) fn next_element(&mut self) -> Result<Option<Raw<'a>>, Broken> {
        if self.at_end()? { Ok(None) } else { self.value().map(Some) }
    }

    /// The text from here on, where a value begins.
    pub(crate) fn here(&self) -> Raw<'a> {
        Raw(&self.text[self.place..])
    }

    /// The text behind the closing bracket.
    pub(crate) fn tail(&self) -> &'a str {
        self.text.get(self.place + 1..).unwrap_or("")
    }

    /// Goes over a value and gives it.
    pub(crate) fn value(&mut self) -> Result<Raw<'a>, Broken> {
        let start = self.place;
        self.place = value_end(self.text.as_bytes(), start)?;
        Ok(Raw(&self.text[start..self.place]))
    }

    /// Whether the closing bracket is next; commas before it are forgiven, and so are several between two parts.
    fn at_end(&mut self) -> Result<bool, Broken> {
        self.skip_space();
        while self.byte()? == b',' {
            self.place += 1;
            self.skip_space();
        }
        Ok(self.byte()? == self.closing)
    }

    fn byte(&self) -> Result<u8, Broken> {
        self.text.as_bytes().get(self.place).copied().ok_or(Broken::Ended)
    }

    fn skip_space(&mut self) {
        self.place += self.text.as_bytes()[self.place..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }
}

/// Where the value that begins at `start` ends. Brackets and strings are looked at, nothing else: what stands between
/// them is judged when it is read.
fn value_end(bytes: &[u8], start: usize) -> Result<usize, Broken> {
    let mut open: Vec<u8> = Vec::new();
    let mut place = start;
    loop {
        match bytes.get(place).ok_or(Broken::Ended)? {
            b'"' => place = string_end(bytes, place)?,
            bracket @ (b'{' | b'[') => {
                if open.len() == MAX_JSON_DEPTH {
                    return Err(Broken::TooDeep);
                }
                open.push(bracket + 2);
                place += 1;
            }
            bracket @ (b'}' | b']') => {
                if open.pop() != Some(*bracket) {
                    return Err(Broken::Misplaced);
                }
                place += 1;
            }
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' if !open.is_empty() => place += 1,
            byte if is_scalar(*byte) => place += bytes[place..].iter().take_while(|byte| is_scalar(**byte)).count(),
            _ => return Err(Broken::Misplaced),
        }
        if open.is_empty() {
            return Ok(place);
        }
    }
}

/// Numbers and the words `true`, `false`, `null`.
fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

fn string_end(bytes: &[u8], start: usize) -> Result<usize, Broken> {
    let mut place = start + 1;
    loop {
        place += bytes
            .get(place..)
            .and_then(|rest| rest.iter().position(|byte| matches!(byte, b'"' | b'\\')))
            .ok_or(Broken::Ended)?;
        if bytes[place] == b'"' {
            return Ok(place + 1);
        }
        place += 2;
    }
}

/// Resolves escapes; what is no escape stays, half a surrogate pair becomes U+FFFD, NUL goes.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find('\\') {
        plain.push_str(&rest[..place]);
        rest = &rest[place + 1..];
        let Some(letter) = rest.chars().next() else { break };
        rest = &rest[letter.len_utf8()..];
        match letter {
            'n' => plain.push('\n'),
            't' => plain.push('\t'),
            'r' => plain.push('\r'),
            'b' | 'f' => plain.push(' '),
            'u' => rest = push_unicode(&mut plain, rest),
            other => plain.push(other),
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Pushes the character of `XXXX`, or of `XXXX\uXXXX`, and gives what follows.
fn push_unicode<'a>(plain: &mut String, rest: &'a str) -> &'a str {
    let Some(unit) = hex(rest) else {
        plain.push_str("\\u");
        return rest;
    };
    let rest = &rest[4..];
    let low = rest.strip_prefix("\\u").and_then(hex);
    let pair = low.and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
    match (char::from_u32(u32::from(unit)), pair) {
        (Some('\0'), _) => rest,
        (Some(character), _) => {
            plain.push(character);
            rest
        }
        (None, Some(character)) => {
            plain.push(character);
            &rest[6..]
        }
        (None, None) => {
            plain.push(char::REPLACEMENT_CHARACTER);
            rest
        }
    }
}

fn hex(text: &str) -> Option<u16> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}
