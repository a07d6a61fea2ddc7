//! The objects of Yuque's API that are read, as they come over the wire.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

/// What every good answer is wrapped in.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<T> {
    pub(super) data: T,
    #[serde(default)]
    pub(super) meta: Option<Meta>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Meta {
    #[serde(default)]
    pub(super) total: Option<u64>,
}

/// A user or a team.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Owner {
    pub(super) id: u64,
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    pub(super) login: String,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) description: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Book {
    pub(super) id: u64,
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) namespace: String,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) content_updated_at: Option<Timestamp>,
    #[serde(default)]
    pub(super) user: Option<Owner>,
}

/// A document as listings show it, and with its content as the detail does.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Doc {
    pub(super) id: u64,
    #[serde(default, rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) slug: String,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) book_id: Option<u64>,
    /// A number, or a text with one.
    #[serde(default)]
    pub(super) status: Value,
    #[serde(default)]
    pub(super) format: Option<String>,
    #[serde(default)]
    pub(super) updated_at: Option<Timestamp>,
    #[serde(default)]
    pub(super) content_updated_at: Option<Timestamp>,
    #[serde(default)]
    pub(super) published_at: Option<Timestamp>,
    #[serde(default)]
    pub(super) word_count: Option<u64>,
    #[serde(default)]
    pub(super) body: Option<String>,
    #[serde(default)]
    pub(super) body_html: Option<String>,
    #[serde(default)]
    pub(super) body_sheet: Option<String>,
    #[serde(default)]
    pub(super) body_table: Option<String>,
    #[serde(default)]
    pub(super) creator: Option<Owner>,
}

impl Doc {
    /// Whether it was never published. One with edits that are not published yet may have the status 0 as well.
    pub(super) fn is_draft(&self) -> bool {
        let unpublished = match &self.status {
            Value::Number(number) => number.as_i64() == Some(0),
            Value::String(text) => text.trim() == "0",
            _ => false,
        };
        unpublished && self.published_at.is_none()
    }

    /// The kind of content; a document where nothing is said.
    pub(super) fn kind(&self) -> &str {
        self.kind.as_deref().filter(|kind| !kind.is_empty()).unwrap_or("Doc")
    }
}

/// An entry of a table of contents.
#[derive(Debug, Deserialize)]
pub(super) struct TocEntry {
    pub(super) uuid: String,
    #[serde(default)]
    pub(super) title: String,
    /// A number, or an empty text.
    #[serde(default)]
    pub(super) doc_id: Value,
    #[serde(default)]
    pub(super) parent_uuid: Option<String>,
}
