//! What the `<meta>` elements of a page say, and how such a field reads as plain text.

use std::collections::HashMap;

use dom_query::Document;
use headwater_domain::text::{collapse_space, decode_references, plain_text};

/// The `<meta>` elements of a page: the first value of each name, names in lower case.
#[derive(Debug, Default)]
pub(super) struct Metas(HashMap<String, String>);

impl Metas {
    pub(super) fn read(document: &Document) -> Self {
        let mut values = HashMap::new();
        for node in document.select("meta[content]").nodes().iter().take(MAX_METAS) {
            let Some(content) = node.attr("content").filter(|content| !content.trim().is_empty()) else { continue };
            for name in ["property", "name", "itemprop", "http-equiv"].iter().filter_map(|key| node.attr(key)) {
                for word in name.split_ascii_whitespace() {
                    values.entry(word.to_ascii_lowercase()).or_insert_with(|| content.trim().to_owned());
                }
            }
        }
        Self(values)
    }

    /// The value of a name (in lower case).
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The first of several names that has a value, as plain text.
    pub(super) fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| plain(self.value(name)))
    }
}

/// Text of a field that may carry references, or tags, of its own.
pub(super) fn plain(text: Option<&str>) -> Option<String> {
    let text = text?;
    let text = if text.contains('<') { plain_text(text) } else { collapse_space(&decode_references(text)) };
    Some(text).filter(|text| !text.is_empty() && text.len() <= MAX_FIELD_BYTES)
}

/// So many elements are looked at; a page has a few dozen.
const MAX_METAS: usize = 500;

/// A longer field is no title, name or description.
const MAX_FIELD_BYTES: usize = 2_000;
