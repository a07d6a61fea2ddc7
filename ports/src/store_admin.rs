//! How a store is looked after as a whole.

use std::path::Path;

use async_trait::async_trait;

use crate::Result;

/// Looks after one store, whatever the version of its schema: nothing is changed or made but by [`migrate`](Self::migrate).
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait StoreAdmin: Send + Sync {
    /// What the store is, and what it holds.
    async fn status(&self) -> Result<StoreStatus>;

    /// Brings the schema to this build's version, and makes the store if it is not there.
    async fn migrate(&self) -> Result<MigrationReport>;

    /// Examines the whole store, and gives what is wrong with it, in words; nothing: it is sound.
    async fn check(&self) -> Result<Vec<String>>;

    /// Writes a copy of the store as it stands at one moment, while others go on reading and writing, and gives its size
    /// in bytes. A file that is there is never replaced, and no half copy is left behind.
    async fn backup<'a>(&self, target: &'a Path) -> Result<u64>;
}

/// What a store is, and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreStatus {
    /// `sqlite` or `postgres`.
    pub engine: &'static str,
    /// Where it is, without any secret.
    pub location: String,
    /// The version of its schema.
    pub schema_version: i64,
    /// The version that this build writes. Smaller than `schema_version`: a newer build wrote the store.
    pub latest_version: i64,
    /// How large it is.
    pub size_bytes: u64,
    /// How many rows each table has, of all tenants, in the order of the names.
    pub tables: Vec<(String, u64)>,
}

/// What a migration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MigrationReport {
    /// The version before; 0: there was no schema.
    pub from: i64,
    /// The version after.
    pub to: i64,
}
