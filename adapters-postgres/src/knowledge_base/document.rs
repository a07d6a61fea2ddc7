//! How are documents read and written, without their bytes?

use headwater_domain::sync::{
    ContentHash, DataSourceId, DeletedBy, Document, DocumentFacts, DocumentKey, KnowledgeBaseId, Tombstone,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{DocumentFilter, DocumentQuery, Result};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{Postgres, Row, Transaction};

use crate::PgStore;
use crate::columns::{count, text, time_text};
use crate::error::unreadable;
use crate::sync_columns::{integer, json_text, number, parse_json, readable, time, time_or_none};

impl PgStore {
    pub(super) async fn read_document(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<Document>> {
        let row = sqlx::query(ONE)
            .bind(&tenant.0)
            .bind(text(&key.data_source.0).as_ref())
            .bind(text(&key.external_id).as_ref())
            .fetch_optional(self.readers())
            .await
            .map_err(self.failed(READ))?;
        row.map(|row| self.document_of(&row)).transpose()
    }

    /// A document, held until the transaction ends.
    pub(super) async fn lock_document(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        key: &DocumentKey,
    ) -> Result<Option<Document>> {
        let row = sqlx::query(LOCK)
            .bind(&tenant.0)
            .bind(text(&key.data_source.0).as_ref())
            .bind(text(&key.external_id).as_ref())
            .fetch_optional(&mut **transaction)
            .await
            .map_err(self.failed(READ))?;
        row.map(|row| self.document_of(&row)).transpose()
    }

    pub(super) async fn read_documents(&self, tenant: &TenantId, query: &DocumentQuery) -> Result<Vec<Document>> {
        let statement = match query.filter {
            DocumentFilter::Present => PRESENT,
            DocumentFilter::Deleted => DELETED,
        };
        let after = query.after.as_ref();
        let rows = sqlx::query(statement)
            .bind(&tenant.0)
            .bind(text(&query.knowledge_base.0).as_ref())
            .bind(query.data_source.as_ref().map(|id| text(&id.0).into_owned()))
            .bind(after.map_or_else(String::new, |key| text(&key.data_source.0).into_owned()))
            .bind(after.map_or_else(String::new, |key| text(&key.external_id).into_owned()))
            .bind(count(query.limit))
            .fetch_all(self.readers())
            .await
            .map_err(self.failed(READ))?;
        rows.iter().map(|row| self.document_of(row)).collect()
    }

    pub(super) async fn read_count(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<u64> {
        let documents: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM documents WHERE tenant_id = $1 AND data_source_id = $2 AND deleted_at IS NULL",
        )
        .bind(&tenant.0)
        .bind(text(&data_source.0).as_ref())
        .fetch_one(self.readers())
        .await
        .map_err(self.failed(READ))?;
        Ok(u64::try_from(documents).unwrap_or_default())
    }

    /// Writes a document that is not there; whether this was the first one to do so.
    pub(super) async fn insert_document(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        document: &Document,
    ) -> Result<bool> {
        let written = written(INSERT, tenant, document).execute(&mut **transaction).await;
        Ok(written.map_err(self.failed(WRITE))?.rows_affected() > 0)
    }

    /// Writes a document that is held.
    pub(super) async fn write_document(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        tenant: &TenantId,
        document: &Document,
    ) -> Result<()> {
        written(UPDATE, tenant, document).execute(&mut **transaction).await.map_err(self.failed(WRITE))?;
        Ok(())
    }

    fn document_of(&self, row: &PgRow) -> Result<Document> {
        document(row).map_err(|_| unreadable(&self.name(), READ, "a document"))
    }
}

fn written<'q>(
    statement: &'static str,
    tenant: &'q TenantId,
    document: &'q Document,
) -> Query<'q, Postgres, PgArguments> {
    let facts = &document.facts;
    sqlx::query(statement)
        .bind(&tenant.0)
        .bind(&document.key.data_source.0)
        .bind(&document.key.external_id)
        .bind(text(&document.knowledge_base.0).into_owned())
        .bind(integer(document.version))
        .bind(&document.content_hash.0)
        .bind(integer(document.size_bytes))
        .bind(&facts.title)
        .bind(&facts.file_name)
        .bind(&facts.content_type)
        .bind(&facts.url)
        .bind(json_text(&facts.path))
        .bind(json_text(&facts.metadata))
        .bind(&facts.source_resource_id)
        .bind(&facts.parent_id)
        .bind(facts.edited_at.map(time_text))
        .bind(time_text(document.kept_at))
}

fn document(row: &PgRow) -> sqlx::Result<Document> {
    let deleted_at = time_or_none("deleted_at", row.try_get("deleted_at")?)?;
    let deleted_by: Option<String> = row.try_get("deleted_by")?;
    let tombstone = match deleted_at {
        Some(deleted_at) => {
            let by = readable(deleted_by.as_deref().and_then(DeletedBy::parse), "deleted_by")?;
            Some(Tombstone { deleted_at, by })
        }
        None => None,
    };
    Ok(Document {
        key: DocumentKey {
            data_source: DataSourceId(row.try_get("data_source_id")?),
            external_id: row.try_get("external_id")?,
        },
        knowledge_base: KnowledgeBaseId(row.try_get("knowledge_base_id")?),
        version: number("version", row.try_get("version")?)?,
        content_hash: ContentHash(row.try_get("content_hash")?),
        size_bytes: number("size_bytes", row.try_get("size_bytes")?)?,
        facts: DocumentFacts {
            title: row.try_get("title")?,
            file_name: row.try_get("file_name")?,
            content_type: row.try_get("content_type")?,
            url: row.try_get("url")?,
            path: parse_json(row.try_get("path")?)?,
            metadata: parse_json(row.try_get("metadata")?)?,
            source_resource_id: row.try_get("source_resource_id")?,
            parent_id: row.try_get("parent_id")?,
            edited_at: time_or_none("edited_at", row.try_get("edited_at")?)?,
        },
        kept_at: time("kept_at", row.try_get("kept_at")?)?,
        missing_at: time_or_none("missing_at", row.try_get("missing_at")?)?,
        tombstone,
    })
}

/// The columns of a document, but for its tenant.
macro_rules! columns {
    () => {
        "data_source_id, external_id, knowledge_base_id, version, content_hash, size_bytes, title, file_name, content_type,
         url, path, metadata, source_resource_id, parent_id, (edited_at AT TIME ZONE 'UTC')::text AS edited_at,
         (kept_at AT TIME ZONE 'UTC')::text AS kept_at, (missing_at AT TIME ZONE 'UTC')::text AS missing_at,
         (deleted_at AT TIME ZONE 'UTC')::text AS deleted_at, deleted_by"
    };
}

const LOCK: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM documents WHERE tenant_id = $1 AND data_source_id = $2 AND external_id = $3 FOR UPDATE"
);

/// A page of a knowledge base, from its index: the place of the last document, not its number, says where it begins.
macro_rules! page {
    ($deleted:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM documents
              WHERE tenant_id = $1 AND knowledge_base_id = $2 AND ($3::text IS NULL OR data_source_id = $3)
                AND (data_source_id, external_id) > ($4, $5) AND documents.deleted_at ",
            $deleted,
            " ORDER BY data_source_id, external_id LIMIT $6"
        )
    };
}

const ONE: &str =
    concat!("SELECT ", columns!(), " FROM documents WHERE tenant_id = $1 AND data_source_id = $2 AND external_id = $3");

const PRESENT: &str = page!("IS NULL");
const DELETED: &str = page!("IS NOT NULL");

const INSERT: &str = "
    INSERT INTO documents (tenant_id, data_source_id, external_id, knowledge_base_id, version, content_hash, size_bytes,
                           title, file_name, content_type, url, path, metadata, source_resource_id, parent_id,
                           edited_at, kept_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::text::timestamptz,
            $17::text::timestamptz)
    ON CONFLICT (tenant_id, data_source_id, external_id) DO NOTHING";

/// A document that is written is there: nobody misses it, and nobody has deleted it.
const UPDATE: &str = "
    UPDATE documents
    SET knowledge_base_id = $4, version = $5, content_hash = $6, size_bytes = $7, title = $8, file_name = $9,
        content_type = $10, url = $11, path = $12, metadata = $13, source_resource_id = $14, parent_id = $15,
        edited_at = $16::text::timestamptz, kept_at = $17::text::timestamptz, missing_at = NULL, deleted_at = NULL,
        deleted_by = NULL, content_gone = FALSE
    WHERE tenant_id = $1 AND data_source_id = $2 AND external_id = $3";

const WRITE: &str = "write a document";
const READ: &str = "read documents";
