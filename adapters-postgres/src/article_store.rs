//! Keeps which articles were seen, and what became of them.

use std::collections::{BTreeMap, HashSet};

use async_trait::async_trait;
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, MAX_FAILURES, RunRecord, merge};
use headwater_domain::synthesis::near_duplicate::{Fingerprint, Fingerprints};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, Result};
use jiff::Timestamp;
use sqlx::{Postgres, Transaction};

use crate::PgStore;
use crate::columns::{count, fingerprint, parse_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl ArticleStore for PgStore {
    async fn known(&self, tenant: &TenantId, keys: &[ArticleKey]) -> Result<Vec<HistoryEntry>> {
        let mut digests: Vec<_> = keys.iter().map(|key| ArticleKey(text(&key.0).into_owned()).digest()).collect();
        digests.sort_unstable();
        digests.dedup();
        let mut known = Vec::new();
        for batch in digests.chunks(BATCH) {
            let rows: Vec<EntryRow> = sqlx::query_as(KNOWN)
                .bind(&tenant.0)
                .bind(list(batch.iter()))
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
        for batch in prints.chunks(BATCH) {
            let band = |part: usize| batch.iter().map(|print| i64::from(print.bands()[part])).collect::<Vec<_>>();
            let rows: Vec<EntryRow> = sqlx::query_as(NEAR)
                .bind(&tenant.0)
                .bind(time_text(since))
                .bind(band(0))
                .bind(band(1))
                .bind(band(2))
                .bind(band(3))
                .fetch_all(self.readers())
                .await
                .map_err(self.failed(READ_HISTORY))?;
            let entries = rows.into_iter().map(|row| self.entry(row)).collect::<Result<Vec<_>>>()?;
            let is_near = |entry: &HistoryEntry| entry.fingerprint.is_some_and(|print| given.find(print).is_some());
            near.extend(entries.into_iter().filter(is_near).map(|entry| (entry.key.clone(), entry)));
        }
        Ok(near.into_values().collect())
    }

    async fn settle(&self, tenant: &TenantId, run: &RunRecord, entries: &[HistoryEntry]) -> Result<Vec<ArticleKey>> {
        let mut transaction = self.begin(SETTLE).await?;
        let again = self.save_run(&mut transaction, tenant, run).await?;
        let cleaned: Vec<_> = entries.iter().map(cleaned).collect();
        let mut keyed: Vec<_> = merge(&cleaned).into_iter().map(|entry| (entry.key.digest(), entry)).collect();
        // Concurrent writers take their locks in the same order, so that none waits for one that waits for it.
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
            "SELECT run_id, (started_at AT TIME ZONE 'UTC')::text, (finished_at AT TIME ZONE 'UTC')::text, kept, digest_json
             FROM runs WHERE tenant_id = $1 ORDER BY run_id COLLATE \"C\" DESC LIMIT $2",
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
            "SELECT run_id, (started_at AT TIME ZONE 'UTC')::text, (finished_at AT TIME ZONE 'UTC')::text, kept, digest_json
             FROM runs WHERE tenant_id = $1 AND run_id = $2",
        )
        .bind(&tenant.0)
        .bind(run_id)
        .fetch_optional(self.readers())
        .await
        .map_err(self.failed(READ_RUNS))?;
        row.map(|row| self.run_record(row)).transpose()
    }
}

impl PgStore {
    /// Writes the run, and says whether it was there before: then this call repeats one.
    async fn save_run(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        run: &RunRecord,
    ) -> Result<bool> {
        // `xmax` is 0 in a row that the statement made, and the writer's own number in one that it changed.
        sqlx::query_scalar(
            "INSERT INTO runs (tenant_id, run_id, started_at, finished_at, kept, digest_json)
             VALUES ($1, $2, $3::text::timestamptz, $4::text::timestamptz, $5, $6)
             ON CONFLICT (tenant_id, run_id) DO UPDATE SET
                 started_at = excluded.started_at, finished_at = excluded.finished_at, kept = excluded.kept,
                 digest_json = excluded.digest_json
             RETURNING xmax <> 0",
        )
        .bind(&tenant.0)
        .bind(&run.run_id)
        .bind(time_text(run.started_at))
        .bind(time_text(run.finished_at))
        .bind(count(run.kept))
        .bind(text(&run.digest_json).as_ref())
        .fetch_one(&mut **transaction)
        .await
        .map_err(self.failed(SETTLE))
    }

    /// The entries of a batch that may need a write: the new ones, and those that failed before. Most of a batch is known,
    /// as a rule, and a question costs a fraction of a write that comes to nothing: that one locks each row. Where a run is
    /// repeated, what it wrote itself may need one too.
    async fn unsettled<'a>(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        repeated: Option<&str>,
        entries: &'a [Keyed],
    ) -> Result<Vec<&'a Keyed>> {
        let digests = list(entries.iter().map(|(digest, _)| digest));
        let mut answers = Vec::new();
        for question in if repeated.is_some() { &[SETTLED_BY_OTHERS][..] } else { &[KNOWN_DIGESTS, FAILED_DIGESTS] } {
            let query = sqlx::query_scalar(*question).bind(&tenant.0).bind(&digests);
            let query = match repeated {
                Some(run_id) => query.bind(run_id).bind(i64::from(MAX_FAILURES)),
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
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        run: &RunRecord,
        entries: &[&Keyed],
    ) -> Result<Vec<ArticleKey>> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let written: Vec<(String, bool)> = sqlx::query_as(SAVE_ENTRIES)
            .bind(&tenant.0)
            .bind(&run.run_id)
            .bind(i64::from(MAX_FAILURES))
            .bind(list(entries.iter().map(|(digest, _)| digest)))
            .bind(column(entries, |entry| entry.key.0.as_str()))
            .bind(column(entries, |entry| entry.url.as_str()))
            .bind(column(entries, |entry| entry.title.as_deref()))
            .bind(column(entries, |entry| entry.source_url.as_str()))
            .bind(column(entries, |entry| entry.fate.as_str()))
            .bind(column(entries, |entry| i64::from(entry.failures)))
            .bind(column(entries, |entry| time_text(entry.seen_at)))
            .bind(column(entries, |entry| entry.fingerprint.map(|print| print.bits().cast_signed())))
            .bind(column(entries, |entry| entry.fingerprint.map(|print| count(print.shingles()))))
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
        let failures = u32::try_from(failures).unwrap_or(u32::MAX);
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

/// One column of a batch, as an array.
fn column<'a, T>(entries: &[&'a Keyed], value: impl Fn(&'a HistoryEntry) -> T) -> Vec<T> {
    entries.iter().map(|(_, entry)| value(entry)).collect()
}

/// Digests as an array.
fn list<'a>(digests: impl Iterator<Item = &'a [u8; 16]>) -> Vec<Vec<u8>> {
    digests.map(|digest| digest.to_vec()).collect()
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

/// An article with the digest of its key.
type Keyed = ([u8; 16], HistoryEntry);

/// `url_key`, `url`, `title`, `source_url`, `fate`, `failures`, `seen_at`, `simhash`, `shingles`.
type EntryRow = (String, String, Option<String>, String, String, i64, String, Option<i64>, Option<i64>);

/// `run_id`, `started_at`, `finished_at`, `kept`, `digest_json`.
type RunRow = (String, String, String, i64, String);

/// One seek of the unique index a key.
const KNOWN: &str = "SELECT url_key, url, title, source_url, fate, failures, (seen_at AT TIME ZONE 'UTC')::text,
            simhash, shingles
     FROM article_history WHERE tenant_id = $1 AND key_digest = ANY($2)";

/// Answered by the unique index alone wherever the server knows its pages to be at rest.
const KNOWN_DIGESTS: &str = "SELECT key_digest FROM article_history
     WHERE tenant_id = $1 AND key_digest = ANY($2)";

/// Answered by the small index of articles that failed.
const FAILED_DIGESTS: &str = "SELECT key_digest FROM article_history
     WHERE tenant_id = $1 AND key_digest = ANY($2) AND fate = 'failed'";

/// What a run that is repeated need not write; it has to look at the rows.
const SETTLED_BY_OTHERS: &str = "SELECT key_digest FROM article_history
     WHERE tenant_id = $1 AND key_digest = ANY($2)
       AND run_id <> $3 AND (fate <> 'failed' OR failures >= $4)";

/// What shares a quarter of the bits with one of a batch: each quarter has an index.
const NEAR: &str = "SELECT url_key, url, title, source_url, fate, failures, (seen_at AT TIME ZONE 'UTC')::text,
            simhash, shingles
     FROM article_history
     WHERE tenant_id = $1 AND simhash IS NOT NULL AND seen_at >= $2::text::timestamptz
       AND ((simhash & 65535) = ANY($3) OR ((simhash >> 16) & 65535) = ANY($4)
            OR ((simhash >> 32) & 65535) = ANY($5) OR ((simhash >> 48) & 65535) = ANY($6))";

/// Writes a batch in one statement: a settled row stays, unless this very run wrote it and now repeats the call; a failed
/// one gives way ([`HistoryEntry::then`]). What stayed is not returned.
const SAVE_ENTRIES: &str = "
    INSERT INTO article_history
           (tenant_id, key_digest, url_key, url, title, source_url, fate, failures, seen_at, run_id, simhash, shingles)
    SELECT $1, given.key_digest, given.url_key, given.url, given.title, given.source_url, given.fate, given.failures,
           given.seen_at::timestamptz, $2, given.simhash, given.shingles
    FROM UNNEST($4::bytea[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[], $11::text[],
                $12::bigint[], $13::bigint[])
         WITH ORDINALITY
         AS given (key_digest, url_key, url, title, source_url, fate, failures, seen_at, simhash, shingles, ordinal)
    ORDER BY given.ordinal
    ON CONFLICT (tenant_id, key_digest) DO UPDATE SET
        url = excluded.url, title = excluded.title, source_url = excluded.source_url, fate = excluded.fate,
        failures = CASE excluded.fate WHEN 'failed' THEN greatest(article_history.failures, excluded.failures)
                                      ELSE excluded.failures END,
        seen_at = excluded.seen_at, run_id = excluded.run_id,
        simhash = excluded.simhash, shingles = excluded.shingles
    WHERE article_history.run_id = excluded.run_id
       OR (article_history.fate = 'failed' AND article_history.failures < $3)
    RETURNING url_key, fate <> 'failed' OR failures >= $3";

const READ_HISTORY: &str = "read the article history";
const READ_RUNS: &str = "read the runs";
const SETTLE: &str = "save a run";

/// So many articles go into one statement.
const BATCH: usize = 500;
