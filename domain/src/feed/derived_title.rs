//! What is an item called that has no title?

use super::{Content, ContentKind, FeedItem};
use crate::text::{collapse_space, excerpt, plain_text};

/// A title made of the first words of an item's body, or of its summary; `None` where there are no words.
pub fn derived_title(item: &FeedItem) -> Option<String> {
    [&item.content, &item.description].into_iter().flatten().find_map(first_words)
}

fn first_words(content: &Content) -> Option<String> {
    let beginning = &content.raw[..content.raw.floor_char_boundary(MAX_READ)];
    let text = match content.kind {
        ContentKind::Html => plain_text(beginning),
        ContentKind::Text => collapse_space(beginning),
    };
    Some(excerpt(&text, MAX_CHARS)).filter(|title| title.chars().any(char::is_alphanumeric))
}

/// Characters of a derived title.
const MAX_CHARS: usize = 80;

/// Bytes of a body that are read for its first words.
const MAX_READ: usize = 8 * 1024;

#[cfg(test)]
mod tests;
