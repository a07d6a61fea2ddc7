//! Is the file ours, and is its schema of today?
//!
//! The file is marked with an application id; its schema version is SQLite's `user_version`. Migrations only go forward,
//! each start runs the missing ones in one transaction under the write lock, so that of concurrent starts one migrates
//! and the others find the work done.

use std::time::{Duration, Instant};

use headwater_domain::ErrorKind;
use headwater_domain::synthesis::history::ArticleKey;
use headwater_ports::{Error, Result};
use serde_json::json;
use sqlx::{AssertSqlSafe, SqliteConnection, SqlitePool};

use crate::columns::hex;
use crate::connect::BUSY_TIMEOUT;
use crate::error::{failed, is_busy};
use crate::location::Location;

/// One step of the schema.
struct Migration {
    version: i64,
    sql: &'static str,
    then: Then,
}

/// What a step does that SQL cannot.
#[derive(Clone, Copy)]
enum Then {
    Nothing,
    /// Copies the article history, with the digests of its keys.
    DigestArticleKeys,
}

/// What stands in the head of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SchemaState {
    /// Whose file it is.
    pub(crate) application_id: i64,
    /// The version of its schema; 0 in a new file.
    pub(crate) version: i64,
    /// How many tables and indexes there are.
    pub(crate) objects: i64,
}

/// The version that this build writes.
pub(crate) fn latest_version() -> i64 {
    MIGRATIONS.last().map_or(0, |migration| migration.version)
}

/// Brings the store to the schema of today, and gives the version that it had before.
pub(crate) async fn migrate(location: &Location, writer: &SqlitePool) -> Result<i64> {
    let started = Instant::now();
    loop {
        match try_migrate(location, writer).await {
            // Switching to WAL answers "busy" at once while another start does the same, whatever the timeout says.
            Err(Failure::Sqlite(error)) if is_busy(&error) && started.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(Failure::Sqlite(error)) => return Err(failed(&location.name(), "open store", error)),
            Err(Failure::Refused(error)) => return Err(error),
            Ok(version) => return Ok(version),
        }
    }
}

/// What stands in the head of the file.
pub(crate) async fn schema_state(connection: &mut SqliteConnection) -> sqlx::Result<SchemaState> {
    let (application_id, version, objects) = sqlx::query_as(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
         FROM pragma_application_id(), pragma_user_version()",
    )
    .fetch_one(connection)
    .await?;
    Ok(SchemaState { application_id, version, objects })
}

/// Refuses a file of another program, and one that a newer build wrote.
pub(crate) fn accept(location: &Location, state: SchemaState) -> Result<()> {
    let name = location.name();
    if state.application_id != APPLICATION_ID && (state.application_id, state.version, state.objects) != (0, 0, 0) {
        return Err(Error::new(ErrorKind::Store, "open store", format!("{name} is the database of another program"))
            .with_hint("choose another file with `--store`"));
    }
    if state.version > latest_version() {
        let detail = format!(
            "{name} has schema version {}, and this build knows only {}: a newer Headwater wrote it",
            state.version,
            latest_version()
        );
        return Err(Error::new(ErrorKind::Store, "open store", detail).with_hint("use the newer version of Headwater"));
    }
    Ok(())
}

enum Failure {
    Sqlite(sqlx::Error),
    Refused(Error),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Sqlite(error)
    }
}

async fn try_migrate(location: &Location, writer: &SqlitePool) -> Result<i64, Failure> {
    let mut connection = writer.acquire().await?;
    accept(location, schema_state(&mut connection).await?).map_err(Failure::Refused)?;
    if location.path().is_some() {
        switch_to_wal(location, &mut connection).await?;
    }
    drop(connection);

    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
    let state = schema_state(&mut transaction).await?;
    accept(location, state).map_err(Failure::Refused)?;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > state.version) {
        sqlx::raw_sql(migration.sql).execute(&mut *transaction).await?;
        match migration.then {
            Then::Nothing => {}
            Then::DigestArticleKeys => digest_article_keys(&mut transaction).await?,
        }
    }
    if state.version < latest_version() {
        let mark = format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {}", latest_version());
        sqlx::raw_sql(AssertSqlSafe(mark)).execute(&mut *transaction).await?;
    }
    // On a read-only file SQLite lets even an immediate transaction begin. A write that changes nothing tells it now.
    sqlx::raw_sql("DELETE FROM sources WHERE FALSE").execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(state.version)
}

async fn switch_to_wal(location: &Location, connection: &mut SqliteConnection) -> Result<(), Failure> {
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode = WAL").fetch_one(connection).await?;
    if mode.eq_ignore_ascii_case("wal") {
        return Ok(());
    }
    let detail = format!("{} is on a file system without shared memory, which SQLite's WAL needs", location.name());
    Err(Failure::Refused(
        Error::new(ErrorKind::Store, "open store", detail)
            .with_hint("put the store on a local disk, or use PostgreSQL"),
    ))
}

async fn digest_article_keys(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    let mut last = i64::MIN;
    loop {
        let keys: Vec<(i64, String)> =
            sqlx::query_as("SELECT rowid, url_key FROM article_history_old WHERE rowid > ?1 ORDER BY rowid LIMIT 1000")
                .bind(last)
                .fetch_all(&mut *connection)
                .await?;
        let Some((end, _)) = keys.last() else { break };
        last = *end;
        let digests: Vec<_> = keys.into_iter().map(|(row, key)| (row, hex(&ArticleKey(key).digest()))).collect();
        sqlx::query(
            "INSERT INTO article_history
                    (tenant_id, key_digest, url_key, url, title, source_url, fate, failures, seen_at, run_id)
             SELECT tenant_id, unhex(value ->> '$[1]'), url_key, url, title, source_url, fate, failures, seen_at, run_id
             FROM json_each(?1) CROSS JOIN article_history_old AS old ON old.rowid = value ->> '$[0]'",
        )
        .bind(json!(digests).to_string())
        .execute(&mut *connection)
        .await?;
    }
    sqlx::raw_sql("DROP TABLE article_history_old").execute(connection).await?;
    Ok(())
}

/// "HDWR", in the head of every file of ours.
pub(crate) const APPLICATION_ID: i64 = 0x4844_5752;

const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: include_str!("../migrations/0001_synthesis.sql"), then: Then::Nothing },
    Migration { version: 2, sql: include_str!("../migrations/0002_secrets.sql"), then: Then::Nothing },
    Migration { version: 3, sql: include_str!("../migrations/0003_article_keys.sql"), then: Then::DigestArticleKeys },
    Migration { version: 4, sql: include_str!("../migrations/0004_schedules.sql"), then: Then::Nothing },
    Migration { version: 5, sql: include_str!("../migrations/0005_near_duplicates.sql"), then: Then::Nothing },
    Migration { version: 6, sql: include_str!("../migrations/0006_schedule_slots.sql"), then: Then::Nothing },
    Migration { version: 7, sql: include_str!("../migrations/0007_delivery.sql"), then: Then::Nothing },
    Migration { version: 8, sql: include_str!("../migrations/0008_data_sources.sql"), then: Then::Nothing },
];
