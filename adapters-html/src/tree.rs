//! How a document becomes a tree without more work than its size allows.
//!
//! The tree builder searches its open elements at every tag, so its cost grows with the depth, and elements that are
//! never closed can be copied without end. It is therefore fed in small pieces, and stopped when the tree outgrows a cap.

use dom_query::Document;
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
    for piece in pieces(html) {
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
    if depth_of_tree(&document) > MAX_HTML_DEPTH { Err(TreeError::TooDeep) } else { Ok(document) }
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

fn pieces(html: &str) -> impl Iterator<Item = &str> {
    let mut rest = html;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES.min(rest.len())));
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

#[cfg(test)]
mod tests;
