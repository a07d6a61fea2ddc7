//! Where in its book a document stands.

use std::collections::HashMap;

use super::wire::TocEntry;

/// The titles above each document of a book.
#[derive(Debug, Default)]
pub(super) struct Toc {
    paths: HashMap<u64, Vec<String>>,
}

impl Toc {
    /// Reads a table of contents. Documents that it lacks stand at the top; parents that are missing or lead in circles end
    /// the way up.
    pub(super) fn new(entries: &[TocEntry]) -> Self {
        let by_uuid: HashMap<&str, &TocEntry> = entries.iter().map(|entry| (entry.uuid.as_str(), entry)).collect();
        let paths = entries.iter().filter_map(|entry| Some((entry.doc_id.as_u64()?, path(entry, &by_uuid)))).collect();
        Self { paths }
    }

    /// The titles above a document, the outermost first.
    pub(super) fn path(&self, doc: u64) -> &[String] {
        self.paths.get(&doc).map(Vec::as_slice).unwrap_or_default()
    }
}

fn path(entry: &TocEntry, by_uuid: &HashMap<&str, &TocEntry>) -> Vec<String> {
    let mut above = Vec::new();
    let mut next = parent(entry, by_uuid);
    while let Some(folder) = next {
        above.push(folder.title.clone());
        if above.len() >= MAX_DEPTH {
            break;
        }
        next = parent(folder, by_uuid);
    }
    above.reverse();
    above
}

fn parent<'a>(entry: &TocEntry, by_uuid: &HashMap<&str, &'a TocEntry>) -> Option<&'a TocEntry> {
    by_uuid.get(entry.parent_uuid.as_deref().filter(|uuid| !uuid.is_empty())?).copied()
}

/// Levels of folders; circles end here too.
const MAX_DEPTH: usize = 32;
