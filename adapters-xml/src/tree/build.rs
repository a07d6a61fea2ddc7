//! How a text becomes a tree, or why it does not: the document is not sound.

use super::attributes::place;
use super::scope::Scope;
use super::{NONE, Namespace, Node, Tree, What, attributes, name, references};
use crate::scan::{Flaw, Size, Tag, Token, Tokens};
use crate::space::Space;

/// Where the text of a document may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Behind the end tag of its root.
    Closed,
    /// Anywhere between tags: it was cut there on purpose.
    Open,
}

/// The tree of a document that is well-formed, from its root's start tag on.
///
/// # Errors
/// What is not well-formed; what was read till then is lost.
pub(crate) fn build(text: &str, size: Size, ending: Ending) -> Result<Tree<'_>, Flaw> {
    if u32::try_from(text.len()).is_err() || name::has_forbidden(text) {
        return Err(Flaw::BadCharacter);
    }
    let mut builder = Builder::new(text, size);
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next()? {
        builder.take(token)?;
    }
    builder.finish(ending)
}

struct Builder<'t> {
    tree: Tree<'t>,
    open: Vec<Open<'t>>,
    scope: Scope<'t>,
    /// The attributes of the tag at hand.
    pending: Vec<(&'t str, &'t str)>,
}

/// An element whose end tag is still to come.
struct Open<'t> {
    node: usize,
    /// Its name with the prefix.
    name: &'t str,
    /// Where its declarations begin.
    mark: usize,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, size: Size) -> Self {
        let tree = Tree {
            text,
            nodes: Vec::with_capacity(size.nodes),
            attributes: Vec::with_capacity(size.attributes),
            namespaces: vec![Namespace::xml()],
            values: String::new(),
        };
        Self { tree, open: Vec::new(), scope: Scope::default(), pending: Vec::new() }
    }

    fn take(&mut self, token: Token<'t>) -> Result<(), Flaw> {
        match token {
            Token::Open(tag) => self.open(&tag),
            Token::Close(name) => self.close(name),
            Token::Text(text) if self.open.is_empty() => {
                if text.trim_ascii().is_empty() {
                    Ok(())
                } else {
                    Err(Flaw::StrayMarkup)
                }
            }
            Token::Text(text) => {
                let form = references::check(text)?;
                self.text(text, form);
                Ok(())
            }
            Token::Cdata(_) if self.open.is_empty() => Err(Flaw::StrayMarkup),
            Token::Cdata(text) => {
                self.text(text, references::check_section(text));
                Ok(())
            }
            Token::Comment(body) if body.contains("--") || body.ends_with('-') => Err(Flaw::StrayMarkup),
            Token::Comment(_) => Ok(()),
            Token::Instruction(body) => check_instruction(body),
            Token::Doctype(_) => Err(Flaw::StrayMarkup),
        }
    }

    fn text(&mut self, text: &str, form: super::Form) {
        let start = self.tree.place_of(text);
        self.push(What::Text { form, start, end: start + place(text.len()) });
    }

    fn open(&mut self, tag: &Tag<'t>) -> Result<(), Flaw> {
        let is_root = self.open.is_empty();
        if is_root && !self.tree.nodes.is_empty() {
            return Err(Flaw::StrayMarkup);
        }
        let mark = self.scope.mark();
        let attributes = match tag.attributes {
            "" => NONE,
            some => attributes::read(some, &mut self.tree, &mut self.scope, mark, &mut self.pending)?,
        };
        let (prefix, local) = name::split(tag.name)?;
        let namespace = self.scope.of_element(prefix)?;
        if is_root {
            self.own(namespace);
        }
        let length = u16::try_from(local.len()).map_err(|_| Flaw::BadName)?;
        let node = self.push(What::Element { length, name: self.tree.place_of(local), namespace, attributes });
        if tag.empty {
            self.scope.leave(mark);
        } else {
            self.open.push(Open { node, name: tag.name, mark });
        }
        Ok(())
    }

    /// Where the root's namespace is none that is known, the feed's own elements are in it.
    fn own(&mut self, namespace: u32) {
        let Some(uri) = self.tree.namespaces.get(namespace as usize).map(|own| own.uri.clone()) else { return };
        if Space::of(&uri) == Space::Other {
            self.tree.namespaces.iter_mut().filter(|known| known.uri == uri).for_each(|own| own.elements = Space::Core);
            self.scope.set_own(uri);
        }
    }

    fn close(&mut self, name: &str) -> Result<(), Flaw> {
        match self.open.pop() {
            Some(open) if open.name == name => {
                self.tree.nodes[open.node].next = place(self.tree.nodes.len());
                self.scope.leave(open.mark);
                Ok(())
            }
            _ => Err(Flaw::BadNesting),
        }
    }

    fn push(&mut self, what: What) -> usize {
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node { next: place(node + 1), what });
        node
    }

    fn finish(mut self, ending: Ending) -> Result<Tree<'t>, Flaw> {
        if self.tree.nodes.is_empty() {
            return Err(Flaw::NoRoot);
        }
        if ending == Ending::Closed && !self.open.is_empty() {
            return Err(Flaw::EndsEarly);
        }
        let end = place(self.tree.nodes.len());
        self.open.drain(..).for_each(|open| self.tree.nodes[open.node].next = end);
        Ok(self.tree)
    }
}

fn check_instruction(body: &str) -> Result<(), Flaw> {
    let end = body.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))).unwrap_or(body.len());
    match name::split(&body[..end]) {
        Ok(_) if !crate::scan::is_declaration(body) => Ok(()),
        _ => Err(Flaw::StrayMarkup),
    }
}
