//! Is the database ours, and is its schema of today?
//!
//! The version stands in a table of its own. Migrations only go forward; each start runs the missing ones in one
//! transaction under an advisory lock, so that of concurrent starts one migrates and the others find the work done.

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use sqlx::{PgConnection, PgPool};

use crate::error::failed;
use crate::location::Location;

/// One step of the schema.
struct Migration {
    version: i64,
    sql: &'static str,
}

/// The version that this build writes.
pub(crate) fn latest_version() -> i64 {
    MIGRATIONS.last().map_or(0, |migration| migration.version)
}

/// Brings the store to the schema of today, and gives the version that it had before.
pub(crate) async fn migrate(location: &Location, pool: &PgPool) -> Result<i64> {
    match try_migrate(location, pool).await {
        Ok(version) => Ok(version),
        Err(Failure::Postgres(error)) => Err(failed(&location.name(), "open store", error)),
        Err(Failure::Refused(error)) => Err(error),
    }
}

/// The version of the schema; 0 where there is none.
pub(crate) async fn schema_version(connection: &mut PgConnection) -> sqlx::Result<i64> {
    let there: bool =
        sqlx::query_scalar("SELECT to_regclass('schema_version') IS NOT NULL").fetch_one(&mut *connection).await?;
    if !there {
        return Ok(0);
    }
    let version: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM schema_version").fetch_one(connection).await?;
    Ok(version.unwrap_or_default())
}

/// Refuses a schema that a newer build wrote.
pub(crate) fn accept(location: &Location, version: i64) -> Result<()> {
    if version <= latest_version() {
        return Ok(());
    }
    let detail = format!(
        "{} has schema version {version}, and this build knows only {}: a newer Headwater wrote it",
        location.name(),
        latest_version()
    );
    Err(Error::new(ErrorKind::Store, "open store", detail).with_hint("use the newer version of Headwater"))
}

enum Failure {
    Postgres(sqlx::Error),
    Refused(Error),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Postgres(error)
    }
}

async fn try_migrate(location: &Location, pool: &PgPool) -> Result<i64, Failure> {
    let mut transaction = pool.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(MIGRATION_LOCK).execute(&mut *transaction).await?;
    let before = schema_version(&mut transaction).await?;
    accept(location, before).map_err(Failure::Refused)?;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > before) {
        sqlx::raw_sql(migration.sql).execute(&mut *transaction).await?;
    }
    if before < latest_version() {
        sqlx::raw_sql(
            "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY); DELETE FROM schema_version",
        )
        .execute(&mut *transaction)
        .await?;
        sqlx::query("INSERT INTO schema_version (version) VALUES ($1)")
            .bind(latest_version())
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(before)
}

/// "HDWR", the advisory lock of those who migrate.
const MIGRATION_LOCK: i64 = 0x4844_5752;

const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: include_str!("../migrations/0001_synthesis.sql") },
    Migration { version: 2, sql: include_str!("../migrations/0002_secrets.sql") },
    Migration { version: 3, sql: include_str!("../migrations/0003_article_keys.sql") },
    Migration { version: 4, sql: include_str!("../migrations/0004_schedules.sql") },
    Migration { version: 5, sql: include_str!("../migrations/0005_near_duplicates.sql") },
    Migration { version: 6, sql: include_str!("../migrations/0006_schedule_slots.sql") },
    Migration { version: 7, sql: include_str!("../migrations/0007_delivery.sql") },
    Migration { version: 8, sql: include_str!("../migrations/0008_data_sources.sql") },
];
