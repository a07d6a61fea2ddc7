//! Keeps the documents of data sources.

mod content;
mod document;

use async_trait::async_trait;
use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{
    ContentHash, DataSourceId, DeletedBy, Document, DocumentFacts, DocumentKey, Fence, InvalidDocument, NewDocument,
    Tombstone, Upsert,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{DocumentQuery, Error, Fenced, KnowledgeBase, Removal, Restored, Result};
use jiff::Timestamp;
use serde_json::json;
use sqlx::{Sqlite, Transaction};

use crate::SqliteStore;
use crate::columns::{text, time_text};
use crate::sync_columns::texts;
use content::PackedContent;

#[async_trait]
impl KnowledgeBase for SqliteStore {
    async fn upsert_document(&self, fence: &Fence, new: &NewDocument, now: Timestamp) -> Result<Fenced<Upsert>> {
        new.check().map_err(refused)?;
        let key = DocumentKey {
            data_source: fence.data_source.clone(),
            external_id: text(&new.item.external_id).into_owned(),
        };
        let delivery = Delivery { new, hash: new.content_hash(), facts: new.facts(), key, now };
        // A look without a lock says whether there is anything to pack, so that nobody waits for that.
        let there = self.read_document(&fence.tenant, &delivery.key).await?;
        let packed = match delivery.plan(there.as_ref()).writes_content() {
            true => Some(PackedContent::of(new).await),
            false => None,
        };
        let mut transaction = self.begin(UPSERT).await?;
        if !self.admits(&mut transaction, fence).await? {
            return Ok(Fenced::Stale);
        }
        let plan = self.carry_out(&mut transaction, &fence.tenant, &delivery, packed).await?;
        transaction.commit().await.map_err(self.failed(UPSERT))?;
        Ok(Fenced::Done(plan))
    }

    async fn remove_documents(
        &self,
        fence: &Fence,
        external_ids: &[String],
        how: Removal,
        now: Timestamp,
    ) -> Result<Fenced<Vec<String>>> {
        let mut transaction = self.begin(REMOVE).await?;
        if !self.admits(&mut transaction, fence).await? {
            return Ok(Fenced::Stale);
        }
        let statement = match how {
            Removal::Delete => DELETE,
            Removal::Mark => MARK,
        };
        let mut removed = Vec::new();
        for batch in external_ids.chunks(BATCH) {
            let ids: Vec<String> = sqlx::query_scalar(statement)
                .bind(&fence.tenant.0)
                .bind(&fence.data_source.0)
                .bind(json!(texts(batch)).to_string())
                .bind(time_text(now))
                .bind(DeletedBy::Source.as_str())
                .fetch_all(&mut *transaction)
                .await
                .map_err(self.failed(REMOVE))?;
            removed.extend(ids);
        }
        transaction.commit().await.map_err(self.failed(REMOVE))?;
        Ok(Fenced::Done(removed))
    }

    async fn sweep_children<'a>(
        &self,
        fence: &Fence,
        parent: &'a str,
        keep: &[String],
        now: Timestamp,
    ) -> Result<Fenced<Vec<String>>> {
        let mut transaction = self.begin(REMOVE).await?;
        if !self.admits(&mut transaction, fence).await? {
            return Ok(Fenced::Stale);
        }
        let removed = sqlx::query_scalar(SWEEP)
            .bind(&fence.tenant.0)
            .bind(&fence.data_source.0)
            .bind(text(parent).as_ref())
            .bind(json!(texts(keep)).to_string())
            .bind(time_text(now))
            .fetch_all(&mut *transaction)
            .await
            .map_err(self.failed(REMOVE))?;
        transaction.commit().await.map_err(self.failed(REMOVE))?;
        Ok(Fenced::Done(removed))
    }

    async fn document(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<Document>> {
        self.read_document(tenant, key).await
    }

    async fn documents(&self, tenant: &TenantId, query: &DocumentQuery) -> Result<Vec<Document>> {
        self.read_documents(tenant, query).await
    }

    async fn count_documents(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<u64> {
        self.read_count(tenant, data_source).await
    }

    async fn document_original(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<Bytes>> {
        self.read_original(tenant, key).await
    }

    async fn document_text(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<String>> {
        self.read_text(tenant, key).await
    }

    async fn delete_document(&self, tenant: &TenantId, key: &DocumentKey, now: Timestamp) -> Result<bool> {
        let mut transaction = self.begin(REMOVE).await?;
        let there = self.lock_document(&mut transaction, tenant, key).await?;
        if there.is_none_or(|document| document.tombstone.is_some()) {
            return Ok(false);
        }
        let removed: Vec<String> = sqlx::query_scalar(DELETE)
            .bind(&tenant.0)
            .bind(text(&key.data_source.0).as_ref())
            .bind(json!([text(&key.external_id)]).to_string())
            .bind(time_text(now))
            .bind(DeletedBy::Person.as_str())
            .fetch_all(&mut *transaction)
            .await
            .map_err(self.failed(REMOVE))?;
        transaction.commit().await.map_err(self.failed(REMOVE))?;
        Ok(!removed.is_empty())
    }

    async fn restore_document(&self, tenant: &TenantId, key: &DocumentKey, now: Timestamp) -> Result<Restored> {
        let mut transaction = self.begin(RESTORE).await?;
        let there = self.lock_document(&mut transaction, tenant, key).await?;
        let Some((document, tombstone)) = there.and_then(|there| Some((there.clone(), there.tombstone?))) else {
            return Ok(Restored::Missing);
        };
        let brought_back = match document.is_restorable(now) {
            true => self.bring_back(&mut transaction, tenant, key, tombstone, now).await?,
            false => Vec::new(),
        };
        if !brought_back.contains(&document.key.external_id) {
            return Ok(Restored::TooLate);
        }
        let resource = &document.facts.source_resource_id;
        self.forget_known(&mut transaction, tenant, resource, &document.key).await?;
        let restored = self.lock_document(&mut transaction, tenant, key).await?;
        transaction.commit().await.map_err(self.failed(RESTORE))?;
        Ok(restored.map_or(Restored::Missing, |document| Restored::Done(Box::new(document))))
    }
}

/// A delivery, with what it is compared by.
struct Delivery<'a> {
    new: &'a NewDocument,
    hash: ContentHash,
    facts: DocumentFacts,
    key: DocumentKey,
    now: Timestamp,
}

impl Delivery<'_> {
    fn plan(&self, there: Option<&Document>) -> Upsert {
        Document::plan(there, &self.hash, &self.facts, self.new.conflict)
    }

    /// The document as it stands afterwards.
    fn document(&self, version: u64) -> Document {
        Document {
            key: self.key.clone(),
            knowledge_base: self.new.knowledge_base.clone(),
            version,
            content_hash: self.hash.clone(),
            size_bytes: self.new.item.content.len() as u64,
            facts: self.facts.clone(),
            kept_at: self.now,
            missing_at: None,
            tombstone: None,
        }
    }
}

impl SqliteStore {
    /// Writes the new version, then switches to it, then lets go of the old one.
    async fn carry_out(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        delivery: &Delivery<'_>,
        packed: Option<PackedContent>,
    ) -> Result<Upsert> {
        let there = self.lock_document(transaction, tenant, &delivery.key).await?;
        let plan = delivery.plan(there.as_ref());
        let version = there.map_or(0, |document| document.version);
        if plan.writes_content() {
            let packed = match packed {
                Some(packed) => packed,
                None => PackedContent::of(delivery.new).await,
            };
            self.write_content(transaction, tenant, &delivery.key, version + 1, &packed).await?;
            self.write_document(transaction, tenant, &delivery.document(version + 1)).await?;
            self.drop_contents_before(transaction, tenant, &delivery.key, version + 1).await?;
        } else if plan == Upsert::Refresh {
            self.write_document(transaction, tenant, &delivery.document(version)).await?;
        }
        Ok(plan)
    }

    /// Takes back a deletion where the content is still there; gives the ids, children included.
    async fn bring_back(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        key: &DocumentKey,
        tombstone: Tombstone,
        now: Timestamp,
    ) -> Result<Vec<String>> {
        sqlx::query_scalar(BRING_BACK)
            .bind(&tenant.0)
            .bind(text(&key.data_source.0).as_ref())
            .bind(text(&key.external_id).as_ref())
            .bind(time_text(tombstone.deleted_at))
            .bind(tombstone.by.as_str())
            .bind(time_text(now))
            .fetch_all(&mut **transaction)
            .await
            .map_err(self.failed(RESTORE))
    }
}

fn refused(fault: InvalidDocument) -> Error {
    let kind = match fault {
        InvalidDocument::TooLarge | InvalidDocument::LargeFacts => ErrorKind::BodyTooLarge,
        InvalidDocument::NoId | InvalidDocument::LongId => ErrorKind::Malformed,
    };
    Error::new(kind, UPSERT, fault.to_string())
}

/// The documents of a list, and their children.
macro_rules! family {
    () => {
        "external_id IN (
             SELECT value FROM json_each(?3)
             UNION
             SELECT external_id FROM documents
             WHERE tenant_id = ?1 AND data_source_id = ?2 AND parent_id IN (SELECT value FROM json_each(?3)))"
    };
}

pub(crate) const DELETE: &str = concat!(
    "UPDATE documents SET deleted_at = ?4, deleted_by = ?5
     WHERE tenant_id = ?1 AND data_source_id = ?2 AND deleted_at IS NULL AND ",
    family!(),
    " RETURNING external_id"
);

const MARK: &str = concat!(
    "UPDATE documents SET missing_at = ?4
     WHERE tenant_id = ?1 AND data_source_id = ?2 AND deleted_at IS NULL AND missing_at IS NULL AND ?5 <> '' AND ",
    family!(),
    " RETURNING external_id"
);

pub(crate) const SWEEP: &str = "
    UPDATE documents SET deleted_at = ?5, deleted_by = 'source'
    WHERE tenant_id = ?1 AND data_source_id = ?2 AND parent_id = ?3 AND deleted_at IS NULL
      AND external_id NOT IN (SELECT value FROM json_each(?4))
    RETURNING external_id";

/// The children that went with it went at the same moment, by the same hand.
const BRING_BACK: &str = "
    UPDATE documents SET deleted_at = NULL, deleted_by = NULL, kept_at = ?6
    WHERE tenant_id = ?1 AND data_source_id = ?2 AND deleted_at = ?4 AND deleted_by = ?5 AND NOT content_gone
      AND external_id IN (
          SELECT ?3
          UNION
          SELECT external_id FROM documents WHERE tenant_id = ?1 AND data_source_id = ?2 AND parent_id = ?3)
    RETURNING external_id";

const UPSERT: &str = "keep a document";
const REMOVE: &str = "delete documents";
const RESTORE: &str = "restore a document";

/// So many documents go into one statement.
const BATCH: usize = 500;

#[cfg(test)]
mod tests;
