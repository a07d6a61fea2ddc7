//! Keeps what a language model answered before.

use std::collections::BTreeMap;

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{AnswerStore, Result, StoredAnswer};
use jiff::Timestamp;

use crate::PgStore;
use crate::columns::{count, text, time_text};

#[async_trait]
impl AnswerStore for PgStore {
    async fn answers(&self, tenant: &TenantId, keys: &[String]) -> Result<Vec<StoredAnswer>> {
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT answer_key, answer FROM model_answers WHERE tenant_id = $1 AND answer_key = ANY($2)",
        )
        .bind(&tenant.0)
        .bind(keys)
        .fetch_all(self.readers())
        .await
        .map_err(self.failed("read the answers of the model"))?;
        Ok(rows.into_iter().map(|(key, text)| StoredAnswer { key, text }).collect())
    }

    async fn save_answers(
        &self,
        tenant: &TenantId,
        answers: &[StoredAnswer],
        keep: usize,
        now: Timestamp,
    ) -> Result<()> {
        let mut transaction = self.begin(SAVE).await?;
        // Each key once, and in order, so that of concurrent writers none waits for one that waits for it.
        let rows: BTreeMap<_, _> =
            answers.iter().map(|one| (text(&one.key).into_owned(), text(&one.text).into_owned())).collect();
        let (keys, texts): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        sqlx::query(SAVE_ANSWERS)
            .bind(&tenant.0)
            .bind(keys)
            .bind(texts)
            .bind(time_text(now))
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(SAVE))?;
        sqlx::query(
            "DELETE FROM model_answers WHERE ctid IN (
                 SELECT ctid FROM model_answers WHERE tenant_id = $1
                 ORDER BY saved_at DESC, answer_key OFFSET $2 FOR UPDATE SKIP LOCKED)",
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
    SELECT $1, given.key, given.answer, $4::text::timestamptz
    FROM UNNEST($2::text[], $3::text[]) WITH ORDINALITY AS given (key, answer, ordinal)
    ORDER BY given.ordinal
    ON CONFLICT (tenant_id, answer_key) DO UPDATE SET answer = excluded.answer, saved_at = excluded.saved_at";

const SAVE: &str = "save the answers of the model";
