//! Keeps sealed secrets, each at its place.

use async_trait::async_trait;
use headwater_domain::secret::{Sealed, SecretPlace, StoredSecret};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, SecretStore};
use serde_json::json;

use crate::SqliteStore;
use crate::columns::{count, text};

#[async_trait]
impl SecretStore for SqliteStore {
    async fn secret(&self, place: &SecretPlace) -> Result<Option<StoredSecret>> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT tenant_id, owner, field, key_id, sealed, quarantined
             FROM secrets WHERE tenant_id = ?1 AND owner = ?2 AND field = ?3",
        )
        .bind(&place.tenant.0)
        .bind(text(&place.owner).as_ref())
        .bind(text(&place.field).as_ref())
        .fetch_optional(self.readers())
        .await
        .map_err(self.failed(READ))?;
        Ok(row.map(stored))
    }

    async fn secrets_of<'a>(&self, tenant: &TenantId, owners: &[String], field: &'a str) -> Result<Vec<StoredSecret>> {
        let mut secrets = Vec::new();
        for batch in owners.chunks(BATCH) {
            let rows: Vec<Row> = sqlx::query_as(
                "SELECT tenant_id, owner, field, key_id, sealed, quarantined
                 FROM secrets WHERE tenant_id = ?1 AND owner IN (SELECT value FROM json_each(?2)) AND field = ?3",
            )
            .bind(&tenant.0)
            .bind(json!(batch).to_string())
            .bind(text(field).as_ref())
            .fetch_all(self.readers())
            .await
            .map_err(self.failed(READ))?;
            secrets.extend(rows.into_iter().map(stored));
        }
        Ok(secrets)
    }

    async fn save_secrets(&self, secrets: &[(SecretPlace, Sealed)]) -> Result<()> {
        const OPERATION: &str = "save secrets";
        let mut transaction = self.begin(OPERATION).await?;
        for (place, sealed) in secrets {
            sqlx::query(
                "INSERT INTO secrets (tenant_id, owner, field, key_id, sealed) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (tenant_id, owner, field) DO UPDATE SET
                     key_id = excluded.key_id, sealed = excluded.sealed, quarantined = FALSE",
            )
            .bind(&place.tenant.0)
            .bind(text(&place.owner).as_ref())
            .bind(text(&place.field).as_ref())
            .bind(&sealed.key_id)
            .bind(text(&sealed.text).as_ref())
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        }
        transaction.commit().await.map_err(self.failed(OPERATION))
    }

    async fn remove_secrets<'a>(&self, tenant: &TenantId, owner: &'a str) -> Result<u64> {
        const OPERATION: &str = "remove secrets";
        let mut transaction = self.begin(OPERATION).await?;
        let removed = sqlx::query("DELETE FROM secrets WHERE tenant_id = ?1 AND owner = ?2")
            .bind(&tenant.0)
            .bind(text(owner).as_ref())
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(removed.rows_affected())
    }

    async fn page<'a>(&self, after: Option<&'a SecretPlace>, limit: usize) -> Result<Vec<StoredSecret>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT tenant_id, owner, field, key_id, sealed, quarantined
             FROM secrets WHERE ?1 IS NULL OR (tenant_id, owner, field) > (?1, ?2, ?3)
             ORDER BY tenant_id, owner, field LIMIT ?4",
        )
        .bind(after.map(|place| place.tenant.0.as_str()))
        .bind(after.map(|place| place.owner.as_str()))
        .bind(after.map(|place| place.field.as_str()))
        .bind(count(limit))
        .fetch_all(self.readers())
        .await
        .map_err(self.failed(READ))?;
        Ok(rows.into_iter().map(stored).collect())
    }

    async fn replace_secret<'a>(&self, place: &SecretPlace, expected: &'a str, new: &Sealed) -> Result<bool> {
        const OPERATION: &str = "replace a secret";
        let mut transaction = self.begin(OPERATION).await?;
        let replaced = sqlx::query(
            "UPDATE secrets SET key_id = ?5, sealed = ?6, quarantined = FALSE
             WHERE tenant_id = ?1 AND owner = ?2 AND field = ?3 AND sealed = ?4",
        )
        .bind(&place.tenant.0)
        .bind(&place.owner)
        .bind(&place.field)
        .bind(expected)
        .bind(&new.key_id)
        .bind(text(&new.text).as_ref())
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(replaced.rows_affected() > 0)
    }

    async fn quarantine_secret<'a>(&self, place: &SecretPlace, expected: &'a str) -> Result<bool> {
        const OPERATION: &str = "quarantine a secret";
        let mut transaction = self.begin(OPERATION).await?;
        let marked = sqlx::query(
            "UPDATE secrets SET quarantined = TRUE WHERE tenant_id = ?1 AND owner = ?2 AND field = ?3 AND sealed = ?4",
        )
        .bind(&place.tenant.0)
        .bind(&place.owner)
        .bind(&place.field)
        .bind(expected)
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(marked.rows_affected() > 0)
    }
}

/// `tenant_id`, `owner`, `field`, `key_id`, `sealed`, `quarantined`.
type Row = (String, String, String, String, String, bool);

fn stored((tenant, owner, field, key_id, text, quarantined): Row) -> StoredSecret {
    let place = SecretPlace { tenant: TenantId(tenant), owner, field };
    StoredSecret { place, sealed: Sealed { key_id, text }, quarantined }
}

const READ: &str = "read secrets";

/// So many owners go into one question.
const BATCH: usize = 500;
