//! Whether another reader of XML sees the same in a text: for tests and fuzz targets.

use roxmltree::{Document, Node, NodeType};

use super::{Child, Element, Tree, TreeElement};

/// The comparison of two trees.
#[derive(Debug)]
pub(crate) struct Agreement;

impl Agreement {
    /// Holds a tree to what the other reader makes of its text.
    ///
    /// # Panics
    /// They differ, or the other reader refuses the text.
    pub(crate) fn of(tree: &Tree<'_>, text: &str) {
        let other = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        let mut waiting = vec![(TreeElement::root(tree), other.root_element())];
        while let Some((ours, theirs)) = waiting.pop() {
            assert_eq!(ours.name(), theirs.tag_name().name(), "{text:?}");
            assert_eq!(ours.namespace(), theirs.tag_name().namespace(), "{text:?}");
            let attributes: Vec<_> = theirs.attributes().map(|other| (other.name(), other.value())).collect();
            assert_eq!(ours.attributes().collect::<Vec<_>>(), attributes, "{text:?}");
            assert_eq!(direct_text(ours), their_text(theirs), "{text:?}");
            let elements: Vec<_> = theirs.children().filter(Node::is_element).collect();
            assert_eq!(ours.elements().count(), elements.len(), "{text:?}");
            waiting.extend(ours.elements().zip(elements));
        }
    }
}

/// The pieces of text between elements; neighbouring ones together.
fn direct_text(element: TreeElement<'_>) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for child in element.children() {
        match (child, pieces.last_mut()) {
            (Child::Text(text), Some(last)) => last.push_str(&text),
            _ => pieces.push(String::new()),
        }
    }
    pieces.into_iter().map(|piece| fold(&piece)).collect()
}

fn their_text(element: Node<'_, '_>) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for child in element.children() {
        match (child.node_type(), pieces.last_mut()) {
            (NodeType::Text, Some(last)) => last.push_str(child.text().unwrap_or("")),
            (NodeType::Element, _) => pieces.push(String::new()),
            _ => {}
        }
    }
    pieces.into_iter().map(|piece| fold(&piece)).collect()
}

/// The other reader leaves a carriage return alone that stands right behind a reference, and so counts line ends otherwise
/// there: a run of them is one.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\r' | '\n' if folded.ends_with('\n') => {}
            '\r' | '\n' => folded.push('\n'),
            other => folded.push(other),
        }
    }
    folded
}
