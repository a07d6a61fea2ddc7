//! Keeps which articles were seen, and what became of them.

use std::collections::{BTreeMap, HashSet};

use async_trait::async_trait;
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, MAX_FAILURES, RunRecord, merge};
use headwater_domain::synthesis::near_duplicate::{BANDS, Fingerprint, Fingerprints};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, Result};
use jiff::Timestamp;
use serde_json::json;
use sqlx::{Sqlite, Transaction};

use crate::SqliteStore;
use crate::columns::{count, fingerprint, hex, parse_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl ArticleStore for SqliteStore {
    async fn known(&self, tenant: &TenantId, keys: &[ArticleKey]) -> Result<Vec<HistoryEntry>> {
        let mut known = Vec::new();
        for batch in keys.chunks(BATCH) {
            let digests = batch.iter().map(|key| ArticleKey(text(&key.0).into_owned()).digest());
            let rows: Vec<EntryRow> = sqlx::query_as(KNOWN)
                .bind(&tenant.0)
                .bind(list(digests))
                .fetch_all(self.readers())
                .await
                .map_err(self.failed(READ_HISTORY))?;
            known.extend(rows.into_iter().map(|row| self.entry(row)).collect::<Result<Vec<_>>>()?);
        }
        Ok(known)
    }

    async fn near(&self, tenant: &TenantId, prints: &[Fingerprint], since: Timestamp) -> Result<Vec<HistoryEntry>> {
        let mut given = Fingerprints::default();
        prints.iter().enumerate().for_each(|(number, print)| given.add(*print, number));
        let mut near = BTreeMap::new();
        for (part, select) in NEAR.into_iter().enumerate() {
            for batch in prints.chunks(BATCH) {
                let bands: Vec<_> = batch.iter().map(|print| print.bands()[part]).collect();
                let rows: Vec<EntryRow> = sqlx::query_as(select)
                    .bind(&tenant.0)
                    .bind(json!(bands).to_string())
                    .bind(time_text(since))
                    .fetch_all(self.readers())
                    .await
                    .map_err(self.failed(READ_HISTORY))?;
                let entries = rows.into_iter().map(|row| self.entry(row)).collect::<Result<Vec<_>>>()?;
                let is_near = |entry: &HistoryEntry| entry.fingerprint.is_some_and(|print| given.find(print).is_some());
                near.extend(entries.into_iter().filter(is_near).map(|entry| (entry.key.clone(), entry)));
            }
        }
        Ok(near.into_values().collect())
    }

    async fn settle(&self, tenant: &TenantId, run: &RunRecord, entries: &[HistoryEntry]) -> Result<Vec<ArticleKey>> {
        let mut transaction = self.begin(SETTLE).await?;
        let again = self.save_run(&mut transaction, tenant, run).await?;
        let cleaned: Vec<_> = entries.iter().map(cleaned).collect();
        let mut keyed: Vec<_> = merge(&cleaned).into_iter().map(|entry| (entry.key.digest(), entry)).collect();
        // Neighbours in the index are asked for and written one after the other.
        keyed.sort_unstable_by_key(|(digest, _)| *digest);
        let mut settled = Vec::new();
        for batch in keyed.chunks(BATCH) {
            let repeated = again.then_some(run.run_id.as_str());
            let open = self.unsettled(&mut transaction, tenant, repeated, batch).await?;
            settled.extend(self.save_entries(&mut transaction, tenant, run, &open).await?);
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
    /// Writes the run, and says whether it was there before: then this call repeats one.
    async fn save_run(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        run: &RunRecord,
    ) -> Result<bool> {
        let again: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM runs WHERE tenant_id = ?1 AND run_id = ?2)")
            .bind(&tenant.0)
            .bind(&run.run_id)
            .fetch_one(&mut **transaction)
            .await
            .map_err(self.failed(SETTLE))?;
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
        Ok(again)
    }

    /// The entries of a batch that may need a write: the new ones, and those that failed before. Most of a batch is known,
    /// as a rule, and the index alone tells so. Where a run is repeated, what it wrote itself may need one too.
    async fn unsettled<'a>(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        repeated: Option<&str>,
        entries: &'a [Keyed],
    ) -> Result<Vec<&'a Keyed>> {
        let digests = list(entries.iter().map(|(digest, _)| *digest));
        let mut answers = Vec::new();
        for question in if repeated.is_some() { &[SETTLED_BY_OTHERS][..] } else { &[KNOWN_DIGESTS, FAILED_DIGESTS] } {
            let query = sqlx::query_scalar(*question).bind(&tenant.0).bind(&digests);
            let query = match repeated {
                Some(run_id) => query.bind(run_id).bind(MAX_FAILURES),
                None => query,
            };
            let found: Vec<Vec<u8>> = query.fetch_all(&mut **transaction).await.map_err(self.failed(SETTLE))?;
            answers.push(found.into_iter().collect::<HashSet<_>>());
        }
        let [settled, failed @ ..] = answers.as_slice() else { return Ok(entries.iter().collect()) };
        let is_settled = |digest: &[u8; 16]| {
            settled.contains(digest.as_slice()) && !failed.iter().any(|failed| failed.contains(digest.as_slice()))
        };
        Ok(entries.iter().filter(|(digest, _)| !is_settled(digest)).collect())
    }

    async fn save_entries(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        run: &RunRecord,
        entries: &[&Keyed],
    ) -> Result<Vec<ArticleKey>> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<_> = entries.iter().map(|keyed| columns(keyed)).collect();
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

    fn entry(&self, row: EntryRow) -> Result<HistoryEntry> {
        let (key, url, title, source_url, fate, failures, seen_at, simhash, shingles) = row;
        let (Some(fate), Some(seen_at)) = (Fate::parse(&fate), parse_time(&seen_at)) else {
            return Err(unreadable(&self.name(), READ_HISTORY, "an article of the history"));
        };
        let fingerprint = fingerprint(simhash, shingles);
        Ok(HistoryEntry { key: ArticleKey(key), url, title, source_url, fate, failures, seen_at, fingerprint })
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

/// The statement that finds articles by one quarter of their bits. The sign keeps the index of times out of it, which would
/// lead through all of the latest articles.
macro_rules! near_in {
    ($quarter:literal) => {
        concat!(
            "SELECT url_key, url, title, source_url, fate, failures, seen_at, simhash, shingles
             FROM article_history
             WHERE tenant_id = ?1 AND simhash IS NOT NULL AND +seen_at >= ?3
               AND (",
            $quarter,
            ") IN (SELECT value FROM json_each(?2))"
        )
    };
}

fn columns((digest, entry): &Keyed) -> serde_json::Value {
    json!({
        "key_digest": hex(digest),
        "url_key": entry.key.0,
        "url": entry.url,
        "title": entry.title,
        "source_url": entry.source_url,
        "fate": entry.fate.as_str(),
        "failures": entry.failures,
        "seen_at": time_text(entry.seen_at),
        "simhash": entry.fingerprint.map(|print| print.bits().cast_signed()),
        "shingles": entry.fingerprint.map(|print| print.shingles()),
    })
}

fn cleaned(entry: &HistoryEntry) -> HistoryEntry {
    HistoryEntry {
        key: ArticleKey(text(&entry.key.0).into_owned()),
        url: text(&entry.url).into_owned(),
        title: entry.title.as_deref().map(|title| text(title).into_owned()),
        source_url: text(&entry.source_url).into_owned(),
        ..entry.clone()
    }
}

/// Digests as a JSON list, in hexadecimal: a statement takes it as one value.
fn list(digests: impl Iterator<Item = [u8; 16]>) -> String {
    json!(digests.map(|digest| hex(&digest)).collect::<Vec<_>>()).to_string()
}

/// An article with the digest of its key.
type Keyed = ([u8; 16], HistoryEntry);

/// `url_key`, `url`, `title`, `source_url`, `fate`, `failures`, `seen_at`, `simhash`, `shingles`.
type EntryRow = (String, String, Option<String>, String, String, u32, String, Option<i64>, Option<i64>);

/// `run_id`, `started_at`, `finished_at`, `kept`, `digest_json`.
type RunRow = (String, String, String, i64, String);

/// One seek of the unique index a key.
const KNOWN: &str = "SELECT url_key, url, title, source_url, fate, failures, seen_at, simhash, shingles
     FROM article_history WHERE tenant_id = ?1 AND key_digest IN (SELECT unhex(value) FROM json_each(?2))";

/// Answered by the unique index alone, without a look at a row.
const KNOWN_DIGESTS: &str = "SELECT key_digest FROM article_history
     WHERE tenant_id = ?1 AND key_digest IN (SELECT unhex(value) FROM json_each(?2))";

/// Answered by the small index of articles that failed.
const FAILED_DIGESTS: &str = "SELECT key_digest FROM article_history
     WHERE tenant_id = ?1 AND key_digest IN (SELECT unhex(value) FROM json_each(?2)) AND fate = 'failed'";

/// What a run that is repeated need not write; it has to look at the rows.
const SETTLED_BY_OTHERS: &str = "SELECT key_digest FROM article_history
     WHERE tenant_id = ?1 AND key_digest IN (SELECT unhex(value) FROM json_each(?2))
       AND run_id <> ?3 AND (fate <> 'failed' OR failures >= ?4)";

/// What shares a quarter of the bits with one of a batch, quarter by quarter: each has an index.
const NEAR: [&str; BANDS] = [
    near_in!("simhash & 65535"),
    near_in!("simhash >> 16 & 65535"),
    near_in!("simhash >> 32 & 65535"),
    near_in!("simhash >> 48 & 65535"),
];

/// Writes a batch in one statement: a settled row stays, unless this very run wrote it and now repeats the call; a failed
/// one gives way ([`HistoryEntry::then`]). What stayed is not returned.
const SAVE_ENTRIES: &str = "
    INSERT INTO article_history
        (tenant_id, key_digest, url_key, url, title, source_url, fate, failures, seen_at, run_id, simhash, shingles)
    SELECT ?1, unhex(value ->> 'key_digest'), value ->> 'url_key', value ->> 'url', value ->> 'title',
           value ->> 'source_url', value ->> 'fate', value ->> 'failures', value ->> 'seen_at', ?3,
           value ->> 'simhash', value ->> 'shingles'
    FROM json_each(?2) WHERE TRUE
    ON CONFLICT (tenant_id, key_digest) DO UPDATE SET
        url = excluded.url, title = excluded.title, source_url = excluded.source_url, fate = excluded.fate,
        failures = CASE excluded.fate WHEN 'failed' THEN max(article_history.failures, excluded.failures)
                                      ELSE excluded.failures END,
        seen_at = excluded.seen_at, run_id = excluded.run_id,
        simhash = excluded.simhash, shingles = excluded.shingles
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
