//! The embedded store: everything that Headwater must remember, in one SQLite file.
//!
//! [`SqliteStore`] keeps the contracts of the store ports. The file is in WAL mode: readers never block and are never
//! blocked; writers queue for one connection, and other processes may use the same file.

mod admin;
mod answer_store;
mod article_store;
mod columns;
mod connect;
mod content;
mod data_source_store;
mod delivery_store;
mod error;
mod feed_store;
mod job_queue;
mod knowledge_base;
mod location;
mod migrate;
mod retention;
mod schedule_store;
mod secret_store;
mod slot_store;
mod source_store;
mod store;
mod sync_columns;
mod sync_store;

pub use admin::SqliteAdmin;
pub use store::SqliteStore;
