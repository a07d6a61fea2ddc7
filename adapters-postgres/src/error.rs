//! How do failures of PostgreSQL become errors of the ports?

use headwater_domain::ErrorKind;
use headwater_ports::Error;

/// Gives an error of kind `store` that says what to do; `name` says which store.
pub(crate) fn failed(name: &str, operation: &'static str, error: sqlx::Error) -> Error {
    let (detail, hint) = explain(name, operation, &error);
    let error = Error::new(ErrorKind::Store, operation, detail).with_source(error);
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// A row that does not hold what its columns promise.
pub(crate) fn unreadable(name: &str, operation: &'static str, what: &str) -> Error {
    Error::new(ErrorKind::Store, operation, format!("{name} holds a row that cannot be read: {what}"))
        .with_hint("`headwater db check` examines the store")
}

fn explain(name: &str, operation: &str, error: &sqlx::Error) -> (String, Option<&'static str>) {
    match error {
        sqlx::Error::PoolTimedOut => {
            return (format!("could not {operation}: {name} does not answer in time"), Some(REACH_HINT));
        }
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) => return (format!("{name} cannot be reached"), Some(REACH_HINT)),
        _ => {}
    }
    match error.as_database_error().and_then(|database| database.code()).as_deref() {
        Some("28P01" | "28000") => {
            (format!("{name} refuses the user"), Some("check user and password in the store URL"))
        }
        Some("3D000") => (format!("{name} is not there"), Some("create the database, for example with `createdb`")),
        Some("42501") => {
            (format!("could not {operation}: {name} denies permission"), Some("grant the user what it needs"))
        }
        Some("25006") => {
            (format!("{name} cannot be written: it is read-only"), Some("connect to the primary, not to a standby"))
        }
        Some("53100") => (
            format!("{name} has no room left: the disk is full; what was stored before is unharmed"),
            Some("free some space on the server and run the command again"),
        ),
        Some("53300") => {
            (format!("{name} has no connection left"), Some("raise `max_connections`, or run fewer workers"))
        }
        Some("57P01" | "57P02" | "57P03") => (format!("{name} is starting or stopping"), Some(REACH_HINT)),
        _ => (format!("could not {operation} in {name}"), None),
    }
}

const REACH_HINT: &str = "check that the server is up and that host and port are right";
