//! How blocks become lines: what stands before them, and where a blank line parts them.

use super::{List, Piece, Text};
use crate::notion::escape::line_start_escaped;

/// The Markdown of a document, as far as it is written.
#[derive(Debug, Default)]
pub(super) struct Writer {
    out: String,
}

/// One level of a document: blocks that stand in the same one.
#[derive(Debug, Clone, Default)]
pub(super) struct Level {
    /// What stands before each line.
    prefix: String,
    depth: usize,
    /// Whether a list item is what they are in.
    in_item: bool,
    /// The list of the block before.
    before: Before,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Nothing,
    List(List),
    Row,
    Other,
}

impl Level {
    /// The level of what is in a block. Below a depth that nobody reads, lines move in no further.
    pub(super) fn inside(&self, piece: &Piece) -> Self {
        if piece.is_transparent() {
            return self.clone();
        }
        let deeper = if self.depth < MAX_INDENTS { piece.indent.as_str() } else { "" };
        Self {
            prefix: format!("{}{deeper}", self.prefix),
            depth: self.depth + usize::from(!piece.indent.is_empty()),
            in_item: piece.list.is_some(),
            before: Before::Nothing,
        }
    }

    /// Goes on behind what a block without a text of its own held.
    pub(super) fn absorb(&mut self, inside: &Self) {
        self.before = inside.before;
    }
}

impl Writer {
    /// Writes the text of a block.
    pub(super) fn push(&mut self, level: &mut Level, piece: &Piece) {
        let (words, prose) = match &piece.text {
            Text::None => return,
            Text::Prose(words) => (words, true),
            Text::Exact(words) => (words, false),
        };
        self.part(level, piece.list);
        let marker = piece.marker.as_str();
        let indent = if level.depth < MAX_INDENTS { piece.indent.as_str() } else { "" };
        for (number, line) in words.split('\n').enumerate() {
            let line = if prose { line_start_escaped(line) } else { line.to_owned() };
            self.line(&format!("{}{}", level.prefix, if number == 0 { marker } else { indent }), &line);
        }
        level.before = piece.list.map_or(Before::Other, Before::List);
    }

    /// Writes lines of a table.
    pub(super) fn push_row(&mut self, level: &mut Level, lines: &str, row: usize) {
        if row == 0 || level.before != Before::Row {
            self.part(level, None);
        }
        for line in lines.split('\n') {
            self.line(&level.prefix, line);
        }
        level.before = Before::Row;
    }

    /// How much is written.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// A blank line, except between items of one list and before the first list in an item.
    fn part(&mut self, level: &Level, list: Option<List>) {
        let close = match (level.before, list) {
            (Before::Nothing, Some(_)) => level.in_item,
            (Before::List(before), Some(list)) => before == list,
            _ => false,
        };
        if !self.out.is_empty() && !close {
            self.line(&level.prefix, "");
        }
    }

    fn line(&mut self, prefix: &str, line: &str) {
        self.out.push_str(prefix);
        self.out.push_str(line);
        if line.is_empty() {
            self.out.truncate(self.out.trim_end_matches(' ').len());
        }
        self.out.push('\n');
    }
}

/// Levels that move their lines in. Deeper ones keep the place of the last, or a thousand blocks within each other would
/// cost a thousand times their text.
const MAX_INDENTS: usize = 32;
