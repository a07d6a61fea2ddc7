//! Which documents a run has come to, and where each of them stands.

use std::collections::HashMap;
use std::sync::Arc;

use super::parent::Id;

/// What a run has come to, each once.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: HashMap<Id, Node>,
}

#[derive(Debug)]
struct Node {
    title: Box<str>,
    above: Option<Id>,
    root: usize,
}

impl Tree {
    pub(super) fn contains(&self, id: &str) -> bool {
        self.nodes.contains_key(id)
    }

    /// Enters a document; whether it was new.
    pub(super) fn enter(&mut self, id: &Id, title: &str, above: Option<&Id>, root: usize) -> bool {
        if self.nodes.contains_key(id) {
            return false;
        }
        self.nodes.insert(Arc::clone(id), Node { title: title.into(), above: above.cloned(), root });
        true
    }

    /// The root below which a document was found.
    pub(super) fn root(&self, id: &str) -> Option<usize> {
        self.nodes.get(id).map(|node| node.root)
    }

    /// The titles of what a document is in, the outermost first.
    pub(super) fn path(&self, id: &str) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = self.nodes.get(id).and_then(|node| node.above.as_ref());
        // What is entered names only what was entered before, so this ends.
        while let Some(node) = at.and_then(|id| self.nodes.get(id)) {
            path.push(if node.title.is_empty() { "Untitled".to_owned() } else { node.title.to_string() });
            at = node.above.as_ref();
        }
        path.reverse();
        path
    }
}
