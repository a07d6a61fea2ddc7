//! Keeps which articles were seen, and what became of them.

use std::collections::HashSet;

use async_trait::async_trait;
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, MAX_FAILURES, RunRecord, merge};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, Result};
use serde_json::json;
use sqlx::{Sqlite, Transaction};

use crate::SqliteStore;
use crate::columns::{count, parse_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl ArticleStore for SqliteStore {
    async fn known(&self, tenant: &TenantId, keys: &[ArticleKey]) -> Result<Vec<HistoryEntry>> {
        let mut known = Vec::new();
        for batch in keys.chunks(BATCH) {
            let keys: Vec<_> = batch.iter().map(|key| text(&key.0)).collect();
            let rows: Vec<EntryRow> = sqlx::query_as(KNOWN)
                .bind(&tenant.0)
                .bind(json!(keys).to_string())
                .fetch_all(self.readers())
                .await
                .map_err(self.failed(READ_HISTORY))?;
            known.extend(rows.into_iter().map(|row| self.entry(row)).collect::<Result<Vec<_>>>()?);
        }
        Ok(known)
    }

    async fn settle(&self, tenant: &TenantId, run: &RunRecord, entries: &[HistoryEntry]) -> Result<Vec<ArticleKey>> {
        let mut transaction = self.begin(SETTLE).await?;
        self.save_run(&mut transaction, tenant, run).await?;
        let mut settled = Vec::new();
        for batch in merge(entries).chunks(BATCH) {
            settled.extend(self.save_entries(&mut transaction, tenant, run, batch).await?);
        }
        transaction.commit().await.map_err(self.failed(SETTLE))?;
        Ok(settled)
    }

    async fn runs(&self, tenant: &TenantId, limit: usize) -> Result<Vec<RunRecord>> {
        let rows: Vec<RunRow> = sqlx::query_as(
            "SELECT run_id, started_at, finished_at, kept, digest_json
             FROM runs WHERE tenant_id = ?1 ORDER BY run_id DESC LIMIT ?2",
        )
        .bind(&tenant.0)
        .bind(count(limit))
        .fetch_all(self.readers())
        .await
        .map_err(self.failed(READ_RUNS))?;
        rows.into_iter().map(|row| self.run_record(row)).collect()
    }

    async fn run<'a>(&self, tenant: &TenantId, run_id: &'a str) -> Result<Option<RunRecord>> {
        let row: Option<RunRow> = sqlx::query_as(
            "SELECT run_id, started_at, finished_at, kept, digest_json FROM runs WHERE tenant_id = ?1 AND run_id = ?2",
        )
        .bind(&tenant.0)
        .bind(run_id)
        .fetch_optional(self.readers())
        .await
        .map_err(self.failed(READ_RUNS))?;
        row.map(|row| self.run_record(row)).transpose()
    }
}

impl SqliteStore {
    async fn save_run(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        run: &RunRecord,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO runs (tenant_id, run_id, started_at, finished_at, kept, digest_json)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (tenant_id, run_id) DO UPDATE SET
                 started_at = excluded.started_at, finished_at = excluded.finished_at, kept = excluded.kept,
                 digest_json = excluded.digest_json",
        )
        .bind(&tenant.0)
        .bind(&run.run_id)
        .bind(time_text(run.started_at))
        .bind(time_text(run.finished_at))
        .bind(count(run.kept))
        .bind(text(&run.digest_json).as_ref())
        .execute(&mut **transaction)
        .await
        .map_err(self.failed(SETTLE))?;
        Ok(())
    }

    async fn save_entries(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        run: &RunRecord,
        entries: &[HistoryEntry],
    ) -> Result<Vec<ArticleKey>> {
        let settled = self.settled_by_others(transaction, tenant, run, entries).await?;
        let rows: Vec<_> =
            entries.iter().filter(|entry| !settled.contains(&*text(&entry.key.0))).map(columns).collect();
        let written: Vec<(String, bool)> = sqlx::query_as(SAVE_ENTRIES)
            .bind(&tenant.0)
            .bind(json!(rows).to_string())
            .bind(&run.run_id)
            .bind(MAX_FAILURES)
            .fetch_all(&mut **transaction)
            .await
            .map_err(self.failed(SETTLE))?;
        Ok(written.into_iter().filter(|(_, settled)| *settled).map(|(key, _)| ArticleKey(key)).collect())
    }

    /// Most of a batch is known, as a rule. A question of keys alone costs a fraction of a write that comes to nothing.
    async fn settled_by_others(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        run: &RunRecord,
        entries: &[HistoryEntry],
    ) -> Result<HashSet<String>> {
        let keys: Vec<_> = entries.iter().map(|entry| text(&entry.key.0)).collect();
        let settled: Vec<String> = sqlx::query_scalar(SETTLED_BY_OTHERS)
            .bind(&tenant.0)
            .bind(json!(keys).to_string())
            .bind(&run.run_id)
            .bind(MAX_FAILURES)
            .fetch_all(&mut **transaction)
            .await
            .map_err(self.failed(SETTLE))?;
        Ok(settled.into_iter().collect())
    }

    fn entry(&self, row: EntryRow) -> Result<HistoryEntry> {
        let (key, url, title, source_url, fate, failures, seen_at) = row;
        let (Some(fate), Some(seen_at)) = (Fate::parse(&fate), parse_time(&seen_at)) else {
            return Err(unreadable(&self.name(), READ_HISTORY, "an article of the history"));
        };
        Ok(HistoryEntry { key: ArticleKey(key), url, title, source_url, fate, failures, seen_at })
    }

    fn run_record(&self, row: RunRow) -> Result<RunRecord> {
        let (run_id, started_at, finished_at, kept, digest_json) = row;
        let (Some(started_at), Some(finished_at)) = (parse_time(&started_at), parse_time(&finished_at)) else {
            return Err(unreadable(&self.name(), READ_RUNS, &format!("the times of run {run_id}")));
        };
        let kept = usize::try_from(kept).unwrap_or_default();
        Ok(RunRecord { run_id, started_at, finished_at, kept, digest_json })
    }
}

fn columns(entry: &HistoryEntry) -> serde_json::Value {
    json!({
        "url_key": text(&entry.key.0),
        "url": text(&entry.url),
        "title": entry.title.as_deref().map(text),
        "source_url": text(&entry.source_url),
        "fate": entry.fate.as_str(),
        "failures": entry.failures,
        "seen_at": time_text(entry.seen_at),
    })
}

/// `url_key`, `url`, `title`, `source_url`, `fate`, `failures`, `seen_at`.
type EntryRow = (String, String, Option<String>, String, String, u32, String);

/// `run_id`, `started_at`, `finished_at`, `kept`, `digest_json`.
type RunRow = (String, String, String, i64, String);

/// One seek of the unique index a key.
const KNOWN: &str = "SELECT url_key, url, title, source_url, fate, failures, seen_at
     FROM article_history WHERE tenant_id = ?1 AND url_key IN (SELECT value FROM json_each(?2))";

/// Which articles of a batch need no write: the lock is held, so this stays so until the write.
const SETTLED_BY_OTHERS: &str = "SELECT url_key FROM article_history
     WHERE tenant_id = ?1 AND url_key IN (SELECT value FROM json_each(?2)) AND run_id <> ?3
       AND (fate <> 'failed' OR failures >= ?4)";

/// Writes a batch in one statement: a settled row stays, unless this very run wrote it and now repeats the call; a failed
/// one gives way ([`HistoryEntry::then`]). What stayed is not returned.
const SAVE_ENTRIES: &str = "
    INSERT INTO article_history (tenant_id, url_key, url, title, source_url, fate, failures, seen_at, run_id)
    SELECT ?1, value ->> 'url_key', value ->> 'url', value ->> 'title', value ->> 'source_url', value ->> 'fate',
           value ->> 'failures', value ->> 'seen_at', ?3
    FROM json_each(?2) WHERE TRUE
    ON CONFLICT (tenant_id, url_key) DO UPDATE SET
        url = excluded.url, title = excluded.title, source_url = excluded.source_url, fate = excluded.fate,
        failures = CASE excluded.fate WHEN 'failed' THEN max(article_history.failures, excluded.failures)
                                      ELSE excluded.failures END,
        seen_at = excluded.seen_at, run_id = excluded.run_id
    WHERE article_history.run_id = excluded.run_id
       OR (article_history.fate = 'failed' AND article_history.failures < ?4)
    RETURNING url_key, fate <> 'failed' OR failures >= ?4";

const READ_HISTORY: &str = "read the article history";
const READ_RUNS: &str = "read the runs";
const SETTLE: &str = "save a run";

/// So many articles go into one statement.
const BATCH: usize = 500;

#[cfg(test)]
mod tests;
