//! What the knowledge base has of a document, and what a new delivery of it changes.

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::deletion::restorable_until;
use super::{ConflictStrategy, DataSourceId, FetchedItem, KnowledgeBaseId, MAX_ID_BYTES};
use crate::secret::redact_url;

/// Which document: the vendor's id means nothing without the data source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentKey {
    /// Where it came from.
    pub data_source: DataSourceId,
    /// The vendor's id.
    pub external_id: String,
}

/// A document without its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Which one.
    pub key: DocumentKey,
    /// Where it belongs.
    pub knowledge_base: KnowledgeBaseId,
    /// Counts the versions of the content, from 1.
    pub version: u64,
    /// What tells one content from another.
    pub content_hash: ContentHash,
    /// Bytes of the original.
    pub size_bytes: u64,
    /// What may change without the content.
    pub facts: DocumentFacts,
    /// When this version, or these facts, were written.
    pub kept_at: Timestamp,
    /// Since when the source no longer has it, while it stays here.
    pub missing_at: Option<Timestamp>,
    /// Set on a document that was deleted and can still be restored.
    pub tombstone: Option<Tombstone>,
}

/// What may change about a document while its content stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentFacts {
    /// The title.
    pub title: String,
    /// A name that every file system takes.
    pub file_name: String,
    /// The media type of the original.
    pub content_type: String,
    /// Where people read it.
    pub url: Option<String>,
    /// The folders above it, the outermost first.
    pub path: Vec<String>,
    /// Further facts, by name.
    pub metadata: BTreeMap<String, String>,
    /// The selected resource below which it was found.
    pub source_resource_id: String,
    /// The document whose file or image it is.
    pub parent_id: Option<String>,
    /// When the vendor says that it was last edited, to the microsecond.
    pub edited_at: Option<Timestamp>,
}

/// The SHA-256 of a document's original and of its text, as hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentHash(pub String);

/// That, when and by whom a document was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tombstone {
    /// When.
    pub deleted_at: Timestamp,
    /// By whom.
    pub by: DeletedBy,
}

/// Who deleted a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeletedBy {
    /// It went at the source; if it is there again, it is here again.
    Source,
    /// A person deleted it here; it stays away, whatever the source says, until a person restores it.
    Person,
}

/// A delivery of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDocument {
    /// Where it belongs.
    pub knowledge_base: KnowledgeBaseId,
    /// What the connector handed over.
    pub item: FetchedItem,
    /// Its text, where the original is no text, or none could be had.
    pub text: Option<String>,
    /// What happens if it is there already.
    pub conflict: ConflictStrategy,
}

/// What a delivery changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upsert {
    /// It is new, or there again: version and content are written.
    Create,
    /// The content is new: the new version is written, then takes the place of the old one.
    Replace,
    /// The content is the same, and something about it is not.
    Refresh,
    /// Everything is as it was.
    Keep,
    /// It is there, and what is there is not to be overwritten.
    Yield,
    /// A person deleted it.
    StayAway,
}

/// Why a delivery cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDocument {
    /// It has no id.
    #[error("the document has no id")]
    NoId,
    /// An id is longer than [`MAX_ID_BYTES`].
    #[error("an id of the document is longer than {MAX_ID_BYTES} bytes")]
    LongId,
    /// The original or its text is larger than [`MAX_DOCUMENT_BYTES`].
    #[error("the document is larger than {MAX_DOCUMENT_BYTES} bytes")]
    TooLarge,
    /// What is said about it is larger than [`MAX_FACTS_BYTES`].
    #[error("what is said about the document is larger than {MAX_FACTS_BYTES} bytes")]
    LargeFacts,
}

impl NewDocument {
    /// Whether it can be kept.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), InvalidDocument> {
        let item = &self.item;
        let parent = item.parent_id.as_deref().unwrap_or_default();
        if item.external_id.is_empty() {
            return Err(InvalidDocument::NoId);
        }
        if [&item.external_id, &item.source_resource_id, parent].iter().any(|id| id.len() > MAX_ID_BYTES) {
            return Err(InvalidDocument::LongId);
        }
        if item.content.len().max(self.text.as_ref().map_or(0, String::len)) > MAX_DOCUMENT_BYTES {
            return Err(InvalidDocument::TooLarge);
        }
        let metadata = item.metadata.iter().map(|(name, value)| name.len() + value.len());
        let path = item.path.iter().map(String::len);
        let texts = [&item.title, &item.file_name, &item.content_type].map(String::len);
        let url = item.url.as_ref().map_or(0, String::len);
        if metadata.chain(path).chain(texts).sum::<usize>() + url > MAX_FACTS_BYTES {
            return Err(InvalidDocument::LargeFacts);
        }
        Ok(())
    }

    /// What may change about it while the content stays, as a store keeps and compares it: no secret in the URL, no NUL in a
    /// text, no time finer than a microsecond.
    pub fn facts(&self) -> DocumentFacts {
        let item = &self.item;
        let microsecond = |at: Timestamp| Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at);
        let clean = |text: &String| text.replace('\0', "\u{fffd}");
        DocumentFacts {
            title: clean(&item.title),
            file_name: clean(&item.file_name),
            content_type: clean(&item.content_type),
            url: item.url.as_ref().map(|url| clean(&redact_url(url).into_owned())),
            path: item.path.iter().map(clean).collect(),
            metadata: item.metadata.iter().map(|(name, value)| (clean(name), clean(value))).collect(),
            source_resource_id: clean(&item.source_resource_id),
            parent_id: item.parent_id.as_ref().map(clean),
            edited_at: item.updated_at.map(microsecond),
        }
    }

    /// What tells its content from another.
    pub fn content_hash(&self) -> ContentHash {
        ContentHash::of(&self.item.content, self.text.as_deref())
    }
}

impl ContentHash {
    /// The hash of an original and its text.
    pub fn of(original: &Bytes, text: Option<&str>) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(original);
        if let Some(text) = text {
            // The length keeps the border between the two in the hash.
            hasher.update((original.len() as u64).to_be_bytes());
            hasher.update(text);
        }
        Self(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl Document {
    /// What a delivery changes about the document that is there, if one is.
    pub fn plan(there: Option<&Self>, hash: &ContentHash, facts: &DocumentFacts, conflict: ConflictStrategy) -> Upsert {
        let Some(there) = there else { return Upsert::Create };
        match there.tombstone.map(|tombstone| tombstone.by) {
            Some(DeletedBy::Person) => return Upsert::StayAway,
            Some(DeletedBy::Source) => return Upsert::Create,
            None => {}
        }
        let same_content = there.content_hash == *hash;
        let same_facts = there.facts == *facts && there.missing_at.is_none();
        match conflict {
            _ if same_content && same_facts => Upsert::Keep,
            ConflictStrategy::Skip => Upsert::Yield,
            ConflictStrategy::Overwrite if same_content => Upsert::Refresh,
            ConflictStrategy::Overwrite => Upsert::Replace,
        }
    }

    /// Whether it was deleted and can still be restored at `now`.
    pub fn is_restorable(&self, now: Timestamp) -> bool {
        self.tombstone.is_some_and(|tombstone| restorable_until(tombstone.deleted_at) > now)
    }
}

impl Upsert {
    /// Whether a new version of the content is written.
    pub fn writes_content(self) -> bool {
        matches!(self, Self::Create | Self::Replace)
    }
}

impl DeletedBy {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Person => "person",
        }
    }

    /// The one for a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Source, Self::Person].into_iter().find(|by| by.as_str() == word)
    }
}

/// Bytes of one document's original, and of its text: 64 MiB.
pub const MAX_DOCUMENT_BYTES: usize = 64 * 1024 * 1024;

/// Bytes of everything that is said about one document: 256 KiB.
pub const MAX_FACTS_BYTES: usize = 256 * 1024;

#[cfg(test)]
mod tests;
