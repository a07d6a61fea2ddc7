//! How is a store opened, used and closed?

use std::sync::Arc;

use headwater_ports::Result;
use sqlx::postgres::PgListener;
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::{Mutex, Notify, OnceCell};

use crate::error::failed;
use crate::location::Location;
use crate::{connect, migrate};

/// Everything that Headwater must remember, in one PostgreSQL database.
///
/// Cloning is cheap and gives the same store. A write is one transaction: after a crash all of it is there, or nothing.
#[derive(Debug, Clone)]
pub struct PgStore {
    location: Location,
    pool: PgPool,
    queue: Arc<Queue>,
}

/// What the queue needs beside the tables.
#[derive(Debug, Default)]
struct Queue {
    /// Set once its tables are there.
    prepared: OnceCell<()>,
    /// The connection that hears rings, while somebody waits for one.
    listener: Mutex<Option<PgListener>>,
    /// Wakes those who wait beside the one who listens.
    bell: Notify,
}

impl PgStore {
    /// Opens a store by its `postgres://` URL, and brings its schema to this build's version.
    ///
    /// # Errors
    /// `store`, with a hint: the server cannot be reached, refuses the user, has no such database, or a newer build wrote
    /// the schema. Nothing is changed then.
    pub async fn open(url: &str) -> Result<Self> {
        let location = Location::parse(url)?;
        let pool = connect::pool(&location);
        migrate::migrate(&location, &pool).await?;
        Ok(Self { location, pool, queue: Arc::default() })
    }

    /// Ends all connections, once what is under way is done.
    pub async fn close(&self) {
        // Whoever listens lets go as the pool closes, and the pool is closed as every connection is back.
        let silence = async { drop(self.queue.listener.lock().await.take()) };
        tokio::join!(self.pool.close(), silence);
    }

    /// The connections for reading.
    pub(crate) fn readers(&self) -> &PgPool {
        &self.pool
    }

    /// Starts a write.
    pub(crate) async fn begin(&self, operation: &'static str) -> Result<Transaction<'static, Postgres>> {
        self.pool.begin().await.map_err(self.failed(operation))
    }

    /// Set once the tables of the queue are there.
    pub(crate) fn queue_prepared(&self) -> &OnceCell<()> {
        &self.queue.prepared
    }

    /// The connection that hears rings.
    pub(crate) fn listener(&self) -> &Mutex<Option<PgListener>> {
        &self.queue.listener
    }

    /// What wakes those who wait for a job in this process.
    pub(crate) fn bell(&self) -> &Notify {
        &self.queue.bell
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
