//! What fuzz targets reach that nobody else does.

use roxmltree::Document;

use crate::charset::{self, Hints};
use crate::repair;
use crate::scan::Caps;

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
