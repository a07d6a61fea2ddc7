//! Which namespaces prefixes are bound to at a place.

use std::borrow::Cow;

use super::{NONE, Namespace, XML};
use crate::scan::Flaw;
use crate::space::{self, Space};

/// The declarations in scope, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Scope<'t> {
    bound: Vec<(&'t str, u32)>,
    /// The namespace that the feed's own elements are in, where it is none that is known.
    own: Option<Cow<'t, str>>,
}

impl<'t> Scope<'t> {
    /// How many declarations there are, to go back to.
    pub(super) fn mark(&self) -> usize {
        self.bound.len()
    }

    /// Forgets what was declared since.
    pub(super) fn leave(&mut self, mark: usize) {
        self.bound.truncate(mark);
    }

    /// Binds a prefix, which is empty for the default namespace, within an element whose declarations began at `mark`.
    pub(super) fn declare(
        &mut self,
        prefix: &'t str,
        uri: Cow<'t, str>,
        mark: usize,
        namespaces: &mut Vec<Namespace<'t>>,
    ) -> Result<(), Flaw> {
        let of_xml = uri == XML_URI;
        let reserved = uri == XMLNS_URI || (prefix == "xml") != of_xml;
        if reserved || self.bound[mark..].iter().any(|(known, _)| *known == prefix) {
            return Err(Flaw::BadNamespace);
        }
        if !of_xml {
            self.bound.push((prefix, u32::try_from(namespaces.len()).map_err(|_| Flaw::BadNamespace)?));
            let mut namespace = Namespace::new(prefix, uri);
            if self.own.as_ref() == Some(&namespace.uri) {
                namespace.elements = Space::Core;
            }
            namespaces.push(namespace);
        }
        Ok(())
    }

    /// Says which namespace the feed's own elements are in.
    pub(super) fn set_own(&mut self, uri: Cow<'t, str>) {
        self.own = Some(uri);
    }

    /// The namespace of an element's prefix.
    pub(super) fn of_element(&self, prefix: &str) -> Result<u32, Flaw> {
        match self.find(prefix) {
            Some(namespace) => Ok(namespace),
            None if prefix.is_empty() => Ok(NONE),
            None => Err(Flaw::BadNamespace),
        }
    }

    /// The namespace of an attribute's prefix: without one it is in none.
    pub(super) fn of_attribute(&self, prefix: &str) -> Result<u32, Flaw> {
        match prefix {
            "" => Ok(NONE),
            "xml" => Ok(XML),
            _ => self.find(prefix).ok_or(Flaw::BadNamespace),
        }
    }

    fn find(&self, prefix: &str) -> Option<u32> {
        self.bound.iter().rfind(|(known, _)| *known == prefix).map(|(_, namespace)| *namespace)
    }
}

impl<'t> Namespace<'t> {
    /// The namespace that `xml` is always bound to.
    pub(super) fn xml() -> Self {
        Self { uri: Cow::Borrowed(XML_URI), elements: Space::Xml, attributes: Space::Xml }
    }

    /// A namespace that nobody knows means what its prefix is customary for.
    fn new(prefix: &str, uri: Cow<'t, str>) -> Self {
        let stated = Space::of(&uri);
        let meant = || space::well_known(prefix).map_or(Space::Other, Space::of);
        Self { elements: if stated == Space::Other { meant() } else { stated }, attributes: stated, uri }
    }
}

const XML_URI: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS_URI: &str = "http://www.w3.org/2000/xmlns/";
