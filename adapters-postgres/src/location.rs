//! What does a store URL point to?

use std::str::FromStr;

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use sqlx::postgres::PgConnectOptions;
use url::Url;

/// Where the database is.
#[derive(Clone)]
pub(crate) struct Location {
    /// How to connect, password included.
    pub(crate) options: PgConnectOptions,
    /// Host and database, for messages.
    shown: String,
}

impl Location {
    /// Understands `postgres://user:password@host:port/database?parameters`, and `postgresql://` alike.
    pub(crate) fn parse(url: &str) -> Result<Self> {
        // The URL holds a password, and so may what a library says of it: neither is repeated.
        let refused =
            || Error::new(ErrorKind::Store, "open store", "the PostgreSQL URL cannot be understood").with_hint(FORM);
        let parsed = Url::parse(url).map_err(|_| refused())?;
        if !matches!(parsed.scheme(), "postgres" | "postgresql") {
            return Err(refused());
        }
        let options = PgConnectOptions::from_str(url).map_err(|_| refused())?;
        let shown = match options.get_socket() {
            Some(folder) => format!("{}{}", folder.display(), parsed.path()),
            None => format!("{}:{}{}", options.get_host(), options.get_port(), parsed.path()),
        };
        Ok(Self { options, shown })
    }

    /// What to call it in messages.
    pub(crate) fn name(&self) -> String {
        format!("the store {}", self.shown)
    }

    /// Host and database.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }
}

impl std::fmt::Debug for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

const FORM: &str = "write `postgres://user:password@host:5432/database`";

#[cfg(test)]
mod tests;
