//! How is the database looked after as a whole?

use std::path::Path;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, MigrationReport, Result, StoreAdmin, StoreStatus};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};

use crate::connect;
use crate::error::failed;
use crate::location::Location;
use crate::migrate::{accept, latest_version, migrate, schema_version};

/// Looks after the database of a store. It connects for each task, and reads it whatever its schema version.
#[derive(Debug, Clone)]
pub struct PgAdmin {
    location: Location,
}

impl PgAdmin {
    /// Takes a store URL as [`PgStore::open`](crate::PgStore::open) does; connects to nothing yet.
    ///
    /// # Errors
    /// `store`: the URL cannot be understood.
    pub fn new(url: &str) -> Result<Self> {
        Ok(Self { location: Location::parse(url)? })
    }

    async fn reader(&self, operation: &'static str) -> Result<PgConnection> {
        connect::options(&self.location).connect().await.map_err(self.failed(operation))
    }

    fn failed(&self, operation: &'static str) -> impl FnOnce(sqlx::Error) -> Error + use<> {
        let name = self.location.name();
        move |error| failed(&name, operation, error)
    }
}

#[async_trait]
impl StoreAdmin for PgAdmin {
    async fn status(&self) -> Result<StoreStatus> {
        const OPERATION: &str = "read the status of the store";
        let mut connection = self.reader(OPERATION).await?;
        let schema_version = schema_version(&mut connection).await.map_err(self.failed(OPERATION))?;
        let tables = tables(&mut connection).await.map_err(self.failed(OPERATION))?;
        let size: i64 = sqlx::query_scalar("SELECT pg_database_size(current_database())")
            .fetch_one(&mut connection)
            .await
            .map_err(self.failed(OPERATION))?;
        connection.close().await.map_err(self.failed(OPERATION))?;
        Ok(StoreStatus {
            engine: "postgres",
            location: self.location.shown().to_owned(),
            schema_version,
            latest_version: latest_version(),
            size_bytes: u64::try_from(size).unwrap_or_default(),
            tables,
        })
    }

    async fn migrate(&self) -> Result<MigrationReport> {
        let pool = connect::pool(&self.location);
        let from = migrate(&self.location, &pool).await?;
        pool.close().await;
        Ok(MigrationReport { from, to: latest_version() })
    }

    async fn check(&self) -> Result<Vec<String>> {
        const OPERATION: &str = "check the store";
        let mut connection = self.reader(OPERATION).await?;
        let version = schema_version(&mut connection).await.map_err(self.failed(OPERATION))?;
        // Counting reads every page of every table; the server checks their checksums where it has them.
        tables(&mut connection).await.map_err(self.failed(OPERATION))?;
        let mut problems: Vec<String> = sqlx::query_scalar(
            "SELECT 'the index ' || indexrelid::regclass || ' is not valid' FROM pg_index
             JOIN pg_class ON pg_class.oid = indrelid
             WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace",
        )
        .fetch_all(&mut connection)
        .await
        .map_err(self.failed(OPERATION))?;
        connection.close().await.map_err(self.failed(OPERATION))?;
        if let Err(refusal) = accept(&self.location, version) {
            problems.push(refusal.detail);
        } else if version < latest_version() {
            problems.push(format!("the schema has version {version}, and {} is due", latest_version()));
        }
        Ok(problems)
    }

    async fn backup<'a>(&self, _target: &'a Path) -> Result<u64> {
        Err(Error::new(ErrorKind::Store, "back up the store", "PostgreSQL has its own tools for backups")
            .with_hint("use `pg_dump --format=custom`, or archive the write-ahead log"))
    }
}

async fn tables(connection: &mut PgConnection) -> sqlx::Result<Vec<(String, u64)>> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
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
