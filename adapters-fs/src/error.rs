//! How errors of the file system become errors of the port.

use std::io;

use headwater_domain::ErrorKind;
use headwater_ports::Error;

/// What the system said, without the machine's own paths.
pub(crate) fn of_io(operation: &'static str, path: &str, error: io::Error) -> Error {
    let (kind, what) = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => (ErrorKind::Gone, "is not there"),
        io::ErrorKind::PermissionDenied => (ErrorKind::Auth, "may not be read"),
        io::ErrorKind::FileTooLarge => (ErrorKind::BodyTooLarge, "is larger than the limit"),
        _ => (ErrorKind::Store, "could not be read"),
    };
    Error::new(kind, operation, format!("{} {what}", name_of(path))).with_source(error)
}

/// A path that leads out of the root, or through a link.
pub(crate) fn outside(operation: &'static str, path: &str) -> Error {
    let detail = format!("{} leads through a link or out of the folder", name_of(path));
    Error::new(ErrorKind::Auth, operation, detail)
}

/// How a path is told to people; the root has none.
fn name_of(path: &str) -> String {
    if path.is_empty() { "the folder".to_owned() } else { format!("{path:?}") }
}
