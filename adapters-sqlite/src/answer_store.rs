//! Keeps what a language model answered before.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{AnswerStore, Result, StoredAnswer};
use jiff::Timestamp;
use serde_json::json;

use crate::SqliteStore;
use crate::columns::{count, text, time_text};

#[async_trait]
impl AnswerStore for SqliteStore {
    async fn answers(&self, tenant: &TenantId, keys: &[String]) -> Result<Vec<StoredAnswer>> {
        let mut known = Vec::new();
        for batch in keys.chunks(BATCH) {
            let rows: Vec<(String, String)> = sqlx::query_as(
                "SELECT answer_key, answer FROM model_answers
                 WHERE tenant_id = ?1 AND answer_key IN (SELECT value FROM json_each(?2))",
            )
            .bind(&tenant.0)
            .bind(json!(batch).to_string())
            .fetch_all(self.readers())
            .await
            .map_err(self.failed("read the answers of the model"))?;
            known.extend(rows.into_iter().map(|(key, text)| StoredAnswer { key, text }));
        }
        Ok(known)
    }

    async fn save_answers(
        &self,
        tenant: &TenantId,
        answers: &[StoredAnswer],
        keep: usize,
        now: Timestamp,
    ) -> Result<()> {
        let mut transaction = self.begin(SAVE).await?;
        for batch in answers.chunks(BATCH) {
            let rows: Vec<_> =
                batch.iter().map(|one| json!({ "key": text(&one.key), "answer": text(&one.text) })).collect();
            sqlx::query(SAVE_ANSWERS)
                .bind(&tenant.0)
                .bind(json!(rows).to_string())
                .bind(time_text(now))
                .execute(&mut *transaction)
                .await
                .map_err(self.failed(SAVE))?;
        }
        sqlx::query(
            "DELETE FROM model_answers WHERE rowid IN (
                 SELECT rowid FROM model_answers WHERE tenant_id = ?1
                 ORDER BY saved_at DESC, rowid DESC LIMIT -1 OFFSET ?2)",
        )
        .bind(&tenant.0)
        .bind(count(keep))
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(SAVE))?;
        transaction.commit().await.map_err(self.failed(SAVE))
    }
}

const SAVE_ANSWERS: &str = "
    INSERT INTO model_answers (tenant_id, answer_key, answer, saved_at)
    SELECT ?1, value ->> 'key', value ->> 'answer', ?3 FROM json_each(?2) WHERE TRUE
    ON CONFLICT (tenant_id, answer_key) DO UPDATE SET answer = excluded.answer, saved_at = excluded.saved_at";

const SAVE: &str = "save the answers of the model";

/// So many answers go into one statement.
const BATCH: usize = 500;
