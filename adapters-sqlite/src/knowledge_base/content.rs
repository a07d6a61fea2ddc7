//! How are the bytes of documents read and written?

use bytes::Bytes;
use headwater_domain::sync::{DocumentKey, NewDocument};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::Result;
use sqlx::{Sqlite, Transaction};

use crate::SqliteStore;
use crate::columns::{count, text};
use crate::content::{Packed, pack, unpack};
use crate::error::unreadable;
use crate::sync_columns::integer;

/// The bytes of one version, ready to be written.
pub(super) struct PackedContent {
    original: Packed,
    text: Option<Packed>,
}

impl PackedContent {
    pub(super) async fn of(new: &NewDocument) -> Self {
        let original = pack(new.item.content.clone()).await;
        let text = match &new.text {
            Some(words) => Some(pack(Bytes::from(text(words).into_owned())).await),
            None => None,
        };
        Self { original, text }
    }
}

impl SqliteStore {
    pub(super) async fn write_content(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        key: &DocumentKey,
        version: u64,
        content: &PackedContent,
    ) -> Result<()> {
        let text = content.text.as_ref();
        sqlx::query(WRITE)
            .bind(&tenant.0)
            .bind(&key.data_source.0)
            .bind(&key.external_id)
            .bind(integer(version))
            .bind(content.original.bytes.as_ref())
            .bind(content.original.coding)
            .bind(count(content.original.size))
            .bind(text.map(|text| text.bytes.as_ref()))
            .bind(text.map(|text| text.coding))
            .bind(text.map(|text| count(text.size)))
            .execute(&mut **transaction)
            .await
            .map_err(self.failed("write the content of a document"))?;
        Ok(())
    }

    pub(super) async fn drop_contents_before(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        tenant: &TenantId,
        key: &DocumentKey,
        version: u64,
    ) -> Result<()> {
        sqlx::query(
            "DELETE FROM document_contents
             WHERE tenant_id = ?1 AND data_source_id = ?2 AND external_id = ?3 AND version < ?4",
        )
        .bind(&tenant.0)
        .bind(&key.data_source.0)
        .bind(&key.external_id)
        .bind(integer(version))
        .execute(&mut **transaction)
        .await
        .map_err(self.failed("let go of an old version"))?;
        Ok(())
    }

    pub(super) async fn read_original(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<Bytes>> {
        self.read(ORIGINAL, tenant, key).await
    }

    pub(super) async fn read_text(&self, tenant: &TenantId, key: &DocumentKey) -> Result<Option<String>> {
        let Some(bytes) = self.read(TEXT, tenant, key).await? else { return Ok(None) };
        let text =
            String::from_utf8(bytes.into()).map_err(|_| unreadable(&self.name(), READ, "the text of a document"))?;
        Ok(Some(text))
    }

    async fn read(&self, question: &'static str, tenant: &TenantId, key: &DocumentKey) -> Result<Option<Bytes>> {
        let row: Option<ContentRow> = sqlx::query_as(question)
            .bind(&tenant.0)
            .bind(text(&key.data_source.0).as_ref())
            .bind(text(&key.external_id).as_ref())
            .fetch_optional(self.readers())
            .await
            .map_err(self.failed(READ))?;
        let Some((Some(stored), Some(coding), Some(size))) = row else { return Ok(None) };
        let content = unpack(stored, coding, size).await;
        content.map(Some).ok_or_else(|| unreadable(&self.name(), READ, "the content of a document"))
    }
}

/// The bytes, how they are packed, and how many they were.
type ContentRow = (Option<Vec<u8>>, Option<String>, Option<i64>);

const WRITE: &str = "
    INSERT INTO document_contents (tenant_id, data_source_id, external_id, version, original, original_coding,
                                   original_bytes, text, text_coding, text_bytes)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

/// Some columns of the present version of a document that is not deleted.
macro_rules! present {
    ($columns:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM documents JOIN document_contents USING (tenant_id, data_source_id, external_id, version)
              WHERE documents.tenant_id = ?1 AND documents.data_source_id = ?2 AND documents.external_id = ?3
                AND documents.deleted_at IS NULL"
        )
    };
}

pub(super) const ORIGINAL: &str = present!("original, original_coding, original_bytes");
const TEXT: &str = present!("text, text_coding, text_bytes");

const READ: &str = "read the content of a document";
