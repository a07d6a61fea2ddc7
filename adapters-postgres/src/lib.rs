//! The store for many workers: everything that Headwater must remember, in one PostgreSQL database.
//!
//! [`PgStore`] keeps the contracts of the store ports, with the tables and the behaviour of the embedded store: any number
//! of workers on any number of machines may use one database. Batches are written with one statement each.

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

pub use admin::PgAdmin;
pub use store::PgStore;
