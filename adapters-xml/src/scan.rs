//! Whether a document is within the caps and sound enough for the XML reader, by one linear look at its tokens.
//!
//! The reader behind is quadratic in the attributes and namespace declarations of one element and has no limit on depth,
//! so no document reaches it that this pass has not bounded. Declarations of entities are refused here, on tokens: the
//! same text inside CDATA or a comment is harmless.

mod tokens;

use std::ops::Range;

use headwater_domain::limits;
use memchr::memmem::Finder;

pub(crate) use self::tokens::{Flaw, Tag, Token, Tokens, is_declaration, is_name_start};
use crate::error::Refused;
use crate::names;

/// How much of everything one document may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caps {
    pub(crate) depth: usize,
    pub(crate) attributes: usize,
    /// Namespace declarations in scope at one place: the reader copies them for each element that adds one.
    pub(crate) namespaces: usize,
    pub(crate) nodes: usize,
}

/// What the look found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scan {
    /// Nothing speaks against the reader.
    Sound(Outline),
    /// The document needs repair.
    Broken(Flaw),
}

/// Which elements a document may begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Roots {
    /// Those that feeds begin with.
    Known,
    /// Any: something was found within that is worth reading.
    Any,
}

/// Where the root element is, and what stood around it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Outline {
    /// From the `<` of the root's start tag to the `>` of its end tag.
    pub(crate) root: Range<usize>,
    /// Something other than what XML allows there stood before the root.
    pub(crate) garbage_before: bool,
    /// Something other than white space, comments and instructions stood after it.
    pub(crate) garbage_after: bool,
    /// A DOCTYPE without an internal subset stood before the root.
    pub(crate) doctype: bool,
    /// More items follow behind the end: nothing was looked at from the first on that is over the limit.
    pub(crate) cut: bool,
    /// How much there is of what.
    pub(crate) size: Size,
}

/// How much a tree of the document holds, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Size {
    pub(crate) nodes: usize,
    pub(crate) attributes: usize,
}

impl Size {
    /// A guess for a text that was not walked through.
    pub(crate) fn guess(text: &str) -> Self {
        Self { nodes: memchr::memchr_iter(b'<', text.as_bytes()).count(), attributes: 0 }
    }
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            depth: limits::MAX_XML_DEPTH,
            attributes: limits::MAX_ATTRIBUTES,
            namespaces: 2 * limits::MAX_ATTRIBUTES,
            nodes: limits::MAX_XML_NODES,
        }
    }
}

/// Looks at every token once, up to the first item over `max_items`.
///
/// # Errors
/// A cap was passed, or the document declares entities or has an internal DTD subset.
pub(crate) fn scan(text: &str, caps: &Caps, roots: Roots, max_items: usize) -> Result<Scan, Refused> {
    let mut tokens = Tokens::new(text);
    let mut outline = match prolog(&mut tokens, roots)? {
        Ok(outline) => outline,
        Err(flaw) => return Ok(Scan::Broken(flaw)),
    };
    let root = outline.root.start;
    let mut walk = Walk::new(caps, max_items);
    let end = walk.run(&mut tokens, root)?;
    outline.size = Size { nodes: walk.nodes, attributes: walk.attributes };
    match end {
        End::Flawed(flaw) => Ok(Scan::Broken(flaw)),
        End::Closed => epilog(text, tokens, outline),
        End::Cut(place) => Ok(Scan::Sound(Outline { root: root..place, cut: true, ..outline })),
    }
}

/// Everything before the root's start tag; the tokens then stand before that tag.
fn prolog(tokens: &mut Tokens<'_>, roots: Roots) -> Result<Result<Outline, Flaw>, Refused> {
    let mut outline = Outline::default();
    loop {
        let start = tokens.position();
        match tokens.next() {
            Ok(Some(Token::Open(tag))) => {
                if roots == Roots::Known && !names::is_root(tag.name) {
                    return Ok(Err(Flaw::StrangeRoot));
                }
                outline.root.start = start;
                tokens.seek(start);
                return Ok(Ok(outline));
            }
            Ok(Some(Token::Text(text))) => outline.garbage_before |= !is_blank(text),
            Ok(Some(Token::Instruction(body))) => outline.garbage_before |= start > 0 && is_declaration(body),
            Ok(Some(Token::Comment(_))) => {}
            Ok(Some(Token::Doctype(body))) => {
                Refused::check_doctype(body)?;
                outline.doctype = true;
            }
            Ok(Some(Token::Cdata(_) | Token::Close(_))) => return Ok(Err(Flaw::StrayMarkup)),
            Ok(None) => return Ok(Err(Flaw::NoRoot)),
            Err(flaw) => return Ok(Err(flaw)),
        }
    }
}

/// What follows the root: dropped, unless there are more items in it.
fn epilog(text: &str, tokens: Tokens<'_>, mut outline: Outline) -> Result<Scan, Refused> {
    outline.root.end = tokens.position();
    let rest = text[outline.root.end..].trim_ascii();
    outline.garbage_after = !rest.is_empty() && !only_comments(rest);
    if outline.garbage_after && names::holds_item(rest) {
        return Ok(Scan::Broken(Flaw::StrayMarkup));
    }
    Ok(Scan::Sound(outline))
}

fn only_comments(rest: &str) -> bool {
    let mut tokens = Tokens::new(rest);
    loop {
        match tokens.next() {
            Ok(Some(Token::Comment(_))) => {}
            Ok(Some(Token::Text(text))) if is_blank(text) => {}
            Ok(Some(Token::Instruction(body))) if !is_declaration(body) => {}
            Ok(None) => return true,
            _ => return false,
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.trim_ascii().is_empty()
}

/// Where a walk ended.
enum End {
    /// Behind the end tag of the root.
    Closed,
    /// Before an item that is over the limit.
    Cut(usize),
    Flawed(Flaw),
}

/// The walk through the root element, counting.
struct Walk<'c> {
    caps: &'c Caps,
    depth: usize,
    nodes: usize,
    attributes: usize,
    max_items: usize,
    items: usize,
    /// The depth of the item that is open; items within items are none.
    item_depth: Option<usize>,
    /// The depth of each element that declares namespaces, with how many.
    declaring: Vec<(usize, usize)>,
    namespaces: usize,
    xmlns: Finder<'static>,
    section: Finder<'static>,
}

impl<'c> Walk<'c> {
    fn new(caps: &'c Caps, max_items: usize) -> Self {
        Self {
            caps,
            depth: 0,
            nodes: 0,
            attributes: 0,
            max_items,
            items: 0,
            item_depth: None,
            declaring: Vec::new(),
            namespaces: 0,
            xmlns: Finder::new("xmlns"),
            section: Finder::new("<![CDATA["),
        }
    }

    fn run(&mut self, tokens: &mut Tokens<'_>, root: usize) -> Result<End, Refused> {
        loop {
            let start = tokens.position();
            match tokens.next() {
                Ok(Some(Token::Text(_) | Token::Comment(_))) => self.nodes += 1,
                Ok(Some(Token::Cdata(inside))) => {
                    self.nodes += 1;
                    if self.swallows_items(inside) {
                        return Ok(End::Flawed(Flaw::StrayMarkup));
                    }
                }
                Ok(Some(Token::Open(tag))) if self.is_over(&tag) => return Ok(End::Cut(start)),
                Ok(Some(Token::Open(tag))) => self.open(&tag)?,
                Ok(Some(Token::Close(_))) => self.close(),
                Ok(Some(Token::Instruction(body))) if !is_declaration(body) => self.nodes += 1,
                Ok(Some(Token::Doctype(body))) => {
                    Refused::check_doctype(body)?;
                    return Ok(End::Flawed(Flaw::StrayMarkup));
                }
                Ok(Some(Token::Instruction(_))) => return Ok(End::Flawed(Flaw::StrayMarkup)),
                Ok(None) => return Ok(End::Flawed(Flaw::EndsEarly)),
                Err(flaw) => return Ok(End::Flawed(flaw)),
            }
            if self.depth == 0 && tokens.position() > root {
                return Ok(End::Closed);
            }
        }
    }

    /// Counts items; whether this one is over the limit.
    fn is_over(&mut self, tag: &Tag<'_>) -> bool {
        if self.item_depth.is_some() || !names::is_item(tag.name) || self.depth == 0 {
            return false;
        }
        self.items += 1;
        if !tag.empty {
            self.item_depth = Some(self.depth + 1);
        }
        self.items > self.max_items
    }

    /// Whether a section ran on over the end of an item into the next section: its own end is missing.
    fn swallows_items(&self, inside: &str) -> bool {
        let next = self.section.find(inside.as_bytes());
        next.is_some_and(|next| inside[..next].contains("</item>") || inside[..next].contains("</entry>"))
    }

    fn open(&mut self, tag: &Tag<'_>) -> Result<(), Refused> {
        self.nodes += 1;
        if self.nodes > self.caps.nodes {
            return Err(Refused::TooManyNodes(self.caps.nodes));
        }
        if !tag.attributes.is_empty() {
            self.attributes(tag)?;
        }
        if tag.empty {
            self.leave(self.depth + 1);
            return Ok(());
        }
        self.depth += 1;
        if self.depth > self.caps.depth { Err(Refused::TooDeep(self.caps.depth)) } else { Ok(()) }
    }

    fn attributes(&mut self, tag: &Tag<'_>) -> Result<(), Refused> {
        self.attributes += tag.count;
        if tag.count > self.caps.attributes {
            return Err(Refused::TooManyAttributes(self.caps.attributes));
        }
        let added = self.xmlns.find_iter(tag.attributes.as_bytes()).count();
        if added > 0 {
            self.declaring.push((self.depth + 1, added));
            self.namespaces += added;
            if self.namespaces > self.caps.namespaces {
                return Err(Refused::TooManyNamespaces(self.caps.namespaces));
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        self.leave(self.depth);
        self.item_depth = self.item_depth.filter(|depth| *depth != self.depth);
        self.depth = self.depth.saturating_sub(1);
    }

    fn leave(&mut self, depth: usize) {
        if let Some(&(at, added)) = self.declaring.last()
            && at == depth
        {
            self.declaring.pop();
            self.namespaces -= added;
        }
    }
}

#[cfg(test)]
mod tests;
