//! How is a store opened, used and closed?

use headwater_ports::Result;
use sqlx::{PgPool, Postgres, Transaction};

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
        Ok(Self { location, pool })
    }

    /// Ends all connections, once what is under way is done.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// The connections for reading.
    pub(crate) fn readers(&self) -> &PgPool {
        &self.pool
    }

    /// Starts a write.
    pub(crate) async fn begin(&self, operation: &'static str) -> Result<Transaction<'static, Postgres>> {
        self.pool.begin().await.map_err(self.failed(operation))
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
