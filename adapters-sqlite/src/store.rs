//! How is a store opened, used and closed?

use std::sync::Arc;

use headwater_ports::Result;
use sqlx::{Sqlite, SqlitePool, Transaction};
use tokio::sync::Notify;

use crate::error::failed;
use crate::location::Location;
use crate::{connect, migrate};

/// Everything that Headwater must remember, in one SQLite file.
///
/// Cloning is cheap and gives the same store. Several processes may have the same file open. Reads see the last commit
/// and never wait; writes wait for their turn, other processes' turns included, for at most five seconds. A write is one
/// transaction: after a crash or a full disk all of it is there, or nothing.
///
/// # Examples
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), headwater_ports::Error> {
/// use headwater_adapters_sqlite::SqliteStore;
/// use headwater_domain::synthesis::source::TenantId;
/// use headwater_ports::SourceStore;
///
/// let store = SqliteStore::open("sqlite::memory:").await?;
/// assert!(store.sources(&TenantId::default()).await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SqliteStore {
    location: Location,
    writer: SqlitePool,
    readers: SqlitePool,
    bell: Arc<Notify>,
}

impl SqliteStore {
    /// Opens a store, and makes it and its folder if they are not there; brings its schema to this build's version.
    ///
    /// `url` is `sqlite:///absolute/path`, `sqlite:path`, a bare path, or `sqlite::memory:` for a store that is gone
    /// with the last clone of it.
    ///
    /// # Errors
    /// `store`, with a hint: the place cannot be written, is locked by another process, is damaged, is no SQLite database
    /// or another program's, or a newer build wrote it. Nothing is changed then.
    pub async fn open(url: &str) -> Result<Self> {
        let location = Location::parse(url)?;
        if let Some(path) = location.path() {
            connect::create_parent(path).await?;
        }
        let writer = connect::writer(&location);
        migrate::migrate(&location, &writer).await?;
        let readers = if location == Location::Memory { writer.clone() } else { connect::readers(&location) };
        Ok(Self { location, writer, readers, bell: Arc::default() })
    }

    /// Ends all connections, once what is under way is done.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    /// The connections for reading.
    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// What wakes those who wait for a job in this process.
    pub(crate) fn bell(&self) -> &Notify {
        &self.bell
    }

    /// Starts a write. The lock is taken at once: a transaction that reads first and then wants to write fails under
    /// load, however long the timeout.
    pub(crate) async fn begin(&self, operation: &'static str) -> Result<Transaction<'static, Sqlite>> {
        let begun = match self.writer.begin_with(BEGIN).await {
            Err(sqlx::Error::InvalidSavePointStatement) => self.begin_anew().await,
            begun => begun,
        };
        begun.map_err(self.failed(operation))
    }

    /// On a full disk SQLite rolls back by itself. The pool's connection does not notice, takes itself to be inside of a
    /// transaction and refuses another one for ever: it is replaced.
    async fn begin_anew(&self) -> sqlx::Result<Transaction<'static, Sqlite>> {
        self.writer.acquire().await?.close().await?;
        self.writer.begin_with(BEGIN).await
    }

    /// Turns a failure into an error of the ports.
    pub(crate) fn failed(&self, operation: &'static str) -> impl FnOnce(sqlx::Error) -> headwater_ports::Error + use<> {
        let name = self.location.name();
        move |error| failed(&name, operation, error)
    }

    /// What to call the store in messages.
    pub(crate) fn name(&self) -> String {
        self.location.name()
    }
}

const BEGIN: &str = "BEGIN IMMEDIATE";

#[cfg(test)]
mod tests;
