//! What fuzz targets reach that nobody else does.

use roxmltree::Document;

use crate::charset::{self, Hints};
use crate::repair;
use crate::scan::{self, Caps, Roots, Scan, Size};
use crate::tree::{self, Agreement, Ending};

/// Decodes bytes under a header.
pub fn decode(bytes: &[u8], content_type: &str) {
    let hints = Hints { content_type: Some(content_type), top_level_domain: None };
    assert!(!charset::decode(bytes, hints).encoding.is_empty());
}

/// Mends a text, and holds the result to what repair promises.
pub fn repair(text: &str) {
    let caps = Caps::default();
    let Ok(Some(root)) = repair::find_root(text) else { return };
    let Ok(once) = repair::repair(text, root.at, &caps) else { return };
    assert!(once.text.is_empty() || Document::parse(&once.text).is_ok(), "mended text is well-formed");
}

/// Looks through a text as the parser does before it reads it; whether it is sound.
pub fn scan(text: &str) -> bool {
    matches!(scan::scan(text, &Caps::default(), Roots::Any, usize::MAX), Ok(Scan::Sound(_)))
}

/// Builds a tree of a text, and holds it to what another reader of XML makes of that.
pub fn tree(text: &str) {
    if !scan(text) {
        return;
    }
    if let Ok(tree) = tree::build(text, Size::guess(text), Ending::Closed) {
        Agreement::of(&tree, text);
    }
}
