//! What does a piece of HTML or Markdown say, as plain text, and how is that shortened?

mod excerpt;
mod markdown;
mod tags;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use excerpt::excerpt;
pub use markdown::plain_text_of_markdown;

use self::tags::{Piece, Pieces};

/// The text of an HTML fragment: tags, comments, scripts and styles removed, references decoded once, white space
/// collapsed and trimmed.
///
/// Elements that stand apart on a page (paragraphs, line breaks, table cells) separate words, the others do not. A `<`
/// that begins no tag is text. Linear in the input.
///
/// # Examples
/// ```
/// use headwater_domain::text::plain_text;
///
/// assert_eq!(plain_text("<p>Tom &amp; <b>A</b>nn</p><p>1 < 2</p>"), "Tom & Ann 1 < 2");
/// ```
pub fn plain_text(html: &str) -> String {
    let mut text = Collapsed::default();
    for piece in Pieces::of(html) {
        match piece {
            Piece::Text(raw) => text.push(&decode_references(raw)),
            Piece::Break => text.space = true,
        }
    }
    text.collapsed
}

/// Decodes the references of a text once, against the table of HTML5: `&amp;`, `&nbsp;`, `&#8220;`, `&copy`.
///
/// What is no reference stays as it is.
pub fn decode_references(text: &str) -> Cow<'_, str> {
    if text.contains('&') { htmlize::unescape(text) } else { Cow::Borrowed(text) }
}

/// Replaces each run of white space and control characters by one space, and trims.
pub fn collapse_space(text: &str) -> String {
    let mut collapsed = Collapsed::default();
    collapsed.push(text);
    collapsed.collapsed
}

/// A text under construction; `space` is owed before the next visible character.
#[derive(Default)]
struct Collapsed {
    collapsed: String,
    space: bool,
}

impl Collapsed {
    fn push(&mut self, text: &str) {
        self.collapsed.reserve(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(|c| !is_space(c)) {
            self.space |= start > 0;
            let end = rest[start..].find(is_space).map_or(rest.len(), |length| start + length);
            if self.space && !self.collapsed.is_empty() {
                self.collapsed.push(' ');
            }
            self.space = false;
            self.collapsed.push_str(&rest[start..end]);
            rest = &rest[end..];
        }
        self.space |= !rest.is_empty();
    }
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}
