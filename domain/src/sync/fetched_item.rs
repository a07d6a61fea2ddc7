//! What a connector hands over: documents, deletions, and notes of what it left out.

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::Timestamp;

use crate::ErrorKind;

/// One document, whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FetchedItem {
    /// The vendor's id. A child of a document is `<parent>#<kind>#<token>`.
    pub external_id: String,
    /// The title as the vendor has it.
    pub title: String,
    /// The bytes of the file named by `file_name`.
    pub content: Bytes,
    /// The media type of `content`, for example `text/markdown`.
    pub content_type: String,
    /// A name that every file system takes ([`file_name`](super::file_name)).
    pub file_name: String,
    /// Where people read it. Holds no secret.
    pub url: Option<String>,
    /// The names of the folders above it, the outermost first.
    pub path: Vec<String>,
    /// When the vendor says that it was last edited.
    pub updated_at: Option<Timestamp>,
    /// Further facts, by name. Hold no secret.
    pub metadata: BTreeMap<String, String>,
    /// The selected resource below which it was found.
    pub source_resource_id: String,
    /// The document whose file or image it is.
    pub parent_id: Option<String>,
    /// The ids of all its children. Stored children that are not listed are removed once this document is kept; none: it is
    /// not known which there are, and none is removed.
    pub children: Option<Vec<String>>,
}

/// A document that is gone: absent from a complete listing, and where absence may mean hidden, probed as well.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deletion {
    /// The document.
    pub external_id: String,
    /// The selected resource below which it was.
    pub source_resource_id: String,
}

/// Whether the knowledge base has what it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Receipt {
    /// It has: the version may enter the cursor, a deleted document may leave it.
    Kept,
    /// It has not, or waits for a person's yes: the cursor keeps what it had.
    NotKept,
}

/// What happened besides documents.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// So many documents are as they were.
    Unchanged(u64),
    /// A document was left out on purpose.
    Skipped(SkippedItem),
    /// A document or a whole branch could not be had, and will be tried again.
    Failed(FailedItem),
}

/// A document that was left out on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedItem {
    /// The document.
    pub external_id: String,
    /// Its title.
    pub title: Option<String>,
    /// Why.
    pub reason: SkipReason,
}

/// Why a document was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// The vendor has no text form of this type (mind maps, boards, slides).
    UnsupportedType,
    /// It is not published.
    Draft,
    /// It has no content.
    Empty,
    /// Larger than the limit.
    TooLarge,
    /// In the vendor's trash when it was first seen.
    Trashed,
    /// A shortcut to a document that is followed anyway.
    Shortcut,
    /// The settings leave it out.
    Excluded,
    /// The system lists it, but does not let it be read: behind a password, for example.
    Hidden,
    /// It is there already, and what is there is not to be overwritten.
    Conflict,
    /// A person deleted it here.
    DeletedByPerson,
}

/// A document or a branch that could not be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedItem {
    /// The document, if it is one.
    pub external_id: Option<String>,
    /// The resource or branch, if the failure is of a listing; nothing below it counts as deleted.
    pub resource_id: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// The stable kind.
    pub kind: ErrorKind,
    /// What fills the kind with detail: the vendor's code, the missing scope. Hold no secret.
    pub params: BTreeMap<String, String>,
    /// For people; holds no secret and no vendor body.
    pub message: String,
}

impl SkipReason {
    /// The stable word.
    pub fn code(self) -> &'static str {
        match self {
            Self::UnsupportedType => "unsupported_type",
            Self::Draft => "draft",
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::Trashed => "trashed",
            Self::Shortcut => "shortcut",
            Self::Excluded => "excluded",
            Self::Hidden => "hidden",
            Self::Conflict => "conflict",
            Self::DeletedByPerson => "deleted_by_person",
        }
    }
}
