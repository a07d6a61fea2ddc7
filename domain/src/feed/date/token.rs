//! Which numbers, words and symbols does a folded date text consist of?

/// A piece of a date text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// White space stands before it.
    pub(super) gap: bool,
}

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// ASCII digits.
    Number,
    /// Letters; each character of Chinese, Japanese and Korean by itself.
    Word,
    /// Any other single character.
    Symbol,
}

impl Token<'_> {
    /// The value of a number of at most nine digits.
    pub(super) fn number(&self) -> Option<u32> {
        if self.kind == Kind::Number && self.digits() <= 9 { self.text.parse().ok() } else { None }
    }

    /// The value of a number with one or two digits.
    pub(super) fn small(&self) -> Option<i8> {
        self.number().filter(|_| self.digits() <= 2).and_then(|value| i8::try_from(value).ok())
    }

    /// How many digits a number has; 0 for anything else.
    pub(super) fn digits(&self) -> usize {
        if self.kind == Kind::Number { self.text.len() } else { 0 }
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Splits a folded text into tokens.
pub(super) fn split(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::with_capacity(24);
    let mut rest = text;
    let mut gap = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            gap = true;
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (kind, length) = measure(rest, first);
        tokens.push(Token { kind, text: &rest[..length], gap });
        gap = false;
        rest = &rest[length..];
    }
    tokens
}

fn measure(rest: &str, first: char) -> (Kind, usize) {
    let run = |belongs: fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        (Kind::Number, run(|c| c.is_ascii_digit()))
    } else if is_east_asian(first) {
        (Kind::Word, first.len_utf8())
    } else if first.is_alphabetic() {
        (Kind::Word, run(|c| c.is_alphabetic() && !is_east_asian(c)))
    } else {
        (Kind::Symbol, first.len_utf8())
    }
}

/// Kana, ideographs and Hangul: written without spaces between words.
fn is_east_asian(character: char) -> bool {
    matches!(character, '\u{3005}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}
