//! How paragraphs, items and quotations are laid out in Markdown.

use std::rc::Rc;

/// A Markdown text that grows a paragraph at a time.
#[derive(Debug, Default)]
pub(super) struct Outline {
    text: String,
    last: Option<Last>,
}

/// Where a block stands: what goes before each of its lines, and its number in a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    prefix: Rc<str>,
    number: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Last {
    is_item: bool,
    prefix: Rc<str>,
}

impl Place {
    /// The same place with a number.
    pub(super) fn numbered(&self, number: u32) -> Self {
        Self { number, ..self.clone() }
    }

    /// The number.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Inside of a quotation here.
    pub(super) fn quoted(&self) -> Self {
        self.below("> ")
    }

    /// One level further in. Levels beyond any reader's patience are drawn at the last one, so that depth costs no length.
    fn below(&self, step: &str) -> Self {
        if self.prefix.len() >= MAX_PREFIX {
            return self.clone();
        }
        Self { prefix: format!("{}{step}", self.prefix).into(), number: 0 }
    }
}

impl Outline {
    /// Adds a paragraph. One without words adds nothing.
    pub(super) fn paragraph(&mut self, place: &Place, text: &str) {
        let text = text.trim_matches('\n').trim_end();
        if text.trim().is_empty() {
            return;
        }
        self.begin(place, false);
        self.push_lines(&place.prefix, &place.prefix, text);
    }

    /// Adds an item of a list; gives the place of what stands below it.
    pub(super) fn item(&mut self, place: &Place, mark: &str, text: &str) -> Place {
        self.begin(place, true);
        let below = place.below(&" ".repeat(if mark.starts_with("- ") { 2 } else { mark.len() }));
        let first = format!("{}{mark}", place.prefix);
        self.push_lines(&first, &below.prefix, text.trim_matches('\n').trim_end());
        below
    }

    /// Adds code between fences that nothing in it closes.
    pub(super) fn code(&mut self, place: &Place, language: &str, code: &str) {
        let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        self.begin(place, false);
        self.push_lines(
            &place.prefix,
            &place.prefix,
            &format!("{fence}{language}\n{}\n{fence}", code.trim_end_matches('\n')),
        );
    }

    /// The text.
    pub(super) fn into_markdown(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }

    /// Ends what stands there. Items of a list follow each other closely.
    fn begin(&mut self, place: &Place, is_item: bool) {
        let now = Last { is_item, prefix: Rc::clone(&place.prefix) };
        if let Some(last) = self.last.replace(now) {
            self.text.push('\n');
            if !(last.is_item && is_item) {
                let shared = shared(&last.prefix, &place.prefix);
                self.text.push_str(shared.trim_end());
                self.text.push('\n');
            }
        }
    }

    fn push_lines(&mut self, first: &str, others: &str, text: &str) {
        let mut prefix = first;
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.text.push('\n');
            }
            let whole = format!("{prefix}{line}");
            self.text.push_str(if number > 0 { whole.trim_end() } else { &whole });
            prefix = others;
        }
    }
}

/// The part of two prefixes that is the same: a quotation goes on over the empty line between two of its paragraphs.
fn shared<'a>(one: &'a str, other: &str) -> &'a str {
    let length = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    &one[..length]
}

/// Characters before a line, at most, and a step.
const MAX_PREFIX: usize = 64;
