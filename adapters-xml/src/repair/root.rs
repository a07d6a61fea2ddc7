//! Where the root of a document begins that may have anything in front of it.

use crate::error::Refused;
use crate::names;
use crate::scan::{is_declaration, is_name_start};

/// Where a document's root is, and what was met on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Root<'a> {
    /// Where its `<` stands.
    pub(crate) at: usize,
    /// Its name.
    pub(crate) name: &'a str,
    /// The name of the very first element, which is the root's where nothing stands before it.
    pub(crate) first: &'a str,
    /// Whether it is known to begin a feed.
    pub(crate) known: bool,
}

impl Root<'_> {
    /// Whether the root is one that feeds have, items or not.
    pub(crate) fn is_feed(&self) -> bool {
        names::is_root(self.name)
    }
}

/// Finds the first element that begins a feed; else the first channel or item; else the first element.
///
/// # Errors
/// A DOCTYPE on the way declares entities.
pub(crate) fn find_root(text: &str) -> Result<Option<Root<'_>>, Refused> {
    let mut first: Option<(usize, &str)> = None;
    let mut part: Option<(usize, &str)> = None;
    let mut at = 0;
    let mut comment_ends = true;
    while let Some(start) = memchr::memchr(b'<', &text.as_bytes()[at..]).map(|length| at + length) {
        let rest = &text[start + 1..];
        at = start + 1;
        if let Some(skip) = skipped(rest, &mut comment_ends)? {
            at += skip;
            continue;
        }
        let Some(name) = name_of(rest) else { continue };
        let first_name = first.get_or_insert((start, name)).1;
        if names::is_root(name) {
            return Ok(Some(Root { at: start, name, first: first_name, known: true }));
        }
        if part.is_none() && (names::is_container(name) || names::is_item(name)) {
            part = Some((start, name));
        }
    }
    let Some((first_at, first)) = first else { return Ok(None) };
    Ok(Some(match part {
        // A strange root that holds items is kept whole; a list of items without a root begins with the first.
        Some((at, name)) if at == first_at => Root { at, name, first, known: true },
        Some(_) => Root { at: first_at, name: first, first, known: true },
        None => Root { at: first_at, name: first, first, known: false },
    }))
}

/// Whether what stands before the root is more than a prolog.
pub(super) fn is_garbage(before: &str) -> bool {
    let mut rest = before.trim_ascii();
    let mut first = true;
    while !rest.is_empty() {
        let end = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.find("-->").map(|length| length + 7)
        } else if let Some(body) = rest.strip_prefix("<?") {
            if is_declaration(body.get(..4).unwrap_or("")) && !(first && before.starts_with("<?")) {
                return true;
            }
            body.find("?>").map(|length| length + 4)
        } else if rest.starts_with("<!") {
            rest.find('>').map(|length| length + 1)
        } else {
            None
        };
        let Some(end) = end else { return true };
        rest = rest[end..].trim_ascii_start();
        first = false;
    }
    false
}

/// How much of what follows a `<` is no element: a comment, an instruction, a section or a declaration.
///
/// `comment_ends` remembers that no comment ends any more, lest the rest be searched again for each.
fn skipped(rest: &str, comment_ends: &mut bool) -> Result<Option<usize>, Refused> {
    if let Some(inside) = rest.strip_prefix("!--") {
        let end = if *comment_ends { inside.find("-->") } else { None };
        *comment_ends = end.is_some();
        return Ok(Some(end.map_or(3, |length| length + 6)));
    }
    if let Some(inside) = rest.strip_prefix("![CDATA[") {
        let end = if *comment_ends { inside.find("]]>") } else { None };
        *comment_ends = end.is_some();
        return Ok(Some(end.map_or(8, |length| length + 11)));
    }
    if let Some(body) = rest.strip_prefix('!') {
        let end = body.bytes().position(|byte| matches!(byte, b'>' | b'[')).unwrap_or(body.len());
        if body.starts_with(|c: char| c.is_ascii_alphabetic()) {
            Refused::check_doctype(&body[..end + usize::from(body.as_bytes().get(end) == Some(&b'['))])?;
        }
        return Ok(Some(end + 1));
    }
    Ok(rest.starts_with('?').then(|| rest.bytes().position(|byte| byte == b'>').unwrap_or(rest.len())))
}

fn name_of(rest: &str) -> Option<&str> {
    rest.bytes().next().filter(|byte| is_name_start(*byte))?;
    let end = rest.bytes().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'<'));
    Some(&rest[..end.unwrap_or(rest.len())])
}
