//! Whether a run of characters looks like a key.

/// What a run of letters, digits, `-` and `_` is made of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    length: usize,
    digits: usize,
    letters: usize,
    joints: usize,
    changes: usize,
    all_hex: bool,
    last: Class,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Class {
    #[default]
    None,
    Digit,
    Lower,
    Upper,
}

impl Shape {
    /// The shape of a whole run; none if another character stands in it.
    pub(super) fn of(bytes: impl IntoIterator<Item = u8>) -> Option<Self> {
        let mut shape = Self::default();
        bytes.into_iter().all(|byte| shape.push(byte)).then_some(shape)
    }

    /// Adds a character; `false` if it belongs to no such run.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        let class = match byte {
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'-' | b'_' => {
                self.joints += 1;
                return true;
            }
            _ => return false,
        };
        self.all_hex = (self.length == 0 || self.all_hex) && byte.is_ascii_hexdigit();
        self.length += 1;
        self.digits += usize::from(class == Class::Digit);
        self.letters += usize::from(class != Class::Digit);
        self.changes += usize::from(self.last != Class::None && self.last != class);
        self.last = class;
        true
    }

    /// Adds joints.
    pub(super) fn join(&mut self, joints: usize) {
        self.joints += joints;
    }

    /// Letters and digits.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Nothing but digits.
    pub(super) fn is_number(&self) -> bool {
        self.length > 0 && self.letters == 0 && self.joints == 0
    }

    /// At least `shortest` letters and digits, mixed as no word and no title is.
    ///
    /// How often letters, capitals and digits take turns tells a key from a word with a number; where joints part it,
    /// they must do so more often, or it must be a UUID: `some-title-of-2024` is none.
    pub(super) fn is_key(&self, shortest: usize) -> bool {
        if self.length < shortest {
            return false;
        }
        if self.joints == 0 {
            let mixed = self.changes * 3 >= self.length || (self.digits > 0 && self.changes * 7 >= self.length);
            return mixed || (self.digits > 0 && self.all_hex);
        }
        let uuid = self.all_hex && self.length == 32 && self.joints == 4;
        uuid || (self.digits > 0 && self.changes * 5 >= self.length * 2)
    }

    /// What may stand at a place that is known for keys: no plain word, unless it is a long one.
    pub(super) fn may_be_key(&self) -> bool {
        self.length >= 16 || (self.length >= 6 && self.digits > 0)
    }
}

/// Shorter runs are not taken for keys where nothing else speaks for it.
pub(super) const KEY_LENGTH: usize = 24;

/// Shorter values of `key` and its like are no keys.
pub(super) const KEY_VALUE_LENGTH: usize = 16;
