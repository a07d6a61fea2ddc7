//! How a document that is not well-formed becomes one: the same text, with as little as possible changed.
//!
//! One lenient pass over the text writes a sound document for the XML reader. It keeps every complete item, says for each
//! kind of fault what was done and where it stood first, and takes time and memory linear in the text: whatever is
//! searched for ahead is remembered (see [`ahead`]).

mod ahead;
mod attributes;
mod characters;
mod nesting;
mod notes;
mod prefixes;
mod root;

use headwater_domain::feed::{Warning, WarningCode};

use self::ahead::Ahead;
use self::nesting::Open;
use self::notes::Notes;
use self::prefixes::Prefixes;
pub(crate) use self::root::find_root;
use crate::error::Refused;
use crate::scan::{Caps, is_declaration, is_name_start};

/// A mended document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Repaired {
    /// Well-formed XML.
    pub(crate) text: String,
    /// The document ended before its root did.
    pub(crate) truncated: bool,
    /// What was done.
    pub(crate) warnings: Vec<Warning>,
}

/// Mends a document from its root on; `garbage` says whether something stood before.
///
/// # Errors
/// A cap was passed, or the document declares entities.
pub(crate) fn repair(text: &str, root: usize, caps: &Caps) -> Result<Repaired, Refused> {
    let mut repair = Repair::new(text, root, caps);
    if !text[..root].trim_ascii().is_empty() && root::is_garbage(&text[..root]) {
        repair.note(WarningCode::Garbage, 0, "text before the document dropped");
    }
    repair.run()?;
    Ok(repair.finish())
}

/// The state of a pass.
struct Repair<'a> {
    text: &'a str,
    /// Where the next token begins.
    at: usize,
    caps: &'a Caps,
    out: String,
    stack: Vec<Open<'a>>,
    /// The index in `stack` of the item that is open.
    item: Option<usize>,
    /// The end tags of the root came; more items may follow.
    closed: bool,
    /// They came once, so that the document does not end early.
    ended: bool,
    /// The document ended within something.
    truncated: bool,
    nodes: usize,
    ahead: Ahead<'a>,
    prefixes: Prefixes<'a>,
    notes: Notes,
}

impl<'a> Repair<'a> {
    fn new(text: &'a str, root: usize, caps: &'a Caps) -> Self {
        Self {
            text,
            at: root,
            caps,
            out: String::with_capacity(text.len() - root + text.len() / 64),
            stack: Vec::new(),
            item: None,
            closed: false,
            ended: false,
            truncated: false,
            nodes: 0,
            ahead: Ahead::new(text),
            prefixes: Prefixes::default(),
            notes: Notes::default(),
        }
    }

    fn run(&mut self) -> Result<(), Refused> {
        while self.at < self.text.len() {
            let before = self.at;
            self.token()?;
            debug_assert!(self.at > before, "every token moves on");
        }
        Ok(())
    }

    fn token(&mut self) -> Result<(), Refused> {
        let bytes = self.text.as_bytes();
        if bytes[self.at] != b'<' {
            let end = memchr::memchr(b'<', &bytes[self.at..]).map_or(bytes.len(), |length| self.at + length);
            self.character_data(end);
            return Ok(());
        }
        match bytes.get(self.at + 1) {
            Some(b'/') => self.end_tag(),
            Some(b'!') => return self.declaration(),
            Some(b'?') => self.instruction(),
            Some(&byte) if is_name_start(byte) => return self.start_tag(),
            _ => self.literal_less_than(),
        }
        Ok(())
    }

    /// Writes text up to `end`, if there is anywhere to write it.
    fn character_data(&mut self, end: usize) {
        let piece = &self.text[self.at..end];
        if self.closed || self.stack.is_empty() {
            if !piece.trim_ascii().is_empty() {
                self.note(WarningCode::Garbage, self.at, "text after the document dropped");
            }
        } else {
            self.nodes += 1;
            characters::write_text(piece, self.at, self.text, &mut self.out, &mut self.notes);
        }
        self.at = end;
    }

    /// A `<` that begins nothing.
    fn literal_less_than(&mut self) {
        self.note(WarningCode::BrokenMarkup, self.at, "a lone < kept as text");
        if !self.closed && !self.stack.is_empty() {
            self.out.push_str("&lt;");
        }
        self.at += 1;
    }

    fn declaration(&mut self) -> Result<(), Refused> {
        let rest = &self.text[self.at..];
        if starts_with_ignoring_case(rest, "<![CDATA[") {
            self.cdata();
            return Ok(());
        }
        if rest.starts_with("<!--") {
            let end = self.ahead.comment_end(self.at + 4);
            self.at = match end {
                Some(end) => end + 3,
                None => self.unclosed(self.at + 4),
            };
            return Ok(());
        }
        let end = rest.bytes().position(|byte| matches!(byte, b'>' | b'[')).unwrap_or(rest.len());
        let body_end = (end + usize::from(rest.as_bytes().get(end) == Some(&b'['))).max(2);
        let body = &rest[2..body_end.min(rest.len())];
        if body.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            Refused::check_doctype(body)?;
        }
        self.note(WarningCode::BrokenMarkup, self.at, "a declaration within the document dropped");
        self.at = self.unclosed(self.at + 2);
        Ok(())
    }

    fn instruction(&mut self) {
        let body = self.text[self.at + 2..].get(..4).unwrap_or("");
        if is_declaration(body) {
            self.note(WarningCode::Garbage, self.at, "an XML declaration within the document dropped");
        }
        let end = self.ahead.tag_end(self.at).unwrap_or(self.text.len());
        self.at = (end + 1).min(self.text.len());
    }

    /// Where a comment or a declaration without an end is taken to end: behind the next `>`.
    fn unclosed(&mut self, from: usize) -> usize {
        self.note(WarningCode::BrokenMarkup, self.at, "markup without an end dropped");
        self.ahead.tag_end(from.min(self.text.len())).map_or(self.text.len(), |end| end + 1)
    }

    /// A CDATA section, which may lack its end, or end too soon.
    fn cdata(&mut self) {
        let from = self.at + 9;
        let end = self.ahead.cdata_end(from);
        let (end, next) = match (self.lost_cdata_end(from, end), end) {
            (Some(end), _) => {
                self.note(WarningCode::BrokenCdata, self.at, "a CDATA section without an end closed with its element");
                (end, end)
            }
            (None, Some(end)) => (end, end + 3),
            (None, None) => {
                self.truncated = true;
                (self.text.len(), self.text.len())
            }
        };
        if !self.closed && !self.stack.is_empty() {
            self.nodes += 1;
            self.out.push_str("<![CDATA[");
            let piece = &self.text[from..end];
            characters::write_allowed(piece, from, self.text, &mut self.out, &mut self.notes);
            self.out.push_str("]]>");
        }
        self.at = next;
    }

    /// Where a section was meant to end that runs on into the next one, past the end tag of the element it stands in.
    fn lost_cdata_end(&mut self, from: usize, end: Option<usize>) -> Option<usize> {
        let next_section = self.ahead.cdata_start(from);
        let limit = match (next_section, end) {
            (Some(start), Some(end)) if start < end => start,
            (_, Some(_)) => return None,
            (Some(start), None) => start,
            (None, None) => self.text.len(),
        };
        let open = self.stack.last()?;
        memchr::memmem::find_iter(&self.text.as_bytes()[from..limit], b"</")
            .map(|length| from + length)
            .find(|at| open.is_closed_by(&self.text[at + 2..limit]))
    }

    fn note(&mut self, code: WarningCode, at: usize, what: &'static str) {
        self.notes.add(code, at, self.text, what);
    }

    fn finish(mut self) -> Repaired {
        if !self.stack.is_empty() && (!self.ended || self.item.is_some()) {
            self.truncated = true;
        }
        if self.truncated {
            self.note(WarningCode::Truncated, self.text.len(), "the document ends early");
            self.drop_unfinished_item();
        }
        while let Some(open) = self.stack.pop() {
            open.write_end(&mut self.out);
        }
        self.prefixes.declare_missing(&mut self.out);
        Repaired { text: self.out, truncated: self.truncated, warnings: self.notes.into_warnings() }
    }

    /// Takes back the item that the document ended in.
    fn drop_unfinished_item(&mut self) {
        if let Some(index) = self.item.take() {
            self.out.truncate(self.stack[index].written_at);
            self.stack.truncate(index);
        }
    }
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests;
