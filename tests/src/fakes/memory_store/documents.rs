//! How documents are kept in memory.

use std::collections::BTreeSet;

use async_trait::async_trait;
use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{
    CursorChange, DataSourceId, DeletedBy, Document, DocumentKey, Fence, InvalidDocument, NewDocument, Tombstone,
    Upsert,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{DocumentFilter, DocumentQuery, Error, Fenced, KnowledgeBase, Removal, Restored, Result};
use jiff::Timestamp;

use super::{MemoryStore, Rows, clean, microseconds};

/// A document with its bytes, as long as they are kept.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) document: Document,
    pub(super) content: Option<(Bytes, Option<String>)>,
}

#[async_trait]
impl KnowledgeBase for MemoryStore {
    async fn upsert_document(&self, fence: &Fence, new: &NewDocument, now: Timestamp) -> Result<Fenced<Upsert>> {
        new.check().map_err(refused)?;
        let mut rows = self.rows();
        if !rows.permits(fence) {
            return Ok(Fenced::Stale);
        }
        let place = (fence.tenant.clone(), key(&fence.data_source, &new.item.external_id));
        let there = rows.documents.get(&place).cloned();
        let document = there.as_ref().map(|kept| &kept.document);
        let (hash, facts) = (new.content_hash(), new.facts());
        let plan = Document::plan(document, &hash, &facts, new.conflict);
        let version = document.map_or(0, |document| document.version);
        let document = Document {
            key: place.1.clone(),
            knowledge_base: new.knowledge_base.clone(),
            version: if plan.writes_content() { version + 1 } else { version },
            content_hash: hash,
            size_bytes: new.item.content.len() as u64,
            facts,
            kept_at: microseconds(now),
            missing_at: None,
            tombstone: None,
        };
        match plan {
            Upsert::Create | Upsert::Replace => {
                let content = Some((new.item.content.clone(), new.text.as_deref().map(clean)));
                rows.documents.insert(place, Kept { document, content });
            }
            Upsert::Refresh => {
                let content = there.and_then(|kept| kept.content);
                rows.documents.insert(place, Kept { document, content });
            }
            Upsert::Keep | Upsert::Yield | Upsert::StayAway => {}
        }
        Ok(Fenced::Done(plan))
    }

    async fn remove_documents(
        &self,
        fence: &Fence,
        external_ids: &[String],
        how: Removal,
        now: Timestamp,
    ) -> Result<Fenced<Vec<String>>> {
        let mut rows = self.rows();
        if !rows.permits(fence) {
            return Ok(Fenced::Stale);
        }
        let ids: BTreeSet<_> = external_ids.iter().map(|id| clean(id)).collect();
        let hit = |document: &Document| {
            ids.contains(&document.key.external_id)
                || document.facts.parent_id.as_ref().is_some_and(|parent| ids.contains(parent))
        };
        Ok(Fenced::Done(rows.remove(&fence.tenant, &fence.data_source, hit, how, now)))
    }

    async fn sweep_children<'a>(
        &self,
        fence: &Fence,
        parent: &'a str,
        keep: &[String],
        now: Timestamp,
    ) -> Result<Fenced<Vec<String>>> {
        let mut rows = self.rows();
        if !rows.permits(fence) {
            return Ok(Fenced::Stale);
        }
        let keep: BTreeSet<_> = keep.iter().map(|id| clean(id)).collect();
        let parent = clean(parent);
        let hit = |document: &Document| {
            document.facts.parent_id.as_ref() == Some(&parent) && !keep.contains(&document.key.external_id)
        };
        Ok(Fenced::Done(rows.remove(&fence.tenant, &fence.data_source, hit, Removal::Delete, now)))
    }

    async fn document(&self, tenant: &TenantId, given: &DocumentKey) -> Result<Option<Document>> {
        Ok(self.rows().kept(tenant, given).map(|kept| kept.document.clone()))
    }

    async fn documents(&self, tenant: &TenantId, query: &DocumentQuery) -> Result<Vec<Document>> {
        let rows = self.rows();
        let found = rows
            .documents
            .iter()
            .filter(|((owner, _), _)| owner == tenant)
            .map(|(_, kept)| &kept.document)
            .filter(|document| document.knowledge_base == query.knowledge_base)
            .filter(|document| query.data_source.as_ref().is_none_or(|source| document.key.data_source == *source))
            .filter(|document| (query.filter == DocumentFilter::Deleted) == document.tombstone.is_some())
            .filter(|document| query.after.as_ref().is_none_or(|after| document.key > *after))
            .take(query.limit);
        Ok(found.cloned().collect())
    }

    async fn count_documents(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<u64> {
        let rows = self.rows();
        let documents = rows.documents.iter().filter(|((owner, key), kept)| {
            owner == tenant && key.data_source == *data_source && kept.document.tombstone.is_none()
        });
        Ok(documents.count() as u64)
    }

    async fn document_original(&self, tenant: &TenantId, given: &DocumentKey) -> Result<Option<Bytes>> {
        Ok(self.rows().content(tenant, given).map(|(original, _)| original))
    }

    async fn document_text(&self, tenant: &TenantId, given: &DocumentKey) -> Result<Option<String>> {
        Ok(self.rows().content(tenant, given).and_then(|(_, text)| text))
    }

    async fn delete_document(&self, tenant: &TenantId, given: &DocumentKey, now: Timestamp) -> Result<bool> {
        let mut rows = self.rows();
        let id = clean(&given.external_id);
        let tombstone = Some(Tombstone { deleted_at: microseconds(now), by: DeletedBy::Person });
        let there = rows.kept(tenant, given).is_some_and(|kept| kept.document.tombstone.is_none());
        for ((owner, key), kept) in &mut rows.documents {
            let document = &mut kept.document;
            let hit = key.external_id == id || document.facts.parent_id.as_ref() == Some(&id);
            let of_source = owner == tenant && key.data_source == given.data_source;
            if there && hit && of_source && document.tombstone.is_none() {
                document.tombstone = tombstone;
            }
        }
        Ok(there)
    }

    async fn restore_document(&self, tenant: &TenantId, given: &DocumentKey, now: Timestamp) -> Result<Restored> {
        let mut rows = self.rows();
        let Some(document) = rows.kept(tenant, given).map(|kept| kept.document.clone()) else {
            return Ok(Restored::Missing);
        };
        let Some(tombstone) = document.tombstone else { return Ok(Restored::Missing) };
        if !document.is_restorable(now) || rows.kept(tenant, given).is_none_or(|kept| kept.content.is_none()) {
            return Ok(Restored::TooLate);
        }
        let id = &document.key.external_id;
        for ((owner, key), kept) in &mut rows.documents {
            let hit = key.external_id == *id || kept.document.facts.parent_id.as_ref() == Some(id);
            let of_source = owner == tenant && key.data_source == given.data_source;
            if hit && of_source && kept.document.tombstone == Some(tombstone) && kept.content.is_some() {
                kept.document.tombstone = None;
                kept.document.kept_at = microseconds(now);
            }
        }
        if let Some(cursor) = rows.cursors.get_mut(&(tenant.clone(), given.data_source.clone())) {
            let resource = document.facts.source_resource_id.clone();
            cursor.apply(CursorChange::Forgotten { resource, external_id: id.clone() });
        }
        let restored = rows.kept(tenant, given).expect("it was just there").document.clone();
        Ok(Restored::Done(Box::new(restored)))
    }
}

impl Rows {
    fn kept(&self, tenant: &TenantId, given: &DocumentKey) -> Option<&Kept> {
        self.documents.get(&(tenant.clone(), key(&given.data_source, &given.external_id)))
    }

    fn content(&self, tenant: &TenantId, given: &DocumentKey) -> Option<(Bytes, Option<String>)> {
        self.kept(tenant, given).filter(|kept| kept.document.tombstone.is_none())?.content.clone()
    }

    fn remove(
        &mut self,
        tenant: &TenantId,
        data_source: &DataSourceId,
        hit: impl Fn(&Document) -> bool,
        how: Removal,
        now: Timestamp,
    ) -> Vec<String> {
        let now = microseconds(now);
        let mut removed = Vec::new();
        for ((owner, key), kept) in &mut self.documents {
            let document = &mut kept.document;
            let of_source = owner == tenant && key.data_source == *data_source && document.tombstone.is_none();
            if !of_source || !hit(document) || (how == Removal::Mark && document.missing_at.is_some()) {
                continue;
            }
            match how {
                Removal::Delete => document.tombstone = Some(Tombstone { deleted_at: now, by: DeletedBy::Source }),
                Removal::Mark => document.missing_at = Some(now),
            }
            removed.push(key.external_id.clone());
        }
        removed
    }
}

fn key(data_source: &DataSourceId, external_id: &str) -> DocumentKey {
    DocumentKey { data_source: data_source.clone(), external_id: clean(external_id) }
}

fn refused(fault: InvalidDocument) -> Error {
    let kind = match fault {
        InvalidDocument::TooLarge | InvalidDocument::LargeFacts => ErrorKind::BodyTooLarge,
        InvalidDocument::NoId | InvalidDocument::LongId => ErrorKind::Malformed,
    };
    Error::new(kind, "keep a document", fault.to_string())
}
