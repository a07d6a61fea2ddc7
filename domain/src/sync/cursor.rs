//! Where a sync stands: the version of every document that the knowledge base has.

use std::collections::BTreeMap;
use std::ops::Bound;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is remembered between two runs of a data source.
///
/// To a reader of the API it is a complete snapshot; to a store it costs what changed: each change is also kept in a list,
/// which [`take_changes`](Self::take_changes) empties at a checkpoint. An entry MUST enter only after the knowledge base has
/// that version (a [`Receipt::Kept`](super::Receipt::Kept)), and holds no secret.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SyncCursor {
    /// When the last complete run began.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_sync_at: Option<Timestamp>,
    /// The connector's own small notes, by name: validators, tokens of change feeds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    state: BTreeMap<String, Value>,
    /// Resource → external id → version, all in the connector's words.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    known: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(skip)]
    changes: Vec<CursorChange>,
}

/// One change to a cursor since the last checkpoint.
#[derive(Debug, Clone, PartialEq)]
pub enum CursorChange {
    /// A document has this version now.
    Known {
        /// The source resource.
        resource: String,
        /// The document.
        external_id: String,
        /// Its version.
        version: String,
    },
    /// A document is no longer known.
    Forgotten {
        /// The source resource.
        resource: String,
        /// The document.
        external_id: String,
    },
    /// A note has this value now; none: it is gone.
    State {
        /// Its name.
        name: String,
        /// Its value.
        value: Option<Value>,
    },
    /// A complete run began then.
    LastSync(Timestamp),
}

impl SyncCursor {
    /// The version of a document that the knowledge base has.
    pub fn version(&self, resource: &str, external_id: &str) -> Option<&str> {
        self.known.get(resource)?.get(external_id).map(String::as_str)
    }

    /// The known documents of a resource with their versions, in the order of their ids.
    pub fn known(&self, resource: &str) -> impl Iterator<Item = (&str, &str)> {
        self.known.get(resource).into_iter().flatten().map(|(id, version)| (id.as_str(), version.as_str()))
    }

    /// The known documents of a resource whose ids begin with `prefix`, as the children of a document do. The cost does not
    /// grow with what else is known.
    pub fn known_below<'a>(&'a self, resource: &str, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let documents = self.known.get(resource).into_iter().flat_map(move |documents| documents.range::<str, _>(from));
        let documents = documents.map(|(id, version)| (id.as_str(), version.as_str()));
        documents.take_while(move |(id, _)| id.starts_with(prefix))
    }

    /// The resources of which documents are known, in order.
    pub fn resources(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// How many documents are known.
    pub fn len(&self) -> usize {
        self.known.values().map(BTreeMap::len).sum()
    }

    /// Whether no document is known.
    pub fn is_empty(&self) -> bool {
        self.known.values().all(BTreeMap::is_empty)
    }

    /// Remembers that the knowledge base has this version of a document.
    pub fn record(&mut self, resource: &str, external_id: &str, version: impl Into<String>) {
        let version = version.into();
        if self.version(resource, external_id) == Some(version.as_str()) {
            return;
        }
        self.known.entry(resource.to_owned()).or_default().insert(external_id.to_owned(), version.clone());
        self.changes.push(CursorChange::Known {
            resource: resource.to_owned(),
            external_id: external_id.to_owned(),
            version,
        });
    }

    /// Forgets a document.
    pub fn forget(&mut self, resource: &str, external_id: &str) {
        let Some(documents) = self.known.get_mut(resource) else {
            return;
        };
        if documents.remove(external_id).is_none() {
            return;
        }
        if documents.is_empty() {
            self.known.remove(resource);
        }
        self.changes
            .push(CursorChange::Forgotten { resource: resource.to_owned(), external_id: external_id.to_owned() });
    }

    /// The connector's note of that name.
    pub fn state(&self, name: &str) -> Option<&Value> {
        self.state.get(name)
    }

    /// The names of the connector's notes, in order.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        self.state.keys().map(String::as_str)
    }

    /// Sets a note; none removes it.
    pub fn record_state(&mut self, name: &str, value: Option<Value>) {
        if self.state.get(name) == value.as_ref() {
            return;
        }
        match value.clone() {
            Some(value) => self.state.insert(name.to_owned(), value),
            None => self.state.remove(name),
        };
        self.changes.push(CursorChange::State { name: name.to_owned(), value });
    }

    /// When the last complete run began.
    pub fn last_sync_at(&self) -> Option<Timestamp> {
        self.last_sync_at
    }

    /// Remembers that a run which began then was complete.
    pub fn record_sync(&mut self, began_at: Timestamp) {
        self.last_sync_at = Some(began_at);
        self.changes.push(CursorChange::LastSync(began_at));
    }

    /// Puts a change of before into the cursor, as when it is read from a store. It is no change of its own.
    pub fn apply(&mut self, change: CursorChange) {
        match change {
            CursorChange::Known { resource, external_id, version } => {
                self.known.entry(resource).or_default().insert(external_id, version);
            }
            CursorChange::Forgotten { resource, external_id } => {
                if let Some(documents) = self.known.get_mut(&resource) {
                    documents.remove(&external_id);
                    if documents.is_empty() {
                        self.known.remove(&resource);
                    }
                }
            }
            CursorChange::State { name, value: Some(value) } => {
                self.state.insert(name, value);
            }
            CursorChange::State { name, value: None } => {
                self.state.remove(&name);
            }
            CursorChange::LastSync(at) => self.last_sync_at = Some(at),
        }
    }

    /// Makes every document be read again, while what is gone is still found: versions become empty, which no connector
    /// gives, and its notes go.
    pub fn forget_versions(&mut self) {
        let known: Vec<_> =
            self.known.iter().flat_map(|(resource, ids)| ids.keys().map(move |id| (resource, id))).collect();
        let known: Vec<_> = known.into_iter().map(|(resource, id)| (resource.clone(), id.clone())).collect();
        known.iter().for_each(|(resource, id)| self.record(resource, id, ""));
        let names: Vec<_> = self.state.keys().cloned().collect();
        names.iter().for_each(|name| self.record_state(name, None));
    }

    /// What changed since the last call, in order.
    pub fn take_changes(&mut self) -> Vec<CursorChange> {
        std::mem::take(&mut self.changes)
    }
}
