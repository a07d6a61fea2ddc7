//! How is a cursor read, and how are its changes written?

use std::collections::BTreeMap;

use headwater_domain::sync::{CursorChange, DataSourceId, DocumentKey, SyncCursor};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::Result;
use jiff::Timestamp;
use serde_json::Value;
use sqlx::{Postgres, Transaction};

use crate::PgStore;
use crate::columns::{text, time_text};
use crate::error::unreadable;
use crate::sync_columns::{json_text, parse_json, time_or_none};

impl PgStore {
    /// The cursor of one moment: a checkpoint in the meantime is in it whole, or not at all.
    pub(super) async fn load_cursor(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<SyncCursor> {
        let mut snapshot = self.readers().begin_with(SNAPSHOT).await.map_err(self.failed(READ))?;
        let known: Vec<(String, String, String)> = sqlx::query_as(KNOWN)
            .bind(&tenant.0)
            .bind(text(&data_source.0).as_ref())
            .fetch_all(&mut *snapshot)
            .await
            .map_err(self.failed(READ))?;
        let notes: Vec<(String, String)> =
            sqlx::query_as("SELECT name, value FROM sync_notes WHERE tenant_id = $1 AND data_source_id = $2")
                .bind(&tenant.0)
                .bind(text(&data_source.0).as_ref())
                .fetch_all(&mut *snapshot)
                .await
                .map_err(self.failed(READ))?;
        let last_sync: Option<Option<String>> = sqlx::query_scalar(
            "SELECT (last_sync_at AT TIME ZONE 'UTC')::text FROM data_sources WHERE tenant_id = $1 AND id = $2 AND status <> 'deleted'",
        )
        .bind(&tenant.0)
        .bind(text(&data_source.0).as_ref())
        .fetch_optional(&mut *snapshot)
        .await
        .map_err(self.failed(READ))?;
        snapshot.commit().await.map_err(self.failed(READ))?;
        cursor(known, notes, last_sync.flatten()).map_err(|_| unreadable(&self.name(), READ, "a cursor"))
    }

    /// Writes changes of a cursor; of several to one entry the last one counts.
    pub(super) async fn write_changes(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        data_source: &DataSourceId,
        changes: &[CursorChange],
    ) -> Result<()> {
        let last = LastChanges::of(changes);
        let known: Vec<_> = last.known.iter().filter_map(|(place, version)| Some((place, version.as_ref()?))).collect();
        for batch in known.chunks(BATCH) {
            let columns = [column(batch, |(place, _)| &place.0), column(batch, |(place, _)| &place.1)];
            let [resources, ids] = columns;
            let versions = column(batch, |(_, version)| version);
            self.write_batch(transaction, WRITE_KNOWN, tenant, data_source, &[resources, ids, versions]).await?;
        }
        let gone: Vec<_> = last.known.iter().filter(|(_, version)| version.is_none()).map(|(place, _)| place).collect();
        for batch in gone.chunks(BATCH) {
            let columns = [column(batch, |place| &place.0), column(batch, |place| &place.1)];
            self.write_batch(transaction, DELETE_KNOWN, tenant, data_source, &columns).await?;
        }
        let notes: Vec<_> = last.notes.iter().filter_map(|(name, value)| Some((name, value.as_ref()?))).collect();
        for batch in notes.chunks(BATCH) {
            let columns = [column(batch, |(name, _)| name), column(batch, |(_, value)| value)];
            self.write_batch(transaction, WRITE_NOTES, tenant, data_source, &columns).await?;
        }
        let no_notes: Vec<_> = last.notes.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect();
        for batch in no_notes.chunks(BATCH) {
            self.write_batch(transaction, DELETE_NOTES, tenant, data_source, &[column(batch, |name| name)]).await?;
        }
        match last.last_sync {
            Some(at) => self.write_last_sync(transaction, tenant, data_source, Some(at)).await,
            None => Ok(()),
        }
    }

    /// Runs a statement over a batch, of which each column is an array.
    async fn write_batch(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        statement: &'static str,
        tenant: &TenantId,
        data_source: &DataSourceId,
        columns: &[Vec<String>],
    ) -> Result<()> {
        let mut query = sqlx::query(statement).bind(&tenant.0).bind(&data_source.0);
        for column in columns {
            query = query.bind(column);
        }
        query.execute(&mut **transaction).await.map_err(self.failed(WRITE))?;
        Ok(())
    }

    /// Lets the cursor forget a document, so that it is read anew.
    pub(crate) async fn forget_known(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        resource: &str,
        key: &DocumentKey,
    ) -> Result<()> {
        sqlx::query(
            "DELETE FROM sync_known
             WHERE tenant_id = $1 AND data_source_id = $2 AND resource_id = $3 AND external_id = $4",
        )
        .bind(&tenant.0)
        .bind(&key.data_source.0)
        .bind(resource)
        .bind(&key.external_id)
        .execute(&mut **transaction)
        .await
        .map_err(self.failed(WRITE))?;
        Ok(())
    }

    /// Empties a cursor.
    pub(crate) async fn clear_cursor(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        data_source: &DataSourceId,
    ) -> Result<()> {
        for statement in [
            "DELETE FROM sync_known WHERE tenant_id = $1 AND data_source_id = $2",
            "DELETE FROM sync_notes WHERE tenant_id = $1 AND data_source_id = $2",
        ] {
            sqlx::query(statement)
                .bind(&tenant.0)
                .bind(&data_source.0)
                .execute(&mut **transaction)
                .await
                .map_err(self.failed(WRITE))?;
        }
        self.write_last_sync(transaction, tenant, data_source, None).await
    }

    async fn write_last_sync(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        data_source: &DataSourceId,
        at: Option<Timestamp>,
    ) -> Result<()> {
        sqlx::query("UPDATE data_sources SET last_sync_at = $3::text::timestamptz WHERE tenant_id = $1 AND id = $2")
            .bind(&tenant.0)
            .bind(&data_source.0)
            .bind(at.map(time_text))
            .execute(&mut **transaction)
            .await
            .map_err(self.failed(WRITE))?;
        Ok(())
    }
}

/// The last change of each entry: a version or its absence, a note or its absence.
#[derive(Default)]
struct LastChanges {
    known: BTreeMap<(String, String), Option<String>>,
    notes: BTreeMap<String, Option<String>>,
    last_sync: Option<Timestamp>,
}

impl LastChanges {
    fn of(changes: &[CursorChange]) -> Self {
        let clean = |value: &str| text(value).into_owned();
        let mut last = Self::default();
        for change in changes {
            match change {
                CursorChange::Known { resource, external_id, version } => {
                    drop(last.known.insert((clean(resource), clean(external_id)), Some(clean(version))));
                }
                CursorChange::Forgotten { resource, external_id } => {
                    drop(last.known.insert((clean(resource), clean(external_id)), None));
                }
                CursorChange::State { name, value } => {
                    drop(last.notes.insert(clean(name), value.as_ref().map(json_text)));
                }
                CursorChange::LastSync(at) => last.last_sync = Some(*at),
            }
        }
        last
    }
}

/// One column of a batch, as an array.
fn column<T>(batch: &[T], value: impl Fn(&T) -> &String) -> Vec<String> {
    batch.iter().map(|row| value(row).clone()).collect()
}

fn cursor(
    known: Vec<(String, String, String)>,
    notes: Vec<(String, String)>,
    last_sync: Option<String>,
) -> sqlx::Result<SyncCursor> {
    let mut cursor = SyncCursor::default();
    for (resource, external_id, version) in known {
        cursor.apply(CursorChange::Known { resource, external_id, version });
    }
    for (name, value) in notes {
        let value: Value = parse_json(&value)?;
        cursor.apply(CursorChange::State { name, value: Some(value) });
    }
    if let Some(at) = time_or_none("last_sync_at", last_sync)? {
        cursor.apply(CursorChange::LastSync(at));
    }
    Ok(cursor)
}

const KNOWN: &str =
    "SELECT resource_id, external_id, version FROM sync_known WHERE tenant_id = $1 AND data_source_id = $2";

const WRITE_KNOWN: &str = "
    INSERT INTO sync_known (tenant_id, data_source_id, resource_id, external_id, version)
    SELECT $1, $2, given.* FROM UNNEST($3::text[], $4::text[], $5::text[]) AS given
    ON CONFLICT (tenant_id, data_source_id, resource_id, external_id) DO UPDATE SET version = excluded.version";

const DELETE_KNOWN: &str = "
    DELETE FROM sync_known WHERE tenant_id = $1 AND data_source_id = $2 AND (resource_id, external_id) IN (
        SELECT given.* FROM UNNEST($3::text[], $4::text[]) AS given)";

const WRITE_NOTES: &str = "
    INSERT INTO sync_notes (tenant_id, data_source_id, name, value)
    SELECT $1, $2, given.* FROM UNNEST($3::text[], $4::text[]) AS given
    ON CONFLICT (tenant_id, data_source_id, name) DO UPDATE SET value = excluded.value";

const DELETE_NOTES: &str = "DELETE FROM sync_notes WHERE tenant_id = $1 AND data_source_id = $2 AND name = ANY($3)";

/// Each statement of it sees the same moment.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

const READ: &str = "read a cursor";
const WRITE: &str = "write a cursor";

/// So many entries go into one statement.
const BATCH: usize = 500;
