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

/// Looks at every token once.
///
/// # Errors
/// A cap was passed, or the document declares entities or has an internal DTD subset.
pub(crate) fn scan(text: &str, caps: &Caps, roots: Roots) -> Result<Scan, Refused> {
    let mut tokens = Tokens::new(text);
    let outline = match prolog(&mut tokens, roots)? {
        Ok(outline) => outline,
        Err(flaw) => return Ok(Scan::Broken(flaw)),
    };
    let root = outline.root.start;
    match Walk::new(caps).run(&mut tokens, root)? {
        Some(flaw) => Ok(Scan::Broken(flaw)),
        None => epilog(text, tokens, outline),
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

/// The walk through the root element, counting.
struct Walk<'c> {
    caps: &'c Caps,
    depth: usize,
    nodes: usize,
    /// The depth of each element that declares namespaces, with how many.
    declaring: Vec<(usize, usize)>,
    namespaces: usize,
    xmlns: Finder<'static>,
    section: Finder<'static>,
}

impl<'c> Walk<'c> {
    fn new(caps: &'c Caps) -> Self {
        let (xmlns, section) = (Finder::new("xmlns"), Finder::new("<![CDATA["));
        Self { caps, depth: 0, nodes: 0, declaring: Vec::new(), namespaces: 0, xmlns, section }
    }

    fn run(mut self, tokens: &mut Tokens<'_>, root: usize) -> Result<Option<Flaw>, Refused> {
        loop {
            match tokens.next() {
                Ok(Some(Token::Text(_) | Token::Comment(_))) => self.nodes += 1,
                Ok(Some(Token::Cdata(inside))) => {
                    self.nodes += 1;
                    if self.swallows_items(inside) {
                        return Ok(Some(Flaw::StrayMarkup));
                    }
                }
                Ok(Some(Token::Open(tag))) => self.open(&tag)?,
                Ok(Some(Token::Close(_))) => self.close(),
                Ok(Some(Token::Instruction(body))) if !is_declaration(body) => self.nodes += 1,
                Ok(Some(Token::Doctype(body))) => {
                    Refused::check_doctype(body)?;
                    return Ok(Some(Flaw::StrayMarkup));
                }
                Ok(Some(Token::Instruction(_))) => return Ok(Some(Flaw::StrayMarkup)),
                Ok(None) => return Ok(Some(Flaw::EndsEarly)),
                Err(flaw) => return Ok(Some(flaw)),
            }
            if self.depth == 0 && tokens.position() > root {
                return Ok(None);
            }
        }
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
