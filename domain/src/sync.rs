//! Data sources: what connectors hand over, and what is remembered between two runs.

mod config;
mod cursor;
mod data_source;
mod deletion;
mod document;
mod fetched_item;
mod file_name;
mod lease;
mod log;
mod pagination;
mod resource;
mod run;
mod source_status;

pub use config::{DataSourceConfig, InvalidDataSourceConfig};
pub use cursor::{CursorChange, SyncCursor};
pub use data_source::{
    ConflictStrategy, DataSource, DataSourceChange, DataSourceId, InvalidDataSource, KnowledgeBaseId, MAX_ID_BYTES,
    SyncMode, SyncSchedule,
};
pub use deletion::{DeletionGuard, DeletionVerdict, FollowDeletions, RESTORE_DAYS, restorable_until};
pub use document::{
    ContentHash, DeletedBy, Document, DocumentFacts, DocumentKey, InvalidDocument, MAX_DOCUMENT_BYTES, MAX_FACTS_BYTES,
    NewDocument, Tombstone, Upsert,
};
pub use fetched_item::{Deletion, FailedItem, FetchedItem, Note, Receipt, SkipReason, SkippedItem};
pub use file_name::{MAX_FILE_NAME_BYTES, file_name};
pub use lease::{Claim, Fence, FencingToken, Lease, LeasePolicy};
pub use log::{ErrorSample, ErrorSamples, MAX_ERROR_SAMPLES, Progress, SyncLog};
pub use pagination::{PageGuard, PaginationLoop};
pub use resource::Resource;
pub use run::{ItemOutcome, RunCounts, RunEnd, RunId, RunStatus, Trigger};
pub use source_status::{DataSourceStatus, ParkReason, Standing};

#[cfg(test)]
mod tests;
