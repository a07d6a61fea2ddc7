//! How a file that the user wrote is read, and how a mistake in it is shown: with line and column.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::failure::UsageError;
use crate::input;

/// Reads a text file; a byte order mark is left out.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, UsageError> {
    Ok(input::read_whole(path, MAX_FILE_BYTES)?)
}

/// Reads a TOML document.
pub(crate) fn toml<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, UsageError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let place = Place::of(bytes, error.valid_up_to());
        UsageError(format!("{}:{place}: the file is not UTF-8", path.display()))
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    toml::from_str(text).map_err(|error| {
        let place = Place::of(text.as_bytes(), error.span().map_or(0, |span| span.start));
        UsageError(format!("{}:{place}: {}", path.display(), error.message()))
    })
}

/// A place in a file, counted from one as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn of(bytes: &[u8], offset: usize) -> Self {
        let before = &bytes[..offset.min(bytes.len())];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Self { line, column: String::from_utf8_lossy(&before[start..]).chars().count() + 1 }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Nobody writes a longer list by hand, and no export of one is longer.
const MAX_FILE_BYTES: u64 = 20 * 1024 * 1024;
