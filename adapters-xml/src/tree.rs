//! What the mapping sees of an element, and the tree of a sound document behind that.
//!
//! The tree is flat: one small node an element or a piece of text, in document order, each with where its subtree ends.
//! Text stays where it stands in the document and is decoded when it is asked for, so that the tree costs a fraction of
//! the document.

#[cfg(any(test, feature = "fuzzing"))]
mod agreement;
mod attributes;
mod build;
mod name;
mod references;
mod scope;
mod view;

use std::borrow::Cow;

#[cfg(feature = "fuzzing")]
pub(crate) use self::agreement::Agreement;
pub(crate) use self::build::{Ending, build};
pub(crate) use self::view::TreeElement;
use crate::space::Space;

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
    fn elements(self) -> impl Iterator<Item = Self>;
}

/// What stands in an element.
pub(crate) enum Child<'a, E> {
    Element(E),
    /// References resolved, line ends normalised.
    Text(Cow<'a, str>),
}

/// A sound document, or the beginning of one.
#[derive(Debug)]
pub(crate) struct Tree<'t> {
    text: &'t str,
    /// In document order; the first is the root.
    nodes: Vec<Node>,
    /// Those of one element stand together, in order.
    attributes: Vec<Attribute>,
    namespaces: Vec<Namespace<'t>>,
    /// The values of attributes that are not as they stand in the text.
    values: String,
}

/// An element or a piece of text.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The first node behind this one and all within it.
    next: u32,
    what: What,
}

/// Places are in bytes of the text; a document is held to less than 4 GiB.
#[derive(Debug, Clone, Copy)]
enum What {
    Element {
        /// How long the local name is.
        length: u16,
        /// Where the local name stands.
        name: u32,
        /// Its index, or [`NONE`].
        namespace: u32,
        /// The index of the first, or [`NONE`].
        attributes: u32,
    },
    Text {
        form: Form,
        start: u32,
        end: u32,
    },
}

/// What has to be done to the text as it stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing.
    Plain,
    /// References are to be resolved, and line ends normalised.
    Escaped,
    /// Line ends are to be normalised.
    Lines,
}

#[derive(Debug, Clone, Copy)]
struct Attribute {
    /// Where the local name stands.
    name: u32,
    length: u16,
    /// The value stands among [`Tree::values`], not in the text.
    decoded: bool,
    /// No other attribute of the element follows.
    last: bool,
    /// Its index, or [`NONE`].
    namespace: u32,
    start: u32,
    end: u32,
}

#[derive(Debug)]
struct Namespace<'t> {
    uri: Cow<'t, str>,
    /// What elements in it are.
    elements: Space,
    /// What attributes in it are: the vocabulary of the URI alone.
    attributes: Space,
}

/// No namespace; no attributes.
const NONE: u32 = u32::MAX;

/// The index of the namespace that `xml` is bound to.
const XML: u32 = 0;

#[cfg(test)]
mod tests;
