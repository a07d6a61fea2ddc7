//! Data sources: what connectors hand over, and what is remembered between two runs.

mod config;
mod cursor;
mod fetched_item;
mod file_name;
mod pagination;
mod resource;

pub use config::{DataSourceConfig, InvalidDataSourceConfig};
pub use cursor::{CursorChange, SyncCursor};
pub use fetched_item::{Deletion, FailedItem, FetchedItem, Note, Receipt, SkipReason, SkippedItem};
pub use file_name::{MAX_FILE_NAME_BYTES, file_name};
pub use pagination::{PageGuard, PaginationLoop};
pub use resource::Resource;

#[cfg(test)]
mod tests;
