//! How is the file looked after as a whole?

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, MigrationReport, Result, StoreAdmin, StoreStatus};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};

use crate::connect;
use crate::error::failed;
use crate::location::Location;
use crate::migrate::{accept, latest_version, migrate, schema_state};

/// Looks after the file of a store. It opens the file for each task, and reads it whatever its schema version.
#[derive(Debug, Clone)]
pub struct SqliteAdmin {
    location: Location,
}

impl SqliteAdmin {
    /// Takes a store URL as [`SqliteStore::open`](crate::SqliteStore::open) does; opens nothing yet.
    ///
    /// # Errors
    /// `store`: the URL names no file.
    pub fn new(url: &str) -> Result<Self> {
        Ok(Self { location: Location::parse(url)? })
    }

    /// Opens the file for reading; one that is not there is not made.
    async fn reader(&self, operation: &'static str) -> Result<SqliteConnection> {
        let Some(path) = self.location.path() else {
            return Err(Error::new(ErrorKind::Store, operation, "a store in memory ends with its process"));
        };
        if !path.exists() {
            let detail = format!("{} is not there yet", self.location.name());
            return Err(Error::new(ErrorKind::Store, operation, detail)
                .with_hint("`headwater db migrate` makes it; so does the first command that needs it"));
        }
        connect::reader_options(&self.location).connect().await.map_err(self.failed(operation))
    }

    fn failed(&self, operation: &'static str) -> impl FnOnce(sqlx::Error) -> Error + use<> {
        let name = self.location.name();
        move |error| failed(&name, operation, error)
    }
}

#[async_trait]
impl StoreAdmin for SqliteAdmin {
    async fn status(&self) -> Result<StoreStatus> {
        const OPERATION: &str = "read the status of the store";
        let mut connection = self.reader(OPERATION).await?;
        let state = schema_state(&mut connection).await.map_err(self.failed(OPERATION))?;
        let tables = tables(&mut connection).await.map_err(self.failed(OPERATION))?;
        let size: i64 =
            sqlx::query_scalar("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
                .fetch_one(&mut connection)
                .await
                .map_err(self.failed(OPERATION))?;
        Ok(StoreStatus {
            engine: "sqlite",
            location: self.location.path().unwrap_or(Path::new("")).display().to_string(),
            schema_version: state.version,
            latest_version: latest_version(),
            size_bytes: u64::try_from(size).unwrap_or_default(),
            tables,
        })
    }

    async fn migrate(&self) -> Result<MigrationReport> {
        if let Some(path) = self.location.path() {
            connect::create_parent(path).await?;
        }
        let writer = connect::writer(&self.location);
        let from = migrate(&self.location, &writer).await?;
        writer.close().await;
        Ok(MigrationReport { from, to: latest_version() })
    }

    async fn check(&self) -> Result<Vec<String>> {
        const OPERATION: &str = "check the store";
        let mut connection = self.reader(OPERATION).await?;
        let state = schema_state(&mut connection).await.map_err(self.failed(OPERATION))?;
        let mut problems: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check")
            .fetch_all(&mut connection)
            .await
            .map_err(self.failed(OPERATION))?;
        connection.close().await.map_err(self.failed(OPERATION))?;
        problems.retain(|line| line != "ok");
        if let Err(refusal) = accept(&self.location, state) {
            problems.push(refusal.detail);
        } else if state.version < latest_version() {
            problems.push(format!("the schema has version {}, and {} is due", state.version, latest_version()));
        }
        Ok(problems)
    }

    async fn backup<'a>(&self, target: &'a Path) -> Result<u64> {
        const OPERATION: &str = "back up the store";
        let unwritable = |error| {
            Error::new(ErrorKind::Store, OPERATION, format!("could not write {}", target.display())).with_source(error)
        };
        if target.exists() {
            let detail = format!("{} is there already", target.display());
            return Err(Error::new(ErrorKind::Store, OPERATION, detail).with_hint("name a file that is not there"));
        }
        let mut connection = self.reader(OPERATION).await?;
        let partial = beside(target, ".partial");
        // What an earlier backup left when it was killed.
        let _ = tokio::fs::remove_file(&partial).await;
        let copied = sqlx::query("VACUUM INTO ?1")
            .bind(partial.to_string_lossy().as_ref())
            .execute(&mut connection)
            .await
            .map_err(|error| failed(&format!("the backup {}", target.display()), OPERATION, error));
        let moved = match copied {
            Ok(_) => settle(&partial, target).await.map_err(unwritable),
            Err(error) => Err(error),
        };
        if moved.is_err() {
            let _ = tokio::fs::remove_file(&partial).await;
        }
        connection.close().await.map_err(self.failed(OPERATION))?;
        moved
    }
}

/// Makes the copy durable, and gives it its name: from then on it is whole.
async fn settle(partial: &Path, target: &Path) -> std::io::Result<u64> {
    let file = tokio::fs::File::open(partial).await?;
    file.sync_all().await?;
    let size = file.metadata().await?.len();
    // A hard link, unlike a rename, never replaces a file that came to be in the meantime.
    tokio::fs::hard_link(partial, target).await?;
    tokio::fs::remove_file(partial).await?;
    Ok(size)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(suffix);
    PathBuf::from(name)
}

async fn tables(connection: &mut SqliteConnection) -> sqlx::Result<Vec<(String, u64)>> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut tables = Vec::with_capacity(names.len());
    for name in names {
        let query = format!("SELECT count(*) FROM \"{}\"", name.replace('"', "\"\""));
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut *connection).await?;
        tables.push((name, u64::try_from(rows).unwrap_or_default()));
    }
    Ok(tables)
}

#[cfg(test)]
mod tests;
