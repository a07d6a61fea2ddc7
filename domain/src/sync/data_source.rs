//! What a connected outside system is, and what of it may be changed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{DataSourceStatus, ParkReason, RunStatus, Standing};
use crate::secret::{SecretPlace, redact_url};
use crate::synthesis::source::TenantId;

/// The identifier of a data source: a UUID as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DataSourceId(pub String);

/// The identifier of a knowledge base: a UUID as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KnowledgeBaseId(pub String);

/// A connected outside system, bound to a knowledge base.
///
/// It holds no secret: credentials stand sealed in their own store, at [`credential_place`](Self::credential_place).
#[derive(Debug, Clone, PartialEq)]
pub struct DataSource {
    /// Which one.
    pub id: DataSourceId,
    /// Whose it is; it never changes.
    pub tenant: TenantId,
    /// Where its documents go; it never changes.
    pub knowledge_base: KnowledgeBaseId,
    /// What people call it.
    pub name: String,
    /// Which connector speaks to it; it never changes.
    pub connector_type: String,
    /// The selected resources, in the user's order.
    pub resource_ids: Vec<String>,
    /// What is no secret, as the connector documents it.
    pub settings: Map<String, Value>,
    /// When it is read by itself; none: only by hand.
    pub schedule: Option<SyncSchedule>,
    /// How much is read.
    pub sync_mode: SyncMode,
    /// Whether it is read.
    pub status: DataSourceStatus,
    /// What happens to a document that is there already.
    pub conflict_strategy: ConflictStrategy,
    /// Whether what is deleted there is deleted here. If not it is counted and marked.
    pub sync_deletions: bool,
    /// A person's yes to so many deletions in one run; used up by the run that needs it.
    pub confirmed_deletions: Option<u64>,
    /// Days for which the logs of its runs are kept; none: as the configuration says.
    pub log_retention_days: Option<u32>,
    /// Runs that failed one after the other. Runs write it, people do not.
    pub failures: u32,
    /// When its last complete run began. Runs write it, people do not.
    pub last_sync_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a person changed it last, or it was parked.
    pub updated_at: Timestamp,
    /// Counts the changes; a change names the one that it was made for.
    pub revision: u64,
}

/// When a data source is read by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncSchedule {
    /// The cron expression, as it was given.
    pub expression: String,
    /// The time zone that it is meant in, by its IANA name.
    pub zone: String,
}

/// How much a run reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncMode {
    /// What changed since the last run.
    #[default]
    Incremental,
    /// Everything, every time.
    Full,
}

/// What happens to a document that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictStrategy {
    /// The new version takes its place.
    #[default]
    Overwrite,
    /// It stays as it is, and the new version is left out.
    Skip,
}

/// What of a data source is to be different. What is none stays as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DataSourceChange {
    /// What people call it.
    pub name: Option<String>,
    /// The selected resources.
    pub resource_ids: Option<Vec<String>>,
    /// The settings, all of them.
    pub settings: Option<Map<String, Value>>,
    /// When it is read by itself; `Some(None)`: only by hand.
    pub schedule: Option<Option<SyncSchedule>>,
    /// How much is read.
    pub sync_mode: Option<SyncMode>,
    /// What happens to a document that is there already.
    pub conflict_strategy: Option<ConflictStrategy>,
    /// Whether what is deleted there is deleted here.
    pub sync_deletions: Option<bool>,
    /// A yes to so many deletions; `Some(None)` takes it back.
    pub confirmed_deletions: Option<Option<u64>>,
    /// Days for which logs are kept; `Some(None)`: as the configuration says.
    pub log_retention_days: Option<Option<u32>>,
    /// Whether it is read.
    pub standing: Option<Standing>,
}

/// Why a data source cannot be kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDataSource {
    /// A text that must be there is empty.
    #[error("`{0}` is empty")]
    Empty(&'static str),
    /// A value is larger than it may be.
    #[error("`{field}` is larger than {limit}")]
    TooLarge {
        /// Which.
        field: &'static str,
        /// The limit, in the field's own unit.
        limit: usize,
    },
    /// A resource or a setting holds a URL with a secret in it.
    #[error("`{0}` holds a URL with a secret in it")]
    Secret(&'static str),
}

impl DataSource {
    /// An active source with everything else at its default.
    pub fn new(id: DataSourceId, tenant: TenantId, knowledge_base: KnowledgeBaseId, now: Timestamp) -> Self {
        Self {
            id,
            tenant,
            knowledge_base,
            name: String::new(),
            connector_type: String::new(),
            resource_ids: Vec::new(),
            settings: Map::new(),
            schedule: None,
            sync_mode: SyncMode::default(),
            status: DataSourceStatus::default(),
            conflict_strategy: ConflictStrategy::default(),
            sync_deletions: true,
            confirmed_deletions: None,
            log_retention_days: None,
            failures: 0,
            last_sync_at: None,
            created_at: now,
            updated_at: now,
            revision: 1,
        }
    }

    /// Where one of its credentials stands, sealed.
    pub fn credential_place(&self, field: &str) -> SecretPlace {
        SecretPlace::new(&self.tenant, &self.id.0, field)
    }

    /// Whether it can be kept: nothing empty that must be there, nothing over its limit, no URL with a secret.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), InvalidDataSource> {
        for (field, text) in [("id", &self.id.0), ("name", &self.name), ("connector_type", &self.connector_type)] {
            if text.trim().is_empty() {
                return Err(InvalidDataSource::Empty(field));
            }
        }
        let settings = Value::Object(self.settings.clone());
        let sizes = [
            ("name", self.name.chars().count(), MAX_NAME_CHARS),
            ("resource_ids", self.resource_ids.len(), MAX_RESOURCES),
            ("resource_ids", self.resource_ids.iter().map(String::len).max().unwrap_or_default(), MAX_ID_BYTES),
            ("settings", settings.to_string().len(), MAX_SETTINGS_BYTES),
        ];
        if let Some((field, _, limit)) = sizes.into_iter().find(|(_, size, limit)| size > limit) {
            return Err(InvalidDataSource::TooLarge { field, limit });
        }
        if self.resource_ids.iter().any(|id| has_secret(id)) {
            return Err(InvalidDataSource::Secret("resource_ids"));
        }
        if any_text(&settings, &has_secret) {
            return Err(InvalidDataSource::Secret("settings"));
        }
        Ok(())
    }

    /// The source after a person's change at `now`, one revision on. A deleted one stays as it is.
    #[must_use]
    pub fn changed(&self, change: &DataSourceChange, now: Timestamp) -> Self {
        let mut source = self.clone();
        if self.status == DataSourceStatus::Deleted {
            return source;
        }
        let DataSourceChange { name, resource_ids, settings, schedule, sync_mode, conflict_strategy, .. } =
            change.clone();
        source.name = name.unwrap_or(source.name);
        source.resource_ids = resource_ids.unwrap_or(source.resource_ids);
        source.settings = settings.unwrap_or(source.settings);
        source.schedule = schedule.unwrap_or(source.schedule);
        source.sync_mode = sync_mode.unwrap_or(source.sync_mode);
        source.conflict_strategy = conflict_strategy.unwrap_or(source.conflict_strategy);
        source.sync_deletions = change.sync_deletions.unwrap_or(source.sync_deletions);
        source.confirmed_deletions = change.confirmed_deletions.unwrap_or(source.confirmed_deletions);
        source.log_retention_days = change.log_retention_days.unwrap_or(source.log_retention_days);
        source.status = source.status.after(change.standing);
        if change.standing == Some(Standing::Resumed) {
            source.failures = 0;
        }
        source.updated_at = now;
        source.revision += 1;
        source
    }

    /// The source after its runs died too often, at `now`. It never undoes a pause.
    #[must_use]
    pub fn parked(&self, reason: ParkReason, now: Timestamp) -> Self {
        let status = self.status.after(Some(Standing::Parked(reason)));
        self.with_status(status, now)
    }

    /// The source after a run that ended so at `now`: what failed in a row is counted, a good run ends a parking, and a bad
    /// one may begin it. It never undoes a pause. A revision on only where the status changed.
    #[must_use]
    pub fn after_run(&self, ended: RunStatus, park: Option<ParkReason>, now: Timestamp) -> Self {
        let mut source = self.clone();
        let went_well = matches!(ended, RunStatus::Success | RunStatus::Partial);
        match ended {
            RunStatus::Failed => source.failures = source.failures.saturating_add(1),
            _ if went_well => source.failures = 0,
            _ => {}
        }
        let resumes = went_well && park.is_none() && matches!(self.status, DataSourceStatus::Parked(_));
        let standing = if resumes { Some(Standing::Resumed) } else { park.map(Standing::Parked) };
        let status = self.status.after(standing);
        source.with_status(status, now)
    }

    fn with_status(&self, status: DataSourceStatus, now: Timestamp) -> Self {
        if status == self.status {
            return self.clone();
        }
        Self { status, updated_at: now, revision: self.revision + 1, ..self.clone() }
    }
}

impl SyncMode {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Incremental => "incremental",
            Self::Full => "full",
        }
    }

    /// The mode for a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Incremental, Self::Full].into_iter().find(|mode| mode.as_str() == word)
    }
}

impl ConflictStrategy {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Overwrite => "overwrite",
            Self::Skip => "skip",
        }
    }

    /// The strategy for a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Overwrite, Self::Skip].into_iter().find(|strategy| strategy.as_str() == word)
    }
}

/// Bytes of an external id, of a document or a resource: more do not fit into an index.
pub const MAX_ID_BYTES: usize = 1000;

const MAX_NAME_CHARS: usize = 200;
const MAX_RESOURCES: usize = 10_000;
const MAX_SETTINGS_BYTES: usize = 64 * 1024;

/// Whether one of the URLs in a text has a secret in it. Lists of URLs are apart by blanks or commas.
fn has_secret(text: &str) -> bool {
    let pieces = text.split(|character: char| character.is_whitespace() || character == ',');
    pieces.filter(|piece| piece.contains("://")).any(|url| redact_url(url) != url)
}

/// Whether a text anywhere in a value is of that kind. Values nest no deeper than what parsed them allowed.
fn any_text(value: &Value, is: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is(text),
        Value::Array(values) => values.iter().any(|value| any_text(value, is)),
        Value::Object(fields) => fields.values().any(|value| any_text(value, is)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
