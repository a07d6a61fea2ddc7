//! How do failures of SQLite become errors of the ports?

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

/// Whether another connection held the lock for too long.
pub(crate) fn is_busy(error: &sqlx::Error) -> bool {
    matches!(primary_code(error), Some(BUSY | LOCKED))
}

fn explain(name: &str, operation: &str, error: &sqlx::Error) -> (String, Option<&'static str>) {
    if matches!(error, sqlx::Error::PoolTimedOut) {
        return (format!("could not {operation}: {name} is too busy"), Some(LOCKED_HINT));
    }
    match primary_code(error) {
        Some(BUSY | LOCKED) => (format!("{name} is locked by another process"), Some(LOCKED_HINT)),
        Some(FULL) => (
            format!("{name} has no room left: the disk is full; what was stored before is unharmed"),
            Some("free some space and run the command again"),
        ),
        Some(READ_ONLY | PERMISSION) => (
            format!("{name} cannot be written: it is read-only"),
            Some("check the permissions of the file and its folder"),
        ),
        Some(CANNOT_OPEN) => {
            (format!("{name} cannot be opened"), Some("check that the folder exists and may be written"))
        }
        Some(CORRUPT) => (format!("{name} is damaged"), Some("restore a backup; `headwater db check` tells more")),
        Some(NOT_A_DATABASE) => {
            (format!("{name} is not a SQLite database"), Some("choose another file with `--store`"))
        }
        Some(INPUT_OUTPUT) => (
            format!("could not {operation}: {name} has an input/output error"),
            Some("check the disk, and how much room is left on it"),
        ),
        _ => (format!("could not {operation} in {name}"), None),
    }
}

/// The result code without its extension.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let sqlx::Error::Database(database) = error else { return None };
    database.code()?.parse::<i32>().ok().map(|code| code & 0xff)
}

const PERMISSION: i32 = 3;
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READ_ONLY: i32 = 8;
const INPUT_OUTPUT: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANNOT_OPEN: i32 = 14;
const NOT_A_DATABASE: i32 = 26;

const LOCKED_HINT: &str = "wait until the other process is done, or stop it";
