//! Where a value ends.

use std::ops::Range;

use super::name::{LONGEST_NAME, is_name_byte};
use super::{PLACEHOLDER, Scan};
use crate::secret::encoding::{Unit, means, units};
use crate::secret::shape::{KEY_VALUE_LENGTH, Shape};

/// What may stand between a sign and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blanks {
    /// Nothing.
    None,
    /// Blanks, in running text.
    Allowed,
}

impl Scan<'_> {
    /// The value after a sign, if it looks like a key. What is none shows after a few characters.
    pub(super) fn key_value(&self, sign: Unit, before: Blanks) -> Option<Range<usize>> {
        let start = self.value_start(sign.end, before);
        let quoted = self.quoted(start);
        let known = match &quoted {
            Some(range) => self.is_placeholder(range),
            None => self.is_whole_placeholder(start, sign.level),
        };
        let head = quoted.map_or(&self.text[start..], |range| &self.text[range]);
        let mut shape = Shape::default();
        let mut joints = 0;
        for unit in units(head, 0).take_while(|_| !known) {
            if matches!(unit.byte, b'-' | b'_') {
                joints += 1;
                continue;
            }
            // Joints at the end join nothing.
            shape.join(std::mem::take(&mut joints));
            if !shape.push(unit.byte) {
                break;
            }
        }
        (known || shape.is_key(KEY_VALUE_LENGTH)).then(|| self.value(sign.end, sign.level, before))
    }

    /// The value that begins at `from` and belongs to a name of that level.
    pub(super) fn value(&self, from: usize, level: u8, before: Blanks) -> Range<usize> {
        let start = self.value_start(from, before);
        if let Some(quoted) = self.quoted(start) {
            return quoted;
        }
        // The brackets of a placeholder end nothing.
        let mut end = start + self.placeholder_at(start);
        for unit in units(self.text, end) {
            if unit.level <= level && self.ends_value(unit) {
                break;
            }
            end = unit.end;
        }
        start..self.without_punctuation(start, end)
    }

    fn value_start(&self, from: usize, before: Blanks) -> usize {
        if before == Blanks::None || !self.rules.running_text {
            return from;
        }
        let first = units(self.text, from).find(|unit| !matches!(unit.byte, b' ' | b'\t'));
        first.map_or(self.text.len(), |unit| unit.start)
    }

    /// What stands in quotation marks, if the text goes on with one.
    pub(super) fn quoted(&self, start: usize) -> Option<Range<usize>> {
        let opener = Unit::read(self.text, start).filter(|unit| matches!(unit.byte, b'"' | b'\''))?;
        if !self.rules.running_text && !self.name.quoted {
            return None;
        }
        Some(opener.end..self.closing(opener.end, opener.raw(self.text)))
    }

    /// Where the same quotation mark stands again, in the same encoding; the end of the line where it does not.
    pub(super) fn closing(&self, from: usize, opener: &[u8]) -> usize {
        let stop = units(self.text, from).find(|unit| unit.raw(self.text) == opener || unit.byte == b'\n');
        stop.map_or(self.text.len(), |unit| unit.start)
    }

    /// The whole value of a header: to the closing quotation mark, or the end of the line.
    pub(super) fn header_value(&self, from: usize) -> Range<usize> {
        let start = self.value_start(from, Blanks::Allowed);
        if let Some(quoted) = self.quoted(start) {
            return quoted;
        }
        let opener = self.name.opener.clone().filter(|_| !self.name.quoted);
        let end = self.closing(start, opener.map_or(b"\n", |opener| &self.text[opener]));
        let trailing = self.text[start..end].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        start..end - trailing
    }

    pub(super) fn ends_value(&self, unit: Unit) -> bool {
        match unit.byte {
            b'&' | b'#' => true,
            b';' => self.starts_parameter(unit.end),
            b',' | b'}' | b']' => self.name.quoted,
            _ => self.ends_text(unit),
        }
    }

    pub(super) fn ends_text(&self, unit: Unit) -> bool {
        self.rules.running_text && matches!(unit.byte, 0..=b' ' | b'"' | b'\'' | b'<' | b'>' | b'`')
    }

    /// Whether `name=` stands here: only then does a `;` part two parameters.
    pub(super) fn starts_parameter(&self, at: usize) -> bool {
        let mut units = units(self.text, at).take(LONGEST_NAME);
        units.find(|unit| !is_name_byte(unit.byte)).is_some_and(|unit| unit.byte == b'=' && unit.start > at)
    }

    /// Leaves the punctuation of the sentence around a value alone.
    pub(super) fn without_punctuation(&self, start: usize, mut end: usize) -> usize {
        while self.rules.running_text
            && end > start
            && matches!(self.text[end - 1], b'.' | b',' | b':' | b'!' | b'?' | b')' | b'}' | b';')
        {
            end -= 1;
        }
        end
    }

    pub(super) fn shape(&self, value: &Range<usize>) -> Option<Shape> {
        Shape::of(units(&self.text[..value.end], value.start).map(|unit| unit.byte))
    }

    /// The length of the placeholder that stands here, in whatever encoding; 0 if there is none.
    pub(super) fn placeholder_at(&self, start: usize) -> usize {
        let mut wanted = PLACEHOLDER.bytes();
        for unit in units(self.text, start) {
            if wanted.next() != Some(unit.byte) {
                return 0;
            }
            if wanted.len() == 0 {
                return unit.end - start;
            }
        }
        0
    }

    /// Whether the value that begins here is a placeholder and nothing else.
    fn is_whole_placeholder(&self, start: usize, level: u8) -> bool {
        let length = self.placeholder_at(start);
        let next = Unit::read(self.text, start + length);
        length > 0 && next.is_none_or(|unit| unit.level <= level && self.ends_value(unit))
    }

    pub(super) fn is_placeholder(&self, value: &Range<usize>) -> bool {
        means(self.text, value.clone(), PLACEHOLDER.as_bytes())
    }
}
