//! How documents are handed over so that the cursor never runs ahead of the knowledge base.

use std::sync::Arc;

use headwater_domain::sync::{Deletion, FailedItem, FetchedItem, Note, Receipt, SkippedItem, SyncCursor};
use headwater_ports::connector::{CHECKPOINT_ITEMS, CHECKPOINT_SECONDS};
use headwater_ports::{Clock, Result, StreamHandler};
use jiff::Timestamp;
use serde_json::Value;

/// The way from a connector to the knowledge base: what every [`fetch_stream`](headwater_ports::Connector::fetch_stream)
/// owes its handler, in one place.
///
/// A version enters the cursor only with the receipt of its document, checkpoints come by count and by time, deletions go
/// over together in [`finish`](Self::finish), and a run in which anything failed is not recorded as complete.
pub struct Delivery<'h> {
    handler: &'h mut dyn StreamHandler,
    cursor: SyncCursor,
    clock: Arc<dyn Clock>,
    began_at: Timestamp,
    checkpoint_at: Timestamp,
    since_checkpoint: u64,
    unchanged: u64,
    deletions: Vec<Deletion>,
    is_complete: bool,
}

impl<'h> Delivery<'h> {
    /// A delivery that begins now, where the cursor stands.
    pub fn new(handler: &'h mut dyn StreamHandler, cursor: SyncCursor, clock: Arc<dyn Clock>) -> Self {
        let now = clock.now();
        Self {
            handler,
            cursor,
            clock,
            began_at: now,
            checkpoint_at: now,
            since_checkpoint: 0,
            unchanged: 0,
            deletions: Vec::new(),
            is_complete: true,
        }
    }

    /// Where the sync stands.
    pub fn cursor(&self) -> &SyncCursor {
        &self.cursor
    }

    /// Where the sync stands, for a connector's own notes and for versions of documents that the knowledge base has.
    pub fn cursor_mut(&mut self) -> &mut SyncCursor {
        &mut self.cursor
    }

    /// When the run began.
    pub fn began_at(&self) -> Timestamp {
        self.began_at
    }

    /// Whether nothing failed and nothing was turned down so far.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Hands a document over; its version enters the cursor if the knowledge base has it now. Checkpoints where one is due.
    ///
    /// # Errors
    /// The handler's, which end the run.
    pub async fn emit(&mut self, item: FetchedItem, version: &str) -> Result<Receipt> {
        let (resource, external_id) = (item.source_resource_id.clone(), item.external_id.clone());
        let receipt = self.emit_unversioned(item).await?;
        if receipt == Receipt::Kept {
            self.cursor.record(&resource, &external_id, version);
        }
        self.checkpoint_if_due().await?;
        Ok(receipt)
    }

    /// Hands over a document whose version the caller records, as a file of a document that is not whole yet. Never
    /// checkpoints.
    ///
    /// # Errors
    /// The handler's, which end the run.
    pub async fn emit_unversioned(&mut self, item: FetchedItem) -> Result<Receipt> {
        let receipt = self.handler.emit(item).await?;
        self.since_checkpoint += 1;
        self.is_complete &= receipt == Receipt::Kept;
        Ok(receipt)
    }

    /// Counts documents that are as they were.
    pub fn unchanged(&mut self, count: u64) {
        self.unchanged += count;
    }

    /// Says that a document was left out on purpose.
    ///
    /// # Errors
    /// The handler's, which end the run.
    pub async fn skip(&mut self, skipped: SkippedItem) -> Result<()> {
        self.handler.note(Note::Skipped(skipped)).await
    }

    /// Says that a document or a branch could not be had. The cursor keeps what it knew.
    ///
    /// # Errors
    /// The handler's, which end the run.
    pub async fn fail(&mut self, failed: FailedItem) -> Result<()> {
        self.is_complete = false;
        self.handler.note(Note::Failed(failed)).await
    }

    /// Remembers that a document is gone, to be handed over at the end.
    pub fn delete(&mut self, resource: &str, external_id: &str) {
        self.deletions.push(Deletion { external_id: external_id.to_owned(), source_resource_id: resource.to_owned() });
    }

    /// Makes the cursor durable if [`CHECKPOINT_ITEMS`] documents or [`CHECKPOINT_SECONDS`] seconds have passed.
    ///
    /// # Errors
    /// The handler's, which end the run.
    pub async fn checkpoint_if_due(&mut self) -> Result<()> {
        let seconds = self.clock.now().duration_since(self.checkpoint_at).as_secs();
        if self.since_checkpoint < CHECKPOINT_ITEMS && seconds < CHECKPOINT_SECONDS {
            return Ok(());
        }
        self.checkpoint().await
    }

    /// Makes the cursor durable.
    ///
    /// # Errors
    /// The handler's, which end the run.
    pub async fn checkpoint(&mut self) -> Result<()> {
        self.handler.checkpoint(&mut self.cursor).await?;
        self.since_checkpoint = 0;
        self.checkpoint_at = self.clock.now();
        Ok(())
    }

    /// Sets or removes a note of the connector's own.
    pub fn record_state(&mut self, name: &str, value: Option<Value>) {
        self.cursor.record_state(name, value);
    }

    /// Hands the deletions over, forgets those that the knowledge base carried out, and makes the cursor durable.
    ///
    /// # Errors
    /// The handler's.
    pub async fn finish(mut self) -> Result<SyncCursor> {
        if self.unchanged > 0 {
            self.handler.note(Note::Unchanged(self.unchanged)).await?;
        }
        let deletions = std::mem::take(&mut self.deletions);
        if !deletions.is_empty() {
            let receipts = self.handler.delete(deletions.clone()).await?;
            for (deletion, receipt) in deletions.iter().zip(receipts) {
                match receipt {
                    Receipt::Kept => self.cursor.forget(&deletion.source_resource_id, &deletion.external_id),
                    Receipt::NotKept => self.is_complete = false,
                }
            }
        }
        if self.is_complete {
            self.cursor.record_sync(self.began_at);
        }
        self.checkpoint().await?;
        Ok(self.cursor)
    }
}

#[cfg(test)]
mod tests;
