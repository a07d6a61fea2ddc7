//! How a document becomes a tree without more work than its size allows.
//!
//! The tree builder searches its open elements at every tag, so its cost grows with the depth, and elements that are
//! never closed can be copied without end. It is therefore fed in small pieces, and stopped when the tree outgrows a cap.
//! The writer of a tree searches the rest of a text for each character that it escapes, so no text may be long.

use dom_query::{Document, NodeRef};
use headwater_domain::limits::MAX_HTML_DEPTH;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, Parser, parse_document};

/// Why no tree was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeError {
    /// Elements nest deeper than [`MAX_HTML_DEPTH`], or would cost as much.
    TooDeep,
    /// The tree has more than [`MAX_NODES`] nodes.
    TooLarge,
}

/// Builds the tree of a document that the scanner has normalised.
pub(crate) fn build(html: &str) -> Result<Document, TreeError> {
    let mut parser = parse_document(Document::default(), options());
    let mut work = 0;
    for piece in pieces(html, PIECE_BYTES) {
        parser.process(StrTendril::from_slice(piece));
        let (nodes, depth) = extent(&parser);
        work += piece.len() * depth;
        if depth > MAX_HTML_DEPTH || work > MAX_WORK {
            return Err(TreeError::TooDeep);
        }
        if nodes > MAX_NODES {
            return Err(TreeError::TooLarge);
        }
    }
    let document = parser.finish();
    if depth_of_tree(&document) > MAX_HTML_DEPTH {
        return Err(TreeError::TooDeep);
    }
    cut_long_texts(&document);
    Ok(document)
}

/// Makes several nodes of each long text. No page has such a text but one that was made to have it.
fn cut_long_texts(document: &Document) {
    let is_long = |node: &NodeRef<'_>| node.is_text() && node.text().len() > MAX_TEXT_BYTES;
    let long: Vec<NodeRef<'_>> = document.root().descendants_it().filter(is_long).collect();
    for node in long {
        let text = node.text();
        for piece in pieces(&text, MAX_TEXT_BYTES) {
            node.insert_before(&document.tree.new_text(piece));
        }
        node.remove_from_parent();
    }
}

/// The depth of the deepest node.
fn depth_of_tree(document: &Document) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut node = document.root().first_child();
    while let Some(at) = node {
        deepest = deepest.max(depth);
        node = at.first_child();
        depth += usize::from(node.is_some());
        let mut up = Some(at);
        while node.is_none() {
            let Some(here) = up else { break };
            node = here.next_sibling();
            if node.is_none() {
                up = here.parent();
                depth = depth.saturating_sub(1);
            }
        }
    }
    deepest
}

/// How many nodes there are, and how deep the last one in document order stands.
fn extent(parser: &Parser<Document>) -> (usize, usize) {
    let tree = &parser.tokenizer.sink.sink.tree;
    let depth = std::iter::successors(tree.root().last_child(), |node| node.last_child()).count();
    (tree.len(), depth)
}

fn pieces(text: &str, max_bytes: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(rest.floor_char_boundary(max_bytes.min(rest.len())));
        rest = after;
        Some(piece)
    })
}

fn options() -> ParseOpts {
    ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    }
}

/// Nodes of one tree.
pub(crate) const MAX_NODES: usize = 300_000;
/// Bytes times depth: 1 MiB at the deepest, 10 MiB at a depth of 50.
const MAX_WORK: usize = 512 * 1024 * 1024;
const PIECE_BYTES: usize = 4096;
/// Bytes of one text node; longer than any paragraph that people write.
const MAX_TEXT_BYTES: usize = 16 * 1024;

#[cfg(test)]
mod tests;
