//! How a run goes, how it ends, and what it counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::SkipReason;

/// The identifier of a run and of its log: a UUID as text; later ones sort after earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunId(pub String);

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It is under way.
    Running,
    /// Everything that could be read is there.
    Success,
    /// Some documents or branches failed; they are tried again in the next run.
    Partial,
    /// Everything failed, or nothing could be listed.
    Failed,
    /// A person, or the deletion of its source, ended it.
    Canceled,
    /// The process that it was in ended, and another run took its place.
    Interrupted,
}

/// What brought a run to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// The connector came to the end of its listing.
    Complete,
    /// An error made going on senseless.
    Broken,
    /// A person, or the deletion of its source.
    Canceled,
    /// The end of its process.
    Interrupted,
}

/// What began a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A person.
    Manual,
    /// The schedule.
    Schedule,
}

/// What became of one thing that a run met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemOutcome {
    /// A new document.
    Created,
    /// A new version, or new facts about the same content.
    Updated,
    /// A document that went.
    Deleted,
    /// A document that is gone there and stays here, since deletions are not followed; it is marked.
    Marked,
    /// A deletion that waits for a person's yes.
    Waiting,
    /// As it was.
    Unchanged,
    /// Left out on purpose.
    Skipped(SkipReason),
    /// Tried again in the next run.
    Failed,
}

/// How many things a run met, by what became of them. Exact, whatever their number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunCounts {
    /// New documents.
    pub created: u64,
    /// Documents with a new version or new facts.
    pub updated: u64,
    /// Documents that went.
    pub deleted: u64,
    /// Documents that are gone there and stay here.
    pub marked: u64,
    /// Deletions that wait for a person's yes.
    pub waiting: u64,
    /// Documents that are as they were.
    pub unchanged: u64,
    /// Documents and branches that failed.
    pub failed: u64,
    /// Documents that were left out on purpose, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
}

impl RunCounts {
    /// Counts one thing.
    pub fn add(&mut self, outcome: ItemOutcome) {
        self.add_many(outcome, 1);
    }

    /// Counts so many things of which the same became.
    pub fn add_many(&mut self, outcome: ItemOutcome, number: u64) {
        let count = match outcome {
            ItemOutcome::Created => &mut self.created,
            ItemOutcome::Updated => &mut self.updated,
            ItemOutcome::Deleted => &mut self.deleted,
            ItemOutcome::Marked => &mut self.marked,
            ItemOutcome::Waiting => &mut self.waiting,
            ItemOutcome::Unchanged => &mut self.unchanged,
            ItemOutcome::Failed => &mut self.failed,
            ItemOutcome::Skipped(reason) => self.skipped.entry(reason).or_default(),
        };
        *count = count.saturating_add(number);
    }

    /// How many were left out on purpose.
    pub fn skipped(&self) -> u64 {
        self.skipped.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// How many things the run met.
    pub fn total(&self) -> u64 {
        self.well().saturating_add(self.failed)
    }

    /// Everything that did not fail.
    fn well(&self) -> u64 {
        let counts = [self.created, self.updated, self.deleted, self.marked, self.waiting, self.unchanged];
        counts.into_iter().fold(self.skipped(), u64::saturating_add)
    }
}

impl RunStatus {
    /// How a run with these counts ends. One that has ended stays as it ended.
    ///
    /// Everything failed → failed; something did → partial. An error that ends the run makes of one that had done nothing a
    /// failed one, and of any other a partial one: what it had done is there.
    #[must_use]
    pub fn after(self, end: RunEnd, counts: &RunCounts) -> Self {
        if self.is_over() {
            return self;
        }
        match (end, counts.failed, counts.well()) {
            (RunEnd::Canceled, ..) => Self::Canceled,
            (RunEnd::Interrupted, ..) => Self::Interrupted,
            (RunEnd::Complete, 0, _) => Self::Success,
            (_, _, 0) => Self::Failed,
            _ => Self::Partial,
        }
    }

    /// Whether it has ended, for good.
    pub fn is_over(self) -> bool {
        self != Self::Running
    }

    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Success => "success",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::Interrupted => "interrupted",
        }
    }

    /// The status for a word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Running, Self::Success, Self::Partial, Self::Failed, Self::Canceled, Self::Interrupted];
        all.into_iter().find(|status| status.as_str() == word)
    }
}

impl Trigger {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Schedule => "schedule",
        }
    }

    /// The trigger for a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Manual, Self::Schedule].into_iter().find(|trigger| trigger.as_str() == word)
    }
}

#[cfg(test)]
mod tests;
