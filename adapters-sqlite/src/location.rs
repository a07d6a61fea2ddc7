//! What does a store URL point to?

use std::path::{Path, PathBuf};

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use url::Url;

/// Where the database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Location {
    /// In memory, gone with the store.
    Memory,
    /// In a file.
    File(PathBuf),
}

impl Location {
    /// Understands `sqlite::memory:`, `sqlite:///path` (percent-encoded), `sqlite:path` and a bare path.
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let rest = match url.strip_prefix("sqlite:") {
            Some(":memory:") => return Ok(Self::Memory),
            Some(rest) => rest,
            None if url.contains("://") => return Err(unknown_scheme(url)),
            None => url,
        };
        let path = match rest.strip_prefix("//") {
            Some(encoded) => decoded_path(encoded)?,
            None => PathBuf::from(rest),
        };
        if path.as_os_str().is_empty() {
            return Err(Error::new(ErrorKind::Store, "open store", "the store URL names no file").with_hint(FORMS));
        }
        Ok(Self::File(path))
    }

    /// What to call it in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Memory => "the store in memory".to_owned(),
            Self::File(path) => format!("the store {}", path.display()),
        }
    }

    /// The file, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Memory => None,
            Self::File(path) => Some(path),
        }
    }
}

/// The path of `sqlite://…`; an absolute one is decoded as a file URL is, and parameters are refused since none is known.
fn decoded_path(encoded: &str) -> Result<PathBuf> {
    if encoded.contains(['?', '#']) {
        return Err(
            Error::new(ErrorKind::Store, "open store", "a SQLite store URL takes no parameters").with_hint(FORMS)
        );
    }
    if !encoded.starts_with('/') {
        return Ok(PathBuf::from(encoded));
    }
    Url::parse(&format!("file://{encoded}")).ok().and_then(|url| url.to_file_path().ok()).ok_or_else(|| {
        Error::new(ErrorKind::Store, "open store", format!("`{encoded}` is no path of a file")).with_hint(FORMS)
    })
}

/// A URL for something else. It may hold a password, so only its scheme is repeated.
fn unknown_scheme(url: &str) -> Error {
    let scheme = url.split("://").next().unwrap_or_default();
    let hint = if scheme.starts_with("postgres") { "build Headwater with the feature `postgres`" } else { FORMS };
    Error::new(ErrorKind::Store, "open store", format!("this build has no store for `{scheme}` URLs")).with_hint(hint)
}

const FORMS: &str = "name a file: `sqlite:///path/to/headwater.db`, a bare path, or `sqlite::memory:` for a try";

#[cfg(test)]
mod tests;
