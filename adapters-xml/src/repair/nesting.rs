//! Which elements a start tag or an end tag closes, where the document's own tags do not say so.

use headwater_domain::feed::WarningCode;

use super::Repair;
use super::attributes::LenientTag;
use crate::error::Refused;
use crate::names;

/// An element that is open.
pub(super) struct Open<'a> {
    /// The name as it stands in the document.
    name: &'a str,
    /// The name as it was written.
    written: String,
    /// Where its start tag was written.
    pub(super) written_at: usize,
    kind: Kind,
    /// It has a child element.
    parent: bool,
}

/// What an element is to a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Container,
    Item,
    TextField,
    BodyField,
    Other,
}

impl Open<'_> {
    /// Whether an end tag with that text behind its `</` is this element's.
    pub(super) fn is_closed_by(&self, rest: &str) -> bool {
        rest.get(..self.name.len()).is_some_and(|name| name.eq_ignore_ascii_case(self.name))
            && rest[self.name.len()..].trim_ascii_start().starts_with('>')
    }

    pub(super) fn write_end(&self, out: &mut String) {
        out.push_str("</");
        out.push_str(&self.written);
        out.push('>');
    }
}

impl<'a> Repair<'a> {
    pub(super) fn start_tag(&mut self) -> Result<(), Refused> {
        let tag = self.read_tag()?;
        if !tag.whole && !self.is_known(tag.name) {
            if tag.end >= self.text.len() {
                self.truncated |= !self.closed;
                self.at = tag.end;
            } else {
                self.literal_less_than();
            }
            return Ok(());
        }
        if !tag.whole {
            self.note(WarningCode::BrokenMarkup, self.at, "a start tag without an end");
        }
        if self.closed && !self.reopens(&tag) {
            self.note(WarningCode::Garbage, self.at, "markup after the document dropped");
            self.at = tag.end;
            return Ok(());
        }
        self.open(tag)
    }

    fn is_known(&self, name: &str) -> bool {
        names::is_container(name) || names::is_item(name) || names::is_text_field(name) || names::is_body_field(name)
    }

    /// After the root was closed an item opens it again, as if its end tags had stood too early.
    fn reopens(&mut self, tag: &LenientTag<'_>) -> bool {
        if !names::is_item(tag.name) || tag.empty {
            return false;
        }
        self.note(WarningCode::UnbalancedTags, self.at, "items after the end of the document");
        self.closed = false;
        true
    }

    fn open(&mut self, tag: LenientTag<'a>) -> Result<(), Refused> {
        let kind = self.kind(tag.name);
        self.close_before(&tag, kind);
        if self.stack.is_empty() && kind == Kind::Item {
            self.open_missing_root(tag.name);
        }
        self.count_node()?;
        let depth = self.stack.len() + 1;
        if depth > self.caps.depth {
            return self.too_deep(&tag, kind);
        }
        let written_at = self.out.len();
        let at = self.at;
        self.out.push('<');
        let name_at = self.out.len();
        // The tag may declare its own prefix, so its declarations come first.
        let mark = self.out.len();
        self.write_attributes(&tag.attributes, depth)?;
        let attributes = self.out.split_off(mark);
        let name = self.sound_name(tag.name, at).map_or_else(|| "unnamed".to_owned(), std::borrow::Cow::into_owned);
        self.out.push_str(&name);
        if self.stack.is_empty() {
            self.prefixes.insert_at(name_at + name.len());
        }
        self.out.push_str(&attributes);
        self.at = tag.end;
        if let Some(parent) = self.stack.last_mut() {
            parent.parent = true;
        }
        if tag.empty && self.stack.is_empty() {
            // An empty root stays open for the items that may follow.
            self.out.push('>');
            (self.closed, self.ended) = (true, true);
            self.stack.push(Open { name: tag.name, written: name, written_at, kind, parent: false });
            return Ok(());
        }
        let void = !tag.empty && self.is_void_here(tag.name);
        if void {
            self.note(WarningCode::UnbalancedTags, at, "an empty element of HTML closed");
        }
        if tag.empty || void {
            self.out.push_str("/>");
            self.prefixes.leave(depth);
            return Ok(());
        }
        self.out.push('>');
        if kind == Kind::Item && self.item.is_none() {
            self.item = Some(self.stack.len());
        }
        self.stack.push(Open { name: tag.name, written: name, written_at, kind, parent: false });
        Ok(())
    }

    /// A list of items without a root gets one.
    fn open_missing_root(&mut self, item: &str) {
        let name = if names::local(item).eq_ignore_ascii_case("entry") { "feed" } else { "rss" };
        self.note(WarningCode::UnbalancedTags, self.at, "items without a root");
        let written_at = self.out.len();
        self.out.push('<');
        self.out.push_str(name);
        self.prefixes.insert_at(self.out.len());
        self.out.push('>');
        self.ended = true;
        self.stack.push(Open { name, written: name.to_owned(), written_at, kind: Kind::Container, parent: true });
    }

    fn count_node(&mut self) -> Result<(), Refused> {
        self.nodes += 1;
        if self.nodes > self.caps.nodes { Err(Refused::TooManyNodes(self.caps.nodes)) } else { Ok(()) }
    }

    /// Markup within a body is dropped where it nests too deep; the document's own elements may not.
    fn too_deep(&mut self, tag: &LenientTag<'_>, kind: Kind) -> Result<(), Refused> {
        if kind != Kind::Other || !self.in_body() {
            return Err(Refused::TooDeep(self.caps.depth));
        }
        self.note(WarningCode::BrokenMarkup, self.at, "markup that nests too deep dropped");
        self.at = tag.end;
        Ok(())
    }

    fn kind(&self, name: &str) -> Kind {
        if names::is_container(name) {
            Kind::Container
        } else if names::is_item(name) {
            Kind::Item
        } else if !self.in_body() && names::is_body_field(name) {
            Kind::BodyField
        } else if !self.in_body() && names::is_text_field(name) {
            Kind::TextField
        } else {
            Kind::Other
        }
    }

    /// Whether a field that may hold markup is open.
    fn in_body(&self) -> bool {
        self.stack.iter().rev().take_while(|open| open.kind != Kind::Item).any(|open| open.kind == Kind::BodyField)
    }

    fn is_void_here(&self, name: &str) -> bool {
        names::is_void(name)
            && self.stack.iter().rev().any(|open| matches!(open.kind, Kind::BodyField | Kind::TextField))
    }

    /// Closes what a start tag shows to be over.
    fn close_before(&mut self, tag: &LenientTag<'_>, kind: Kind) {
        let over = match kind {
            Kind::Item => self.open_item(),
            Kind::TextField | Kind::BodyField => self.open_text_field(),
            Kind::Other if names::is_feed_field(tag.name) => self.open_body_field(),
            Kind::Other => self.open_paragraph(tag.name),
            Kind::Container => None,
        };
        if let Some(index) = over {
            self.note(WarningCode::UnbalancedTags, self.at, "an element without an end tag closed");
            self.close_down_to(index);
        }
    }

    /// The item within which no other feed is open.
    fn open_item(&self) -> Option<usize> {
        let index = self.stack.iter().rposition(|open| matches!(open.kind, Kind::Item | Kind::Container))?;
        (self.stack[index].kind == Kind::Item).then_some(index)
    }

    /// The text field that is open, with nothing but markup of text in it.
    fn open_text_field(&self) -> Option<usize> {
        let index = self.stack.iter().rposition(|open| open.kind != Kind::Other)?;
        let open = &self.stack[index];
        (open.kind == Kind::TextField && !(open.parent && names::local(open.name).eq_ignore_ascii_case("author")))
            .then_some(index)
    }

    fn open_body_field(&self) -> Option<usize> {
        let index = self.stack.iter().rposition(|open| open.kind != Kind::Other)?;
        // A body in XHTML or with markup of its own kind is left alone; one of loose text and HTML is over.
        (self.stack[index].kind == Kind::BodyField && index + 1 == self.stack.len()).then_some(index)
    }

    /// A paragraph or list entry that another one ends, as in HTML.
    fn open_paragraph(&self, name: &str) -> Option<usize> {
        let index = self.stack.len().checked_sub(1)?;
        let same = self.stack[index].name.eq_ignore_ascii_case(name);
        (same && ["p", "li", "dt", "dd", "tr", "td", "option"].iter().any(|known| name.eq_ignore_ascii_case(known)))
            .then_some(index)
    }

    pub(super) fn end_tag(&mut self) {
        let rest = &self.text[self.at + 2..];
        let length = rest.bytes().position(|byte| matches!(byte, b'>' | b'<')).unwrap_or(rest.len());
        let name = rest[..length].trim();
        let whole = rest.as_bytes().get(length) == Some(&b'>');
        let after = self.at + 2 + length + usize::from(whole);
        if !whole {
            self.note(WarningCode::BrokenMarkup, self.at, "an end tag without an end");
            if after >= self.text.len() {
                self.at = after;
                return;
            }
        }
        self.close_named(name);
        self.at = after;
    }

    fn close_named(&mut self, name: &str) {
        if self.closed {
            return;
        }
        match self.closed_by(name) {
            Some(index) => {
                if index + 1 != self.stack.len() {
                    self.note(WarningCode::UnbalancedTags, self.at, "an element without an end tag closed");
                } else if !self.stack[index].name.eq_ignore_ascii_case(name) {
                    self.note(WarningCode::UnbalancedTags, self.at, "a misspelt end tag");
                }
                self.close_down_to(index);
            }
            None => self.note(WarningCode::UnbalancedTags, self.at, "an end tag without a start tag dropped"),
        }
    }

    /// The open element that an end tag of that name closes.
    fn closed_by(&self, name: &str) -> Option<usize> {
        let last = self.stack.last()?;
        if last.name == name {
            return Some(self.stack.len() - 1);
        }
        let named = self.stack.iter().rposition(|open| open.name.eq_ignore_ascii_case(name));
        let Some(index) = named else {
            return self.misspelt(name);
        };
        // Within an item only the item's own end, or that of what holds it, closes the item.
        let crosses_item = self.item.is_some_and(|item| index < item);
        if crosses_item && self.stack[index].kind != Kind::Container { None } else { Some(index) }
    }

    /// An end tag that fits nothing closes a field whose name is nearly the same.
    fn misspelt(&self, name: &str) -> Option<usize> {
        let index = self.stack.iter().rposition(|open| open.kind != Kind::Other)?;
        let open = &self.stack[index];
        let field = matches!(open.kind, Kind::TextField | Kind::BodyField);
        (field && is_near(names::local(open.name), names::local(name))).then_some(index)
    }

    fn close_down_to(&mut self, index: usize) {
        if index == 0 {
            // The root stays open: items that follow belong to it.
            self.close_above(1);
            (self.closed, self.ended) = (true, true);
            return;
        }
        self.close_above(index);
    }

    fn close_above(&mut self, index: usize) {
        while self.stack.len() > index {
            let Some(open) = self.stack.pop() else { break };
            open.write_end(&mut self.out);
            self.prefixes.leave(self.stack.len() + 1);
        }
        if self.item.is_some_and(|item| item >= self.stack.len()) {
            self.item = None;
        }
    }
}

/// Whether two names differ by a slip: the same first letter, nearly the same length and letters.
fn is_near(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_ascii_lowercase(), other.to_ascii_lowercase());
    if one.len().abs_diff(other.len()) > 1 || one.bytes().next() != other.bytes().next() {
        return false;
    }
    let missing = one.bytes().filter(|byte| !other.as_bytes().contains(byte)).count();
    missing <= 1
}
