//! Where the documents of data sources are kept.

use async_trait::async_trait;
use bytes::Bytes;
use headwater_domain::sync::{DataSourceId, Document, DocumentKey, Fence, KnowledgeBaseId, NewDocument, Upsert};
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::{Fenced, Result};

/// Keeps documents, each once a data source and external id. Every method sees the rows of its tenant only.
///
/// What a run writes shows its [`Fence`], which also says whose documents they are: the write is refused, and changes
/// nothing, once the run is not the present one any more. Facts and bytes stand apart, so that a listing reads no content.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait KnowledgeBase: Send + Sync {
    /// Takes a delivery, as [`Document::plan`] has it, in one transaction: a reader sees the old version or the new one,
    /// whole. The version counts on from what was there, deleted or not.
    ///
    /// # Errors
    /// `body_too_large` or `malformed` if it cannot be kept ([`NewDocument::check`]); nothing is changed.
    async fn upsert_document(&self, fence: &Fence, new: &NewDocument, now: Timestamp) -> Result<Fenced<Upsert>>;

    /// Deletes documents of the run's source, or marks them as gone, with their children. Gives the ids that this call
    /// deleted or marked, children included, in any order; what was not there, or was so already, is left out.
    async fn remove_documents(
        &self,
        fence: &Fence,
        external_ids: &[String],
        how: Removal,
        now: Timestamp,
    ) -> Result<Fenced<Vec<String>>>;

    /// Deletes the children of a document that are not among those to keep; gives their ids, in any order.
    async fn sweep_children<'a>(
        &self,
        fence: &Fence,
        parent: &'a str,
        keep: &[String],
        now: Timestamp,
    ) -> Result<Fenced<Vec<String>>>;

    /// A document, deleted or not.
    async fn document(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<Document>>;

    /// At most `limit` documents of a knowledge base, in the order of their keys. The cost of a page does not grow with
    /// what stands before it.
    async fn documents(&self, tenant: &TenantId, query: &DocumentQuery) -> Result<Vec<Document>>;

    /// How many documents of a data source are there, the deleted ones not counted.
    async fn count_documents(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<u64>;

    /// The bytes of a document's present version, if it is there and not deleted.
    async fn document_original(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<Bytes>>;

    /// The text that came with a document's present version, if there is one and it is not deleted.
    async fn document_text(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<String>>;

    /// Deletes a document, with its children, because a person says so: it stays away until it is restored. `false` if it
    /// is not there.
    async fn delete_document(&self, tenant: &TenantId, key: &DocumentKey, now: Timestamp) -> Result<bool>;

    /// Brings back a deleted document, and the children that went with it, while that can be done
    /// ([`Document::is_restorable`]). The cursor forgets it, so that the next run reads it anew: what the source did to it in
    /// the meantime was not kept.
    async fn restore_document(&self, tenant: &TenantId, key: &DocumentKey, now: Timestamp) -> Result<Restored>;
}

/// What happens to documents that are gone at their source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// They are deleted, and can be restored for a while.
    Delete,
    /// They stay, and are marked as missing there.
    Mark,
}

/// Which documents are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentQuery {
    /// Of that knowledge base.
    pub knowledge_base: KnowledgeBaseId,
    /// Of that data source; none: of all.
    pub data_source: Option<DataSourceId>,
    /// Which of them.
    pub filter: DocumentFilter,
    /// Those that come after this one.
    pub after: Option<DocumentKey>,
    /// So many at most.
    pub limit: usize,
}

/// Deleted documents, or the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentFilter {
    /// Those that are there.
    Present,
    /// Those that were deleted.
    Deleted,
}

/// What came of bringing back a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Restored {
    /// It is there again.
    Done(Box<Document>),
    /// It was deleted too long ago.
    TooLate,
    /// It is not there, or was not deleted.
    Missing,
}
