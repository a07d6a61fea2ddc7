//! Keeps what is remembered of feeds between fetches.

use std::collections::BTreeMap;

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{FeedStore, Result};

use crate::PgStore;
use crate::columns::text;

#[async_trait]
impl FeedStore for PgStore {
    async fn feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str) -> Result<Option<String>> {
        sqlx::query_scalar("SELECT memory FROM feed_memory WHERE tenant_id = $1 AND feed_url = $2")
            .bind(&tenant.0)
            .bind(text(feed).as_ref())
            .fetch_optional(self.readers())
            .await
            .map_err(self.failed("read the memory of a feed"))
    }

    async fn feed_memories(&self, tenant: &TenantId, feeds: &[String]) -> Result<Vec<(String, String)>> {
        let feeds: Vec<_> = feeds.iter().map(|feed| text(feed).into_owned()).collect();
        sqlx::query_as("SELECT feed_url, memory FROM feed_memory WHERE tenant_id = $1 AND feed_url = ANY($2)")
            .bind(&tenant.0)
            .bind(feeds)
            .fetch_all(self.readers())
            .await
            .map_err(self.failed("read the memory of feeds"))
    }

    async fn save_feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str, memory: &'a str) -> Result<()> {
        self.save_feed_memories(tenant, &[(feed.to_owned(), memory.to_owned())]).await
    }

    async fn save_feed_memories(&self, tenant: &TenantId, memories: &[(String, String)]) -> Result<()> {
        const OPERATION: &str = "save the memory of a feed";
        if memories.is_empty() {
            return Ok(());
        }
        // Each feed once, and in the order of the feeds: concurrent writers take their locks in the same order.
        let memories: BTreeMap<_, _> = memories.iter().map(|(feed, memory)| (text(feed), text(memory))).collect();
        let (feeds, memories): (Vec<_>, Vec<_>) = memories.into_iter().unzip();
        let mut transaction = self.begin(OPERATION).await?;
        sqlx::query(
            "INSERT INTO feed_memory (tenant_id, feed_url, memory)
             SELECT $1, given.feed_url, given.memory
             FROM UNNEST($2::text[], $3::text[]) WITH ORDINALITY AS given (feed_url, memory, ordinal)
             ORDER BY given.ordinal
             ON CONFLICT (tenant_id, feed_url) DO UPDATE SET memory = excluded.memory",
        )
        .bind(&tenant.0)
        .bind(feeds)
        .bind(memories)
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))
    }
}
