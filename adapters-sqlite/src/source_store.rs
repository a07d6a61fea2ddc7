//! Keeps the sources of phase 1.

use std::collections::HashMap;

use async_trait::async_trait;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::source::{FeedLocation, Source, SourceId, TenantId};
use headwater_ports::{Result, SourceStore};
use serde_json::json;
use sqlx::{Sqlite, Transaction};
use url::Url;

use crate::SqliteStore;
use crate::columns::{parse_time, stored_time, text, time_text};
use crate::error::unreadable;

#[async_trait]
impl SourceStore for SqliteStore {
    async fn sources(&self, tenant: &TenantId) -> Result<Vec<Source>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT url_key, id, url, url_redacted, title, preferred, rss_url, rss_discovered_at
             FROM sources WHERE tenant_id = ?1 ORDER BY preferred DESC, position, id",
        )
        .bind(&tenant.0)
        .fetch_all(self.readers())
        .await
        .map_err(self.failed(READ))?;
        rows.into_iter().map(|row| self.source(row)).collect()
    }

    async fn add_sources(&self, tenant: &TenantId, sources: &[Source]) -> Result<Vec<Source>> {
        let mut transaction = self.begin(ADD).await?;
        for batch in sources.chunks(BATCH) {
            self.insert(&mut transaction, tenant, batch).await?;
        }
        let mut stored = HashMap::with_capacity(sources.len());
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
        let removed = sqlx::query("DELETE FROM sources WHERE tenant_id = ?1 AND id = ?2")
            .bind(&tenant.0)
            .bind(&id.0)
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        sqlx::query("DELETE FROM secrets WHERE tenant_id = ?1 AND owner = ?2")
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
        let row: Option<(Option<String>, Option<String>)> =
            sqlx::query_as("SELECT rss_url, rss_discovered_at FROM sources WHERE tenant_id = ?1 AND id = ?2")
                .bind(&tenant.0)
                .bind(&id.0)
                .fetch_optional(&mut *transaction)
                .await
                .map_err(self.failed(OPERATION))?;
        // Compared as values, not as texts: rows that others wrote may have another form of the same time.
        let present = row.map(|(url, at)| feed_location(url, at));
        if present != Some(expected.and_then(kept)) {
            return Ok(false);
        }
        let new = new.and_then(kept);
        sqlx::query("UPDATE sources SET rss_url = ?3, rss_discovered_at = ?4 WHERE tenant_id = ?1 AND id = ?2")
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

impl SqliteStore {
    async fn insert(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        sources: &[Source],
    ) -> Result<()> {
        let rows: Vec<_> = sources.iter().map(columns).collect();
        sqlx::query(
            "INSERT INTO sources (tenant_id, id, url, url_key, url_redacted, title, preferred, position, rss_url,
                                  rss_discovered_at)
             SELECT ?1, value ->> 'id', value ->> 'url', value ->> 'url_key', value ->> 'url_redacted', value ->> 'title',
                    value ->> 'preferred', last.position + 1 + key, value ->> 'rss_url', value ->> 'rss_discovered_at'
             FROM json_each(?2),
                  (SELECT coalesce(max(position), 0) AS position FROM sources WHERE tenant_id = ?1) AS last
             WHERE TRUE
             ON CONFLICT (tenant_id, url_key) DO UPDATE SET
                 preferred = excluded.preferred,
                 title = coalesce(sources.title, excluded.title),
                 url = CASE WHEN sources.url_redacted = excluded.url_redacted THEN sources.url ELSE excluded.url END,
                 url_redacted = excluded.url_redacted",
        )
        .bind(&tenant.0)
        .bind(json!(rows).to_string())
        .execute(&mut **transaction)
        .await
        .map_err(self.failed(ADD))?;
        Ok(())
    }

    async fn by_key(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        sources: &[Source],
    ) -> Result<Vec<(String, Source)>> {
        let keys: Vec<_> = sources.iter().map(Source::key).collect();
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT url_key, id, url, url_redacted, title, preferred, rss_url, rss_discovered_at
             FROM sources WHERE tenant_id = ?1 AND url_key IN (SELECT value FROM json_each(?2))",
        )
        .bind(&tenant.0)
        .bind(json!(keys).to_string())
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

fn columns(source: &Source) -> serde_json::Value {
    let feed = source.feed.as_ref().and_then(kept);
    json!({
        "id": text(&source.id.0),
        "url": source.url.redacted(),
        "url_key": source.key(),
        "url_redacted": source.url_redacted || source.url.has_secret(),
        "title": source.title.as_deref().map(text),
        "preferred": source.preferred,
        "rss_url": feed.as_ref().map(|feed| feed.rss_url.redacted()),
        "rss_discovered_at": feed.as_ref().and_then(|feed| feed.rss_discovered_at).map(time_text),
    })
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

const READ: &str = "read the sources";
const ADD: &str = "add sources";

/// So many sources go into one statement.
const BATCH: usize = 500;
