//! The name that stands before a `=` or `:`.

use std::ops::Range;

use crate::secret::encoding::Unit;

/// The name that was read last, for when a `=` or `:` follows.
#[derive(Debug)]
pub(super) struct Name {
    bytes: [u8; LONGEST_NAME],
    length: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The character before it.
    pub(super) lead: u8,
    /// The quotation mark before it.
    pub(super) opener: Option<Range<usize>>,
    /// Blanks or a quotation mark follow it.
    pub(super) blank: bool,
    pub(super) quoted: bool,
}

impl Default for Name {
    fn default() -> Self {
        let bytes = [0; LONGEST_NAME];
        Self { bytes, length: 0, start: 0, end: 0, lead: 0, opener: None, blank: false, quoted: false }
    }
}

impl Name {
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The name; of a long one the end, which says what it is.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Reads a character that is neither `=` nor `:`, or one that ended nothing.
    pub(super) fn push(&mut self, unit: Unit) {
        match unit.byte {
            byte if is_name_byte(byte) => {
                if self.blank || self.quoted {
                    self.begin(b' ', None);
                }
                if self.is_empty() {
                    self.start = unit.start;
                }
                if self.length == LONGEST_NAME {
                    self.bytes.copy_within(LONGEST_NAME / 2.., 0);
                    self.length = LONGEST_NAME / 2;
                }
                self.bytes[self.length] = byte;
                self.length += 1;
                self.end = unit.end;
            }
            b' ' | b'\t' if !self.is_empty() => self.blank = true,
            b'"' | b'\'' if !self.is_empty() && self.opener.is_some() && !self.blank => self.quoted = true,
            b'"' | b'\'' => self.begin(unit.byte, Some(unit.start..unit.end)),
            byte => self.begin(byte, None),
        }
    }

    pub(super) fn begin(&mut self, lead: u8, opener: Option<Range<usize>>) {
        self.length = 0;
        (self.lead, self.opener, self.blank, self.quoted) = (lead, opener, false, false);
    }
}

/// Whether a name goes on with this character.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'[' | b']')
}

/// Of longer names the end is looked at.
pub(super) const LONGEST_NAME: usize = 64;
