//! How an element of the tree shows itself.

use std::borrow::Cow;

use super::{Attribute, Child, Element, Form, NONE, Tree, What, references};
use crate::space::Space;

/// An element of a [`Tree`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeElement<'a> {
    tree: &'a Tree<'a>,
    /// Always that of an element.
    node: u32,
}

impl<'a> TreeElement<'a> {
    /// The root element.
    pub(crate) fn root(tree: &'a Tree<'a>) -> Self {
        Self { tree, node: 0 }
    }

    /// The URI of the namespace, as declared.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(crate) fn namespace(self) -> Option<&'a str> {
        match self.what() {
            What::Element { namespace: NONE, .. } | What::Text { .. } => None,
            What::Element { namespace, .. } => Some(&self.tree.namespaces[namespace as usize].uri),
        }
    }

    fn what(self) -> What {
        self.tree.nodes[self.node as usize].what
    }

    /// The nodes directly within.
    fn within(self) -> impl Iterator<Item = (u32, What)> {
        let nodes = &self.tree.nodes;
        let (mut at, end) = (self.node + 1, nodes[self.node as usize].next);
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let (index, node) = (at, nodes[at as usize]);
            at = node.next;
            Some((index, node.what))
        })
    }

    fn all_attributes(self) -> &'a [Attribute] {
        let What::Element { attributes, .. } = self.what() else { return &[] };
        if attributes == NONE {
            return &[];
        }
        let rest = &self.tree.attributes[attributes as usize..];
        let length = rest.iter().position(|attribute| attribute.last).map_or(rest.len(), |last| last + 1);
        &rest[..length]
    }
}

impl<'a> Element<'a> for TreeElement<'a> {
    fn name(self) -> &'a str {
        let What::Element { length, name, .. } = self.what() else { return "" };
        &self.tree.text[name as usize..][..usize::from(length)]
    }

    fn space(self) -> Space {
        match self.what() {
            What::Element { namespace: NONE, .. } | What::Text { .. } => Space::Core,
            What::Element { namespace, .. } => self.tree.namespaces[namespace as usize].elements,
        }
    }

    fn attribute(self, name: &str) -> Option<&'a str> {
        let mut plain = self.all_attributes().iter().filter(|attribute| attribute.namespace == NONE);
        plain
            .find(|attribute| attribute.name(self.tree).eq_ignore_ascii_case(name))
            .map(|attribute| attribute.value(self.tree))
    }

    fn attribute_of(self, space: Space, name: &str) -> Option<&'a str> {
        let spaces = &self.tree.namespaces;
        let mut of_space = self.all_attributes().iter().filter(|attribute| {
            spaces.get(attribute.namespace as usize).is_some_and(|namespace| namespace.attributes == space)
        });
        of_space.find(|attribute| attribute.name(self.tree) == name).map(|attribute| attribute.value(self.tree))
    }

    fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let tree = self.tree;
        self.all_attributes().iter().map(move |attribute| (attribute.name(tree), attribute.value(tree)))
    }

    fn children(self) -> impl Iterator<Item = Child<'a, Self>> {
        let tree = self.tree;
        self.within().map(move |(node, what)| match what {
            What::Element { .. } => Child::Element(Self { tree, node }),
            What::Text { form, start, end } => {
                let raw = &tree.text[start as usize..end as usize];
                Child::Text(match form {
                    Form::Plain => Cow::Borrowed(raw),
                    Form::Escaped => Cow::Owned(references::resolve(raw)),
                    Form::Lines => Cow::Owned(references::normalise_lines(raw)),
                })
            }
        })
    }

    fn elements(self) -> impl Iterator<Item = Self> {
        let tree = self.tree;
        let elements = self.within().filter(|(_, what)| matches!(what, What::Element { .. }));
        elements.map(move |(node, _)| Self { tree, node })
    }
}

impl Attribute {
    fn name<'a>(&self, tree: &'a Tree<'_>) -> &'a str {
        &tree.text[self.name as usize..][..usize::from(self.length)]
    }

    fn value<'a>(&self, tree: &'a Tree<'_>) -> &'a str {
        let source = if self.decoded { tree.values.as_str() } else { tree.text };
        &source[self.start as usize..self.end as usize]
    }
}
