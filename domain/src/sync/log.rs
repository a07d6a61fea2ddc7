//! What lasts of a run: its status, its counts, and samples of what went wrong.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{DataSourceId, FailedItem, RunCounts, RunId, RunStatus, Trigger};
use crate::ErrorKind;
use crate::secret::redact_text;

/// The lasting record of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct SyncLog {
    /// Which run.
    pub run: RunId,
    /// Of which data source.
    pub data_source: DataSourceId,
    /// What began it.
    pub trigger: Trigger,
    /// Where it stands.
    pub status: RunStatus,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// The how-manieth attempt since the last run that ended by itself; 1 is the first.
    pub attempt: u32,
    /// What it met so far.
    pub counts: RunCounts,
    /// Samples of what went wrong.
    pub errors: ErrorSamples,
    /// What ended it before its time.
    pub error: Option<ErrorSample>,
}

/// How far a run is, as a checkpoint records it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// What it met so far, from its beginning.
    pub counts: RunCounts,
    /// All samples so far, from its beginning; none: no new ones since the last checkpoint.
    pub errors: Option<ErrorSamples>,
}

/// One thing that went wrong. Holds no secret and no vendor's body; every part is bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorSample {
    /// The stable kind.
    pub code: ErrorKind,
    /// What fills the kind with detail.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// For people.
    pub message: String,
    /// The title of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The document or the branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
}

/// The first [`MAX_ERROR_SAMPLES`] things that went wrong. The counts know of all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<ErrorSample>", into = "Vec<ErrorSample>")]
pub struct ErrorSamples(Vec<ErrorSample>);

impl SyncLog {
    /// The log of a run that begins.
    pub fn begun(run: RunId, data_source: DataSourceId, trigger: Trigger, attempt: u32, now: Timestamp) -> Self {
        Self {
            run,
            data_source,
            trigger,
            status: RunStatus::Running,
            started_at: now,
            finished_at: None,
            attempt,
            counts: RunCounts::default(),
            errors: ErrorSamples::default(),
            error: None,
        }
    }
}

impl ErrorSample {
    /// A sample, redacted and cut to its bounds.
    pub fn new(code: ErrorKind, message: &str) -> Self {
        Self { code, params: BTreeMap::new(), message: bounded(message), title: None, external_id: None }
    }

    /// The sample with the title and the id of what it is about.
    #[must_use]
    pub fn about(self, title: Option<&str>, external_id: Option<&str>) -> Self {
        Self { title: title.map(bounded), external_id: external_id.map(bounded), ..self }
    }
}

impl From<&FailedItem> for ErrorSample {
    fn from(failed: &FailedItem) -> Self {
        let id = failed.external_id.as_deref().or(failed.resource_id.as_deref());
        let params = failed.params.iter().take(MAX_PARAMS).map(|(name, value)| (bounded(name), bounded(value)));
        Self { params: params.collect(), ..Self::new(failed.kind, &failed.message) }.about(failed.title.as_deref(), id)
    }
}

impl ErrorSamples {
    /// Keeps a sample if there is room; whether there was.
    pub fn add(&mut self, sample: ErrorSample) -> bool {
        let room = self.0.len() < MAX_ERROR_SAMPLES;
        if room {
            self.0.push(sample);
        }
        room
    }

    /// The samples, in order.
    pub fn as_slice(&self) -> &[ErrorSample] {
        &self.0
    }
}

impl From<Vec<ErrorSample>> for ErrorSamples {
    fn from(mut samples: Vec<ErrorSample>) -> Self {
        samples.truncate(MAX_ERROR_SAMPLES);
        Self(samples)
    }
}

impl From<ErrorSamples> for Vec<ErrorSample> {
    fn from(samples: ErrorSamples) -> Self {
        samples.0
    }
}

/// Error samples that a log keeps.
pub const MAX_ERROR_SAMPLES: usize = 100;

const MAX_TEXT_CHARS: usize = 500;
const MAX_PARAMS: usize = 8;

/// The text without secrets, cut. It is cut twice, so that a long one costs no more than a short one.
fn bounded(text: &str) -> String {
    let near = text.char_indices().nth(2 * MAX_TEXT_CHARS).map_or(text, |(at, _)| &text[..at]);
    let redacted = redact_text(near);
    match redacted.char_indices().nth(MAX_TEXT_CHARS) {
        Some((at, _)) => format!("{}…", &redacted[..at]),
        None => redacted.into_owned(),
    }
}

#[cfg(test)]
mod tests;
