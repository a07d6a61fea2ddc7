//! How are connections to the server set up?

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, PgPool};

use crate::location::Location;

/// The connections of one process.
pub(crate) fn pool(location: &Location) -> PgPool {
    PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(QUEUE_TIMEOUT)
        .connect_lazy_with(options(location))
}

/// How one connection is made.
pub(crate) fn options(location: &Location) -> PgConnectOptions {
    location.options.clone().application_name("headwater").disable_statement_logging()
}

/// So many connections a process.
const CONNECTIONS: u32 = 8;

/// The wait for a free connection, or for a new one.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);
