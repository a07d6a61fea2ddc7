//! What is told of a run: an event a line, as JSON or for people.

use std::collections::BTreeMap;

use headwater_domain::sync::{Deletion, FailedItem, FetchedItem, SkippedItem};
use headwater_ports::Error;
use jiff::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// An event.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Event<'e> {
    /// A document came, or is gone.
    Item(Box<ItemEvent<'e>>),
    /// A document was left out on purpose.
    Skipped {
        external_id: &'e str,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'e str>,
        reason: &'static str,
    },
    /// A document or a branch could not be had.
    Failed {
        #[serde(skip_serializing_if = "Option::is_none")]
        external_id: Option<&'e str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        resource_id: Option<&'e str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'e str>,
        code: &'static str,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        params: &'e BTreeMap<String, String>,
        message: &'e str,
    },
    /// The cursor is durable.
    Checkpoint,
    /// The run is over.
    End {
        outcome: &'static str,
        counts: Counts,
        requests: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Reason>,
    },
}

/// A document that came, or is gone.
#[derive(Debug, Default, Serialize)]
pub(super) struct ItemEvent<'e> {
    external_id: &'e str,
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'e str,
    #[serde(skip_serializing_if = "str::is_empty")]
    file_name: &'e str,
    #[serde(skip_serializing_if = "str::is_empty")]
    content_type: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'e str>,
    path: &'e [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<Timestamp>,
    is_deleted: bool,
    source_resource_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    metadata: BTreeMap<&'e str, &'e str>,
}

/// How many of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    pub(super) created: u64,
    pub(super) updated: u64,
    pub(super) deleted: u64,
    pub(super) skipped: u64,
    pub(super) failed: u64,
    pub(super) unchanged: u64,
}

/// Why a run ended early.
#[derive(Debug, Serialize)]
pub(super) struct Reason {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl<'e> Event<'e> {
    /// A document that came.
    pub(super) fn item(item: &'e FetchedItem) -> Self {
        let digest = Sha256::digest(&item.content);
        Self::Item(Box::new(ItemEvent {
            external_id: &item.external_id,
            title: &item.title,
            file_name: &item.file_name,
            content_type: &item.content_type,
            size_bytes: Some(item.content.len()),
            url: item.url.as_deref().filter(|url| !url.is_empty()),
            path: &item.path,
            updated_at: item.updated_at,
            is_deleted: false,
            source_resource_id: &item.source_resource_id,
            parent_id: item.parent_id.as_deref(),
            sha256: Some(digest.iter().map(|byte| format!("{byte:02x}")).collect()),
            metadata: item
                .metadata
                .iter()
                .map(|(name, fact)| (name.as_str(), fact.as_str()))
                .filter(|(_, fact)| !fact.is_empty())
                .collect(),
        }))
    }

    /// A document that is gone.
    pub(super) fn deleted(deletion: &'e Deletion) -> Self {
        Self::Item(Box::new(ItemEvent {
            external_id: &deletion.external_id,
            source_resource_id: &deletion.source_resource_id,
            is_deleted: true,
            ..ItemEvent::default()
        }))
    }

    /// A document that was left out.
    pub(super) fn skipped(skipped: &'e SkippedItem) -> Self {
        let title = skipped.title.as_deref().filter(|title| !title.is_empty());
        Self::Skipped { external_id: &skipped.external_id, title, reason: skipped.reason.code() }
    }

    /// A document or branch that failed, with its message.
    pub(super) fn failed(failed: &'e FailedItem, message: &'e str) -> Self {
        Self::Failed {
            external_id: failed.external_id.as_deref(),
            resource_id: failed.resource_id.as_deref(),
            title: failed.title.as_deref().filter(|title| !title.is_empty()),
            code: failed.kind.code(),
            params: &failed.params,
            message,
        }
    }

    /// For people.
    pub(super) fn line(&self) -> Option<String> {
        Some(match self {
            Self::Item(item) if item.is_deleted => format!("- {}", item.external_id),
            Self::Item(item) => {
                let folders = item.path.iter().map(|folder| format!("{folder}/")).collect::<String>();
                format!("+ {folders}{}  {} bytes  {}", item.file_name, item.size_bytes.unwrap_or(0), item.external_id)
            }
            Self::Skipped { external_id, title, reason } => {
                format!("  {} left out: {reason}", title.unwrap_or(external_id))
            }
            Self::Failed { external_id, resource_id, title, code, message, .. } => {
                let what = title.or(*external_id).or(*resource_id).unwrap_or("something");
                format!("! {what} failed ({code}): {message}")
            }
            Self::Checkpoint => return None,
            Self::End { outcome, counts, requests, error } => {
                let Counts { created, updated, deleted, skipped, failed, unchanged } = counts;
                let why =
                    error.as_ref().map(|error| format!(": {}: {}", error.code, error.message)).unwrap_or_default();
                format!(
                    "{outcome}{why}: {created} new, {updated} updated, {deleted} deleted, {unchanged} unchanged, \
                     {skipped} left out, {failed} failed; {requests} requests"
                )
            }
        })
    }
}

impl Reason {
    /// Why, without secrets.
    pub(super) fn of(error: &Error, message: String) -> Self {
        Self { code: error.kind.code(), message, hint: error.hint.clone() }
    }
}
