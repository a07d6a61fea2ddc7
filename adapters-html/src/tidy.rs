//! How tag soup becomes well-formed markup of bounded depth.
//!
//! The rules are those of browsers where it matters for the text: a block ends an open paragraph, a list item ends the
//! one before it, a lost end tag is supplied. Where browsers copy unclosed formatting into later blocks, it ends here
//! with its block: the copies are how a small document makes a huge tree.

mod kind;

use std::borrow::Cow;

pub(crate) use kind::Kind;

use crate::scan::is_void;

/// Writes well-formed markup, whatever the order of the calls.
pub(crate) struct TidyWriter<'a> {
    out: String,
    open: Vec<Open<'a>>,
    max_depth: usize,
}

struct Open<'a> {
    name: Cow<'a, str>,
    kind: Kind,
}

impl<'a> TidyWriter<'a> {
    /// A writer for about `size` bytes, which nests at most `max_depth` elements.
    pub(crate) fn new(size: usize, max_depth: usize) -> Self {
        Self { out: String::with_capacity(size), open: Vec::new(), max_depth }
    }

    /// Writes the doctype of standards mode.
    pub(crate) fn doctype(&mut self) {
        self.out.push_str("<!DOCTYPE html>");
    }

    /// Opens an element, or writes a void one; `attributes` writes them, each with a space before it.
    ///
    /// At the greatest depth the element becomes the next sibling of the innermost one, or is left out in a table.
    pub(crate) fn start(&mut self, name: Cow<'a, str>, attributes: impl FnOnce(&mut String)) {
        let kind = Kind::of(&name);
        self.end_implied(kind);
        if kind.is_of_table() && kind != Kind::Table && !self.supply_table_parts(kind) {
            return;
        }
        let void = is_void(&name);
        if !void && self.open.len() >= self.max_depth {
            if kind.is_of_table() || self.open.last().is_some_and(|open| open.kind.is_of_table()) {
                return;
            }
            self.pop();
        }
        self.out.push('<');
        self.out.push_str(&name);
        attributes(&mut self.out);
        self.out.push('>');
        if !void {
            self.open.push(Open { name, kind });
        }
    }

    /// Closes an element if it is open and may be closed from here.
    pub(crate) fn end(&mut self, name: &str) {
        if let Some(at) = self.closable(name) {
            self.close_down_to(at);
        }
    }

    /// Writes text whose references are already in place; a leading `<` is escaped.
    pub(crate) fn text(&mut self, text: &str) {
        match text.strip_prefix('<') {
            Some(rest) => {
                self.out.push_str("&lt;");
                self.out.push_str(rest);
            }
            None => self.out.push_str(text),
        }
    }

    /// Keeps the texts on both sides apart, as nodes of their own, with a comment.
    pub(crate) fn divide(&mut self) {
        self.out.push_str("<!---->");
    }

    /// Writes text that is no markup at all.
    pub(crate) fn plain(&mut self, text: &str) {
        escape_into(text, &mut self.out);
    }

    /// Whether the innermost open element has that name.
    pub(crate) fn is_inside(&self, name: &str) -> bool {
        self.open.last().is_some_and(|open| open.name == name)
    }

    /// Closes what is open and gives the markup.
    pub(crate) fn finish(mut self) -> String {
        self.close_down_to(0);
        self.out
    }

    /// Closes what a start tag of that kind ends.
    fn end_implied(&mut self, kind: Kind) {
        match kind {
            Kind::Inline | Kind::Other => {}
            Kind::Anchor => self.end_nearest(|open| open == Kind::Anchor, Kind::holds_anchor),
            Kind::Item => {
                self.end_nearest(|open| open == Kind::Item, Kind::holds_item);
                self.end_paragraph();
            }
            Kind::Term => {
                self.end_nearest(|open| open == Kind::Term, Kind::holds_item);
                self.end_paragraph();
            }
            Kind::Cell => self.end_nearest(|open| open == Kind::Cell, |open| matches!(open, Kind::Table | Kind::Row)),
            Kind::Row => self.end_nearest(|open| open == Kind::Row, |open| open == Kind::Table),
            Kind::Section => self.end_nearest(|open| open == Kind::Section, |open| open == Kind::Table),
            Kind::Paragraph | Kind::List | Kind::Heading | Kind::Block | Kind::Table => self.end_paragraph(),
        }
        if kind == Kind::Heading && self.open.last().is_some_and(|open| open.kind == Kind::Heading) {
            self.pop();
        }
    }

    /// Goes back to where a part of a table belongs and opens the parts that lack between; `false` outside of tables.
    fn supply_table_parts(&mut self, kind: Kind) -> bool {
        let place = self.open.iter().rposition(|open| open.kind.is_of_table());
        let Some(place) = place.filter(|at| self.open[*at].kind != Kind::Cell) else { return false };
        self.close_down_to(place + 1);
        let missing: &[&'static str] = match (self.open[place].kind, kind) {
            (Kind::Table, Kind::Row) => &["tbody"],
            (Kind::Table, Kind::Cell) => &["tbody", "tr"],
            (Kind::Section, Kind::Cell) => &["tr"],
            (Kind::Table, Kind::Section) | (Kind::Section, Kind::Row) | (Kind::Row, Kind::Cell) => &[],
            _ => return false,
        };
        if self.open.len() + missing.len() >= self.max_depth || self.is_in_caption() {
            return false;
        }
        for part in missing {
            self.start(Cow::Borrowed(part), |_| {});
        }
        true
    }

    fn is_in_caption(&self) -> bool {
        self.open.last().is_some_and(|open| matches!(&*open.name, "caption" | "colgroup"))
    }

    fn end_paragraph(&mut self) {
        self.end_nearest(|open| open == Kind::Paragraph, |open| !matches!(open, Kind::Inline | Kind::Anchor));
    }

    /// Closes the innermost element that is `wanted`, if no `barrier` stands inside it.
    fn end_nearest(&mut self, wanted: impl Fn(Kind) -> bool, barrier: impl Fn(Kind) -> bool) {
        for (at, open) in self.open.iter().enumerate().rev() {
            if wanted(open.kind) {
                return self.close_down_to(at);
            }
            if barrier(open.kind) {
                return;
            }
        }
    }

    /// Where the element stands that an end tag of that name closes.
    fn closable(&self, name: &str) -> Option<usize> {
        let kind = Kind::of(name);
        let crosses_blocks = !matches!(kind, Kind::Inline | Kind::Anchor | Kind::Paragraph);
        for (at, open) in self.open.iter().enumerate().rev() {
            if open.name == name || (kind == Kind::Heading && open.kind == Kind::Heading) {
                return Some(at);
            }
            if open.kind.bounds(kind) || (!crosses_blocks && !matches!(open.kind, Kind::Inline | Kind::Anchor)) {
                return None;
            }
        }
        None
    }

    fn close_down_to(&mut self, at: usize) {
        while self.open.len() > at {
            self.pop();
        }
    }

    fn pop(&mut self) {
        if let Some(open) = self.open.pop() {
            self.out.push_str("</");
            self.out.push_str(&open.name);
            self.out.push('>');
        }
    }
}

/// Appends text with the characters escaped that mean something in markup.
pub(crate) fn escape_into(text: &str, out: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(reference);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

/// Appends an attribute whose value still has its references.
pub(crate) fn raw_attribute(name: &str, raw: &str, out: &mut String) {
    if raw.len() > MAX_ATTRIBUTE_BYTES {
        return;
    }
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for (number, part) in raw.split('"').enumerate() {
        if number > 0 {
            out.push_str("&quot;");
        }
        out.push_str(part);
    }
    out.push('"');
}

/// Appends an attribute with a plain value.
pub(crate) fn attribute(name: &str, value: &str, out: &mut String) {
    if value.len() > MAX_ATTRIBUTE_BYTES {
        return;
    }
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape_into(value, out);
    out.push('"');
}

/// Longer values are left out: the writer of a tree searches the rest of a value for each character that it escapes.
const MAX_ATTRIBUTE_BYTES: usize = 16 * 1024;

#[cfg(test)]
mod tests;
