//! What the mapping sees of an element, and how the XML reader's tree shows it.

use std::borrow::Cow;
use std::cell::Cell;

use roxmltree::{Node, NodeType};

use crate::space::{self, Space};

/// An element, for the mapping: another engine may stand behind it.
pub(crate) trait Element<'a>: Copy {
    /// The name without its prefix.
    fn name(self) -> &'a str;

    /// The vocabulary that the name belongs to.
    fn space(self) -> Space;

    /// The value of an attribute without a prefix; its name in whatever case.
    fn attribute(self, name: &str) -> Option<&'a str>;

    /// The value of an attribute of that vocabulary.
    fn attribute_of(self, space: Space, name: &str) -> Option<&'a str>;

    /// All attributes: local name and value.
    fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)>;

    /// Text and elements, in order; neighbouring pieces of text may come apart.
    fn children(self) -> impl Iterator<Item = Child<'a, Self>>;

    /// The child elements, in order.
    fn elements(self) -> impl Iterator<Item = Self> {
        self.children().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }
}

/// What stands in an element.
pub(crate) enum Child<'a, E> {
    Element(E),
    /// References resolved, line ends normalised.
    Text(Cow<'a, str>),
}

/// Which vocabulary each namespace of a document is; remembers the last answer, since neighbours share theirs.
pub(crate) struct Spaces<'a> {
    /// The root's namespace, where it is none that is known: the feed's own elements are in it.
    own: Option<&'a str>,
    last: Cell<(usize, Space)>,
}

/// An element of the XML reader's tree.
#[derive(Clone, Copy)]
pub(crate) struct TreeElement<'a, 'input: 'a> {
    node: Node<'a, 'input>,
    spaces: &'a Spaces<'a>,
}

impl<'a> Spaces<'a> {
    pub(crate) fn new(root: Node<'a, '_>) -> Self {
        let own = root.tag_name().namespace().filter(|uri| Space::of(uri) == Space::Other);
        Self { own, last: Cell::new((0, Space::Core)) }
    }

    fn of(&self, node: &Node<'a, '_>) -> Space {
        let Some(uri) = node.tag_name().namespace() else { return Space::Core };
        let place = uri.as_ptr().addr();
        let (last, space) = self.last.get();
        if last == place {
            return space;
        }
        let space = if self.own == Some(uri) { Space::Core } else { meant(uri, node) };
        self.last.set((place, space));
        space
    }
}

/// The vocabulary of a namespace; of one that nobody knows, what its prefix is customary for.
fn meant(uri: &str, node: &Node<'_, '_>) -> Space {
    let space = Space::of(uri);
    if space != Space::Other {
        return space;
    }
    node.lookup_prefix(uri).and_then(space::well_known).map_or(Space::Other, Space::of)
}

impl<'a, 'input> TreeElement<'a, 'input> {
    pub(crate) fn root(root: Node<'a, 'input>, spaces: &'a Spaces<'a>) -> Self {
        Self { node: root, spaces }
    }
}

impl<'a> Element<'a> for TreeElement<'a, '_> {
    fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    fn space(self) -> Space {
        self.spaces.of(&self.node)
    }

    fn attribute(self, name: &str) -> Option<&'a str> {
        let mut attributes = self.node.attributes().filter(|attribute| attribute.namespace().is_none());
        attributes.find(|attribute| attribute.name().eq_ignore_ascii_case(name)).map(|attribute| attribute.value())
    }

    fn attribute_of(self, space: Space, name: &str) -> Option<&'a str> {
        let mut attributes = self.node.attributes().filter(|attribute| attribute.name() == name);
        attributes
            .find(|attribute| attribute.namespace().is_some_and(|uri| Space::of(uri) == space))
            .map(|attribute| attribute.value())
    }

    fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.node.attributes().map(|attribute| (attribute.name(), attribute.value()))
    }

    fn children(self) -> impl Iterator<Item = Child<'a, Self>> {
        self.node.children().filter_map(move |node| match node.node_type() {
            NodeType::Element => Some(Child::Element(Self { node, spaces: self.spaces })),
            NodeType::Text => node.text().map(|text| Child::Text(Cow::Borrowed(text))),
            _ => None,
        })
    }
}
