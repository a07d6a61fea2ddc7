//! Which runs of characters look like keys, and stand where keys stand.

use super::Scan;
use crate::secret::encoding::Unit;
use crate::secret::shape::{KEY_LENGTH, KEY_VALUE_LENGTH, Shape};

/// A run of letters, digits and joints that may turn out to be a key.
#[derive(Debug, Default)]
pub(super) struct Run {
    whole: Shape,
    start: usize,
    piece: Shape,
    piece_start: usize,
    end: usize,
    /// The run up to the last joint, and where that part ends.
    closed: Shape,
    closed_end: usize,
    /// Joints that count if the run goes on.
    pub(super) joints: usize,
    /// A slash or question mark came before, so this is part of a URL or path.
    in_url: bool,
    /// `name=` came before.
    assigned: bool,
}

impl Run {
    pub(super) fn push(&mut self, unit: Unit) {
        if self.whole.length() == 0 {
            self.start = unit.start;
        }
        if self.piece.length() == 0 {
            self.piece_start = unit.start;
        }
        if self.whole.length() > 0 {
            self.whole.join(self.joints);
        }
        self.joints = 0;
        self.whole.push(unit.byte);
        self.piece.push(unit.byte);
        self.end = unit.end;
    }

    /// Takes note of a character between two runs.
    pub(super) fn follow(&mut self, byte: u8) {
        match byte {
            b'/' | b'?' => self.in_url = true,
            b'=' => self.assigned = true,
            b'"' | b'\'' | b'<' | b'>' | 0..=b' ' => (self.in_url, self.assigned) = (false, false),
            b'&' | b';' => self.assigned = false,
            _ => {}
        }
    }
}

impl Scan<'_> {
    /// Judges the letters and digits since the last joint. A key parts what stands before it from what follows.
    pub(super) fn end_piece(&mut self) {
        let range = self.run.piece_start..self.run.end;
        let is_key = self.run.piece.is_key(self.key_length(range.start));
        if (self.run.in_url || self.run.assigned) && is_key && !self.is_known_hash(range.start) {
            self.add_keys([Some(range), None]);
            self.judge(self.run.closed, self.run.closed_end);
            (self.run.whole, self.run.closed, self.run.joints) = (Shape::default(), Shape::default(), 0);
        } else if self.run.piece.length() > 0 {
            (self.run.closed, self.run.closed_end) = (self.run.whole, self.run.end);
        }
        self.run.piece = Shape::default();
    }

    /// Judges the run from its start to `end`, of this shape.
    fn judge(&mut self, shape: Shape, end: usize) {
        let start = self.run.start;
        if self.run.in_url && shape.is_key(self.key_length(start)) && !self.is_known_hash(start) {
            self.add_keys([Some(start..end), None]);
        }
    }

    /// Judges a whole run, and begins the next one.
    pub(super) fn end_run(&mut self, next: usize) {
        self.end_piece();
        self.judge(self.run.whole, self.run.end);
        self.run = Run {
            in_url: self.run.in_url,
            assigned: self.run.assigned,
            start: next,
            piece_start: next,
            end: next,
            ..Run::default()
        };
    }

    /// Digests of public things stand after these words.
    fn is_known_hash(&self, start: usize) -> bool {
        self.follows(start, HASH_WORDS)
    }

    /// After a word that speaks of keys a shorter run is one.
    fn key_length(&self, start: usize) -> usize {
        if self.follows(start, KEY_WORDS) { KEY_VALUE_LENGTH } else { KEY_LENGTH }
    }

    /// Whether one of the words stands before, parted by one character.
    fn follows(&self, start: usize, words: &[&str]) -> bool {
        let before = &self.text[start.saturating_sub(LONGEST_WORD)..start];
        let by_escape = before.strip_suffix(b"\\/");
        let by_sign = || before.split_last().filter(|(last, _)| b"/:=-".contains(last)).map(|(_, rest)| rest);
        let Some(before) = by_escape.or_else(by_sign) else {
            return false;
        };
        words.iter().any(|word| before.ends_with(word.as_bytes()))
    }
}

/// Longer than any of the words below, with what parts it from the run.
const LONGEST_WORD: usize = 12;

const KEY_WORDS: &[&str] = &["rss", "feed", "feeds", "private", "key", "token", "auth", "secret"];

const HASH_WORDS: &[&str] = &[
    "commit", "commits", "blob", "tree", "raw", "btih", "sha1", "sha256", "revision", "compare", "digest", "hash",
    "etag",
];
