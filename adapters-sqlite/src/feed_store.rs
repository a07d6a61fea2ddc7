//! Keeps what is remembered of feeds between fetches.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{FeedStore, Result};
use serde_json::json;

use crate::SqliteStore;
use crate::columns::text;

#[async_trait]
impl FeedStore for SqliteStore {
    async fn feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str) -> Result<Option<String>> {
        sqlx::query_scalar("SELECT memory FROM feed_memory WHERE tenant_id = ?1 AND feed_url = ?2")
            .bind(&tenant.0)
            .bind(text(feed).as_ref())
            .fetch_optional(self.readers())
            .await
            .map_err(self.failed("read the memory of a feed"))
    }

    async fn feed_memories(&self, tenant: &TenantId, feeds: &[String]) -> Result<Vec<(String, String)>> {
        let mut memories = Vec::new();
        for batch in feeds.chunks(BATCH) {
            let feeds: Vec<_> = batch.iter().map(|feed| text(feed)).collect();
            let rows: Vec<(String, String)> = sqlx::query_as(
                "SELECT feed_url, memory FROM feed_memory
                 WHERE tenant_id = ?1 AND feed_url IN (SELECT value FROM json_each(?2))",
            )
            .bind(&tenant.0)
            .bind(json!(feeds).to_string())
            .fetch_all(self.readers())
            .await
            .map_err(self.failed("read the memory of feeds"))?;
            memories.extend(rows);
        }
        memories.sort();
        memories.dedup();
        Ok(memories)
    }

    async fn save_feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str, memory: &'a str) -> Result<()> {
        self.save_feed_memories(tenant, &[(feed.to_owned(), memory.to_owned())]).await
    }

    async fn save_feed_memories(&self, tenant: &TenantId, memories: &[(String, String)]) -> Result<()> {
        const OPERATION: &str = "save the memory of a feed";
        if memories.is_empty() {
            return Ok(());
        }
        let mut transaction = self.begin(OPERATION).await?;
        // A memory may have megabytes: a statement for each needs no copy of them all.
        for (feed, memory) in memories {
            sqlx::query(
                "INSERT INTO feed_memory (tenant_id, feed_url, memory) VALUES (?1, ?2, ?3)
                 ON CONFLICT (tenant_id, feed_url) DO UPDATE SET memory = excluded.memory",
            )
            .bind(&tenant.0)
            .bind(text(feed).as_ref())
            .bind(text(memory).as_ref())
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        }
        transaction.commit().await.map_err(self.failed(OPERATION))
    }
}

/// So many feeds are asked for in one query.
const BATCH: usize = 500;
