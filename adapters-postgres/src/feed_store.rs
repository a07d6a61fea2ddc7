//! Keeps what is remembered of feeds between fetches.

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

    async fn save_feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str, memory: &'a str) -> Result<()> {
        const OPERATION: &str = "save the memory of a feed";
        let mut transaction = self.begin(OPERATION).await?;
        sqlx::query(
            "INSERT INTO feed_memory (tenant_id, feed_url, memory) VALUES ($1, $2, $3)
             ON CONFLICT (tenant_id, feed_url) DO UPDATE SET memory = excluded.memory",
        )
        .bind(&tenant.0)
        .bind(text(feed).as_ref())
        .bind(text(memory).as_ref())
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))
    }
}
