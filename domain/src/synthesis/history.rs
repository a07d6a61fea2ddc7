//! What became of each article, so that the next run shows only what is new.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The key by which an article is known: its URL in normal form, redacted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ArticleKey(pub String);

/// What history holds of one article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Which article.
    pub key: ArticleKey,
    /// Its URL, redacted.
    pub url: String,
    /// Its headline.
    pub title: Option<String>,
    /// The source that led to it, redacted.
    pub source_url: String,
    /// What became of it.
    pub fate: Fate,
    /// How often scraping it failed.
    pub failures: u32,
    /// When it was last judged.
    pub seen_at: Timestamp,
}

/// What became of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stands in a digest.
    Kept,
    /// It was read and is about none of the topics, or found no room.
    Rejected,
    /// It could not be read; it is tried again until [`MAX_FAILURES`].
    Failed,
}

/// A run of phase 1, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// A UUID as text; later runs sort after earlier ones.
    pub run_id: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// How many articles its digest has.
    pub kept: usize,
    /// The digest as the contract's JSON.
    pub digest_json: String,
}

/// So often is an article tried before it counts as settled.
pub const MAX_FAILURES: u32 = 3;

impl HistoryEntry {
    /// Whether the article needs no further visit.
    pub fn is_settled(&self) -> bool {
        self.fate != Fate::Failed || self.failures >= MAX_FAILURES
    }
}

impl Fate {
    /// The word that stores keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
        }
    }
}
