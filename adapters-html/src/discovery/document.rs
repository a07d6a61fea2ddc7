//! Whether a document is a feed itself, by a glance at its beginning.

use headwater_domain::feed::discovery::FeedKind;
use headwater_domain::text::{collapse_space, plain_text};

use crate::scan::{Scanner, Token};

/// The family of the feed that a document is; `None` for anything else.
pub(super) fn kind(text: &str) -> Option<FeedKind> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}' || c == '\0');
    if text.starts_with('{') {
        let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
        return (head.contains("\"version\"") && head.contains("//jsonfeed.org/version/")).then_some(FeedKind::Json);
    }
    Scanner::new(text).take(MAX_TOKENS).find_map(|token| match token {
        Token::Start(tag) => Some(of_root(&tag.name)),
        _ => None,
    })?
}

/// What the feed calls itself.
pub(super) fn title(text: &str) -> Option<String> {
    let mut inside = false;
    for token in Scanner::new(text).take(MAX_TOKENS) {
        match token {
            Token::Start(tag) if tag.name == "title" || tag.name.ends_with(":title") => inside = true,
            Token::Start(tag) if matches!(&*tag.name, "item" | "entry") => return None,
            Token::Text(title) if inside => {
                let title = title.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
                return Some(collapse_space(&plain_text(title))).filter(|title| !title.is_empty());
            }
            Token::End(_) if inside => return None,
            _ => {}
        }
    }
    None
}

fn of_root(name: &str) -> Option<FeedKind> {
    match name.rsplit(':').next().unwrap_or(name) {
        "rss" | "rdf" => Some(FeedKind::Rss),
        "feed" => Some(FeedKind::Atom),
        _ => None,
    }
}

const HEAD_BYTES: usize = 4096;
const MAX_TOKENS: usize = 64;
