//! Keeps the sources of phase 1.

use std::collections::BTreeMap;

use async_trait::async_trait;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::source::{FeedLocation, Source, SourceId, TenantId};
use headwater_ports::{Result, SourceStore};
use sqlx::{Postgres, Transaction};
use url::Url;

use crate::PgStore;
use crate::columns::{count, parse_time, stored_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl SourceStore for PgStore {
    async fn sources(&self, tenant: &TenantId) -> Result<Vec<Source>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT url_key, id, url, url_redacted, title, preferred, rss_url,
                    (rss_discovered_at AT TIME ZONE 'UTC')::text
             FROM sources WHERE tenant_id = $1 ORDER BY preferred DESC, position, id",
        )
        .bind(&tenant.0)
        .fetch_all(self.readers())
        .await
        .map_err(self.failed(READ))?;
        rows.into_iter().map(|row| self.source(row)).collect()
    }

    async fn add_sources(&self, tenant: &TenantId, sources: &[Source]) -> Result<Vec<Source>> {
        let mut transaction = self.begin(ADD).await?;
        let mut stored = BTreeMap::new();
        self.insert(&mut transaction, tenant, &merged(sources)).await?;
        for batch in sources.chunks(BATCH) {
            stored.extend(self.by_key(&mut transaction, tenant, batch).await?);
        }
        transaction.commit().await.map_err(self.failed(ADD))?;

        let found = sources.iter().map(|given| {
            let source = stored.get(&given.key()).ok_or_else(|| unreadable(&self.name(), ADD, "a source"))?;
            Ok(if given.url.has_secret() { source.clone().with_secret(&given.url) } else { source.clone() })
        });
        found.collect()
    }

    async fn remove_source(&self, tenant: &TenantId, id: &SourceId) -> Result<bool> {
        const OPERATION: &str = "remove a source";
        let mut transaction = self.begin(OPERATION).await?;
        let removed = sqlx::query("DELETE FROM sources WHERE tenant_id = $1 AND id = $2")
            .bind(&tenant.0)
            .bind(&id.0)
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        sqlx::query("DELETE FROM secrets WHERE tenant_id = $1 AND owner = $2")
            .bind(&tenant.0)
            .bind(&id.0)
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(removed.rows_affected() > 0)
    }

    async fn update_source_rss<'a>(
        &self,
        tenant: &TenantId,
        id: &SourceId,
        expected: Option<&'a FeedLocation>,
        new: Option<&'a FeedLocation>,
    ) -> Result<bool> {
        const OPERATION: &str = "update where a feed is";
        let mut transaction = self.begin(OPERATION).await?;
        let row: Option<(Option<String>, Option<String>)> = sqlx::query_as(
            "SELECT rss_url, (rss_discovered_at AT TIME ZONE 'UTC')::text
             FROM sources WHERE tenant_id = $1 AND id = $2 FOR UPDATE",
        )
        .bind(&tenant.0)
        .bind(&id.0)
        .fetch_optional(&mut *transaction)
        .await
        .map_err(self.failed(OPERATION))?;
        // Compared as values: rows that others wrote may hold what is no URL.
        let present = row.map(|(url, at)| feed_location(url, at));
        if present != Some(expected.and_then(kept)) {
            return Ok(false);
        }
        let new = new.and_then(kept);
        sqlx::query(
            "UPDATE sources SET rss_url = $3, rss_discovered_at = $4::text::timestamptz WHERE tenant_id = $1 AND id = $2",
        )
        .bind(&tenant.0)
        .bind(&id.0)
        .bind(new.as_ref().map(|feed| feed.rss_url.redacted()))
        .bind(new.as_ref().and_then(|feed| feed.rss_discovered_at).map(time_text))
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(true)
    }
}

impl PgStore {
    /// Each source once, in the order of the keys: concurrent writers take their locks in the same order.
    async fn insert(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        sources: &BTreeMap<String, (i64, Source)>,
    ) -> Result<()> {
        let mut columns = Columns::default();
        for (key, (ordinal, source)) in sources {
            columns.push(key, *ordinal, source);
        }
        sqlx::query(INSERT)
            .bind(&tenant.0)
            .bind(columns.ids)
            .bind(columns.urls)
            .bind(columns.keys)
            .bind(columns.redacted)
            .bind(columns.titles)
            .bind(columns.preferred)
            .bind(columns.ordinals)
            .bind(columns.rss_urls)
            .bind(columns.rss_times)
            .execute(&mut **transaction)
            .await
            .map_err(self.failed(ADD))?;
        Ok(())
    }

    async fn by_key(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        sources: &[Source],
    ) -> Result<Vec<(String, Source)>> {
        let keys: Vec<_> = sources.iter().map(Source::key).collect();
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT url_key, id, url, url_redacted, title, preferred, rss_url,
                    (rss_discovered_at AT TIME ZONE 'UTC')::text
             FROM sources WHERE tenant_id = $1 AND url_key = ANY($2)",
        )
        .bind(&tenant.0)
        .bind(keys)
        .fetch_all(&mut **transaction)
        .await
        .map_err(self.failed(ADD))?;
        rows.into_iter().map(|row| Ok((row.0.clone(), self.source(row)?))).collect()
    }

    fn source(&self, row: Row) -> Result<Source> {
        let (_, id, url, url_redacted, title, preferred, rss_url, rss_discovered_at) = row;
        let Ok(url) = Url::parse(&url) else {
            return Err(unreadable(&self.name(), READ, &format!("the URL of source {id}")));
        };
        let feed = feed_location(rss_url, rss_discovered_at);
        Ok(Source { id: SourceId(id), url: PrivateUrl::new(url), url_redacted, title, preferred, feed })
    }
}

/// `url_key`, `id`, `url`, `url_redacted`, `title`, `preferred`, `rss_url`, `rss_discovered_at`.
type Row = (String, String, String, bool, Option<String>, bool, Option<String>, Option<String>);

/// The columns of a batch, each as an array.
#[derive(Default)]
struct Columns {
    ids: Vec<String>,
    urls: Vec<String>,
    keys: Vec<String>,
    redacted: Vec<bool>,
    titles: Vec<Option<String>>,
    preferred: Vec<bool>,
    ordinals: Vec<i64>,
    rss_urls: Vec<Option<String>>,
    rss_times: Vec<Option<String>>,
}

impl Columns {
    fn push(&mut self, key: &str, ordinal: i64, source: &Source) {
        let feed = source.feed.as_ref().and_then(kept);
        self.ids.push(text(&source.id.0).into_owned());
        self.urls.push(source.url.redacted());
        self.keys.push(key.to_owned());
        self.redacted.push(source.url_redacted || source.url.has_secret());
        self.titles.push(source.title.as_deref().map(|title| text(title).into_owned()));
        self.preferred.push(source.preferred);
        self.ordinals.push(ordinal);
        self.rss_times.push(feed.as_ref().and_then(|feed| feed.rss_discovered_at).map(time_text));
        self.rss_urls.push(feed.map(|feed| feed.rss_url.redacted()));
    }
}

/// Each source once, with its place in the batch: a statement may not meet the same row twice.
fn merged(sources: &[Source]) -> BTreeMap<String, (i64, Source)> {
    let mut merged: BTreeMap<String, (i64, Source)> = BTreeMap::new();
    for (ordinal, source) in sources.iter().enumerate() {
        let (place, known) = match merged.remove(&source.key()) {
            Some((place, known)) => (place, known.added_again(source.clone())),
            None => (count(ordinal), source.clone()),
        };
        merged.insert(source.key(), (place, known));
    }
    merged
}

/// The location as the columns hold it: none where the feed's URL carries a secret, the time to the microsecond.
fn kept(feed: &FeedLocation) -> Option<FeedLocation> {
    let feed = feed.storable()?.clone();
    Some(FeedLocation { rss_discovered_at: feed.rss_discovered_at.map(stored_time), ..feed })
}

/// A row that others wrote may hold anything: what is no URL is no feed, what is no time is no date.
fn feed_location(rss_url: Option<String>, rss_discovered_at: Option<String>) -> Option<FeedLocation> {
    let rss_url = PrivateUrl::new(Url::parse(&rss_url?).ok()?);
    Some(FeedLocation { rss_url, rss_discovered_at: rss_discovered_at.as_deref().and_then(parse_time) })
}

const INSERT: &str = "
    INSERT INTO sources (tenant_id, id, url, url_key, url_redacted, title, preferred, position, rss_url, rss_discovered_at)
    SELECT $1, given.id, given.url, given.url_key, given.url_redacted, given.title, given.preferred,
           last.position + 1 + given.ordinal, given.rss_url, given.rss_discovered_at::timestamptz
    FROM UNNEST($2::text[], $3::text[], $4::text[], $5::bool[], $6::text[], $7::bool[], $8::bigint[], $9::text[],
                $10::text[])
         AS given (id, url, url_key, url_redacted, title, preferred, ordinal, rss_url, rss_discovered_at),
         (SELECT coalesce(max(position), 0) AS position FROM sources WHERE tenant_id = $1) AS last
    ORDER BY given.url_key
    ON CONFLICT (tenant_id, url_key) DO UPDATE SET
        preferred = excluded.preferred,
        title = coalesce(sources.title, excluded.title),
        url = CASE WHEN sources.url_redacted = excluded.url_redacted THEN sources.url ELSE excluded.url END,
        url_redacted = excluded.url_redacted";

const READ: &str = "read the sources";
const ADD: &str = "add sources";

/// So many keys go into one question.
const BATCH: usize = 500;
