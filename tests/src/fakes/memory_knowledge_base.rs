//! A knowledge base in memory, which watches over what connectors promise while it takes their documents.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use headwater_domain::sync::{CursorChange, Deletion, FetchedItem, MAX_FILE_NAME_BYTES, Note, Receipt, SyncCursor};
use headwater_ports::connector::CHECKPOINT_ITEMS;
use headwater_ports::{Result, StreamHandler};

/// Keeps documents by their ids, and the cursor as the last checkpoint left it.
///
/// It panics where a connector breaks a promise: a version in the cursor of a document that is not here, too many documents
/// without a checkpoint, deletions before the end, a file name that not every file system takes.
#[derive(Debug, Clone, Default)]
pub struct MemoryKnowledgeBase {
    /// The documents, by id.
    pub documents: BTreeMap<String, FetchedItem>,
    /// Where the last checkpoint stands: what a crash leaves.
    pub cursor: SyncCursor,
    /// Documents and deletions, by id, that get [`Receipt::NotKept`].
    pub refused: BTreeSet<String>,
    /// Ids of the documents that this run handed over, in order.
    pub emitted: Vec<String>,
    /// What this run found deleted.
    pub deleted: Vec<Deletion>,
    /// What this run said besides.
    pub notes: Vec<Note>,
    /// Checkpoints of this run.
    pub checkpoints: usize,
    since_checkpoint: u64,
    has_taken_deletions: bool,
}

impl MemoryKnowledgeBase {
    /// Forgets what is known of the last run, as before the next one.
    pub fn begin_run(&mut self) {
        self.emitted.clear();
        self.deleted.clear();
        self.notes.clear();
        self.checkpoints = 0;
        self.since_checkpoint = 0;
        self.has_taken_deletions = false;
    }

    /// The ids of the documents of a title.
    pub fn ids_of(&self, title: &str) -> Vec<&str> {
        self.documents.values().filter(|item| item.title == title).map(|item| item.external_id.as_str()).collect()
    }

    fn keep(&mut self, item: FetchedItem) {
        if let Some(children) = &item.children {
            let parent = item.external_id.clone();
            self.documents.retain(|id, stored| stored.parent_id.as_ref() != Some(&parent) || children.contains(id));
        }
        self.documents.insert(item.external_id.clone(), item);
    }

    fn judge(&self, item: &FetchedItem) {
        let name = &item.file_name;
        assert!(!item.external_id.is_empty(), "a document without an id: {:?}", item.title);
        assert!(!self.has_taken_deletions, "{} came after the deletions", item.external_id);
        assert!(
            !name.is_empty() && name.len() <= MAX_FILE_NAME_BYTES,
            "the file name {name:?} has {} bytes",
            name.len()
        );
        assert!(!name.contains(['/', '\\', ':', '\0']), "the file name {name:?} is not safe");
        assert!(!item.source_resource_id.is_empty(), "{} does not say below which resource it was", item.external_id);
        assert!(!item.content_type.is_empty(), "{} has no content type", item.external_id);
    }
}

#[async_trait]
impl StreamHandler for MemoryKnowledgeBase {
    async fn emit(&mut self, item: FetchedItem) -> Result<Receipt> {
        self.judge(&item);
        if item.parent_id.is_none() {
            self.since_checkpoint += 1;
            let most = CHECKPOINT_ITEMS + 1;
            assert!(self.since_checkpoint <= most, "{} documents came without a checkpoint", self.since_checkpoint);
        }
        if self.refused.contains(&item.external_id) {
            return Ok(Receipt::NotKept);
        }
        self.emitted.push(item.external_id.clone());
        self.keep(item);
        Ok(Receipt::Kept)
    }

    async fn delete(&mut self, deletions: Vec<Deletion>) -> Result<Vec<Receipt>> {
        assert!(!self.has_taken_deletions, "deletions come all together");
        self.has_taken_deletions = true;
        let mut receipts = Vec::new();
        for deletion in deletions {
            if self.refused.contains(&deletion.external_id) {
                receipts.push(Receipt::NotKept);
                continue;
            }
            let id = &deletion.external_id;
            if self.documents.get(id).is_some_and(|item| item.source_resource_id == deletion.source_resource_id) {
                self.documents.remove(id);
                self.documents.retain(|_, stored| stored.parent_id.as_ref() != Some(id));
            }
            self.deleted.push(deletion);
            receipts.push(Receipt::Kept);
        }
        Ok(receipts)
    }

    async fn note(&mut self, note: Note) -> Result<()> {
        self.notes.push(note);
        Ok(())
    }

    async fn checkpoint(&mut self, cursor: &mut SyncCursor) -> Result<()> {
        for change in cursor.take_changes() {
            if let CursorChange::Known { external_id, .. } = &change {
                let is_here = self.documents.contains_key(external_id);
                assert!(is_here, "the cursor knows a version of {external_id}, which the knowledge base has not");
            }
            self.cursor.apply(change);
        }
        if cursor.len() < COMPARED {
            assert_eq!(self.cursor, *cursor, "the changes of a cursor lead to what it is");
        }
        self.checkpoints += 1;
        self.since_checkpoint = 0;
        Ok(())
    }
}

/// Cursors of fewer documents are compared in whole at each checkpoint.
const COMPARED: usize = 2000;
