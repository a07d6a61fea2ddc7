//! How much text, and how much of it in links, every element of a page has.

use std::collections::HashMap;

use dom_query::{NodeId, NodeRef};

/// The counts of every element under a root, taken in one pass from the leaves up.
pub(super) struct Measures(HashMap<NodeId, Measure>);

/// The counts of one element with everything in it.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Measure {
    /// Characters that are no white space.
    pub chars: usize,
    /// Those of them that stand in links.
    pub link_chars: usize,
    /// Links.
    pub links: usize,
    /// Characters of paragraphs that are text rather than links.
    pub prose: usize,
    /// Pictures.
    pub images: usize,
}

impl Measures {
    /// Measures everything under `root`.
    pub(super) fn of(root: &NodeRef<'_>) -> Self {
        let nodes: Vec<NodeRef<'_>> = std::iter::once(*root).chain(root.descendants_it()).collect();
        let mut measures: HashMap<NodeId, Measure> = HashMap::with_capacity(nodes.len() / 2);
        for node in nodes.iter().rev() {
            let own = own_measure(node, measures.get(&node.id).copied().unwrap_or_default());
            if node.is_element() {
                measures.insert(node.id, own);
            }
            if let Some(parent) = node.parent() {
                measures.entry(parent.id).or_default().add(own);
            }
        }
        Self(measures)
    }

    /// The counts of an element; none for what was not there.
    pub(super) fn get(&self, node: &NodeRef<'_>) -> Measure {
        self.0.get(&node.id).copied().unwrap_or_default()
    }
}

impl Measure {
    /// The share of the text that stands in links.
    pub(super) fn link_density(&self) -> f64 {
        if self.chars == 0 { 0.0 } else { self.link_chars as f64 / self.chars as f64 }
    }

    fn add(&mut self, other: Self) {
        self.chars += other.chars;
        self.link_chars += other.link_chars;
        self.links += other.links;
        self.prose += other.prose;
        self.images += other.images;
    }
}

/// The counts of a node whose descendants have been added up in `inner`.
fn own_measure(node: &NodeRef<'_>, inner: Measure) -> Measure {
    if node.is_text() {
        let chars = node.text().chars().filter(|c| !c.is_whitespace()).count();
        return Measure { chars, ..Measure::default() };
    }
    let Some(element) = node.element_ref() else { return inner };
    match &*element.name.local {
        "a" => Measure { link_chars: inner.chars, links: inner.links + 1, ..inner },
        "img" => Measure { images: inner.images + 1, ..inner },
        "p" | "blockquote" | "pre" if inner.prose == 0 => {
            Measure { prose: inner.chars.saturating_sub(inner.link_chars), ..inner }
        }
        _ => inner,
    }
}

#[cfg(test)]
mod tests;
