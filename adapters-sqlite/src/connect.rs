//! How are connections to the file set up?

use std::path::Path;
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use sqlx::ConnectOptions;
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteSynchronous};

use crate::location::Location;

/// The one connection that writes. For a store in memory it reads as well.
///
/// Its cache, up to 64 MiB, holds the whole index of a million known articles. It grows with what is touched.
pub(crate) fn writer(location: &Location) -> SqlitePool {
    pool(1).connect_lazy_with(options(location).pragma("cache_size", "-65536").pragma("journal_size_limit", "67108864"))
}

/// The connections that only read.
pub(crate) fn readers(location: &Location) -> SqlitePool {
    pool(READERS).connect_lazy_with(options(location).create_if_missing(false).pragma("query_only", "1"))
}

/// One connection that only reads, to a file that is there, whoever wrote it.
pub(crate) fn reader_options(location: &Location) -> SqliteConnectOptions {
    options(location).create_if_missing(false).read_only(true)
}

/// Makes the folder that the file goes into.
pub(crate) async fn create_parent(path: &Path) -> Result<()> {
    let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) else { return Ok(()) };
    tokio::fs::create_dir_all(parent).await.map_err(|error| {
        Error::new(ErrorKind::Store, "open store", format!("could not create the folder {}", parent.display()))
            .with_source(error)
            .with_hint("choose another place with `--store`")
    })
}

/// Every commit is synced (`FULL`): with batches that costs little, and a digest once shown stays known after a power cut.
fn options(location: &Location) -> SqliteConnectOptions {
    let options = match location {
        Location::Memory => SqliteConnectOptions::new().in_memory(true),
        Location::File(path) => SqliteConnectOptions::new().filename(path).create_if_missing(true),
    };
    options
        .busy_timeout(BUSY_TIMEOUT)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .disable_statement_logging()
}

/// Connections are kept for good: one in memory must be, and opening a file anew gains nothing.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(QUEUE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// So many readers at once.
const READERS: u32 = 4;

/// The wait for another process's lock.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The wait in our own process for a connection.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(60);
