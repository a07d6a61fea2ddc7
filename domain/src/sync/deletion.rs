//! Which deletions are carried out, which wait for a person, and for how long one can be undone.

use jiff::{SignedDuration, Timestamp};

/// How many deletions of one run are too many to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletionGuard {
    /// So many always pass; default 20.
    pub max_count: u64,
    /// So large a part of the source always passes; default 50.
    pub max_percent: u64,
}

/// What happens to the deletions of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletionVerdict {
    /// The documents go, and can be restored for [`RESTORE_DAYS`] days.
    Delete,
    /// The documents go, and a person's yes is used up.
    DeleteAsConfirmed,
    /// The documents stay, and are marked as gone at the source.
    Mark,
    /// Nothing happens until a person says yes.
    Wait,
}

impl DeletionGuard {
    /// Judges all deletions of a run together.
    ///
    /// `known` is the number of documents that the source has here, those to be deleted included; `confirmed` a person's yes
    /// to so many; `follow` whether deletions are followed at all.
    pub fn judge(
        &self,
        deletions: u64,
        known: u64,
        confirmed: Option<u64>,
        follow: FollowDeletions,
    ) -> DeletionVerdict {
        if follow == FollowDeletions::No {
            return DeletionVerdict::Mark;
        }
        let many = deletions > self.max_count;
        let large = u128::from(deletions) * 100 > u128::from(known) * u128::from(self.max_percent);
        match confirmed {
            _ if !(many && large) => DeletionVerdict::Delete,
            Some(number) if deletions <= number => DeletionVerdict::DeleteAsConfirmed,
            _ => DeletionVerdict::Wait,
        }
    }
}

/// Whether what is deleted at the source is deleted here (`sync_deletions`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowDeletions {
    /// It is.
    Yes,
    /// It is counted and marked.
    No,
}

impl From<bool> for FollowDeletions {
    fn from(sync_deletions: bool) -> Self {
        if sync_deletions { Self::Yes } else { Self::No }
    }
}

impl Default for DeletionGuard {
    fn default() -> Self {
        Self { max_count: 20, max_percent: 50 }
    }
}

/// Until when a document that was deleted then can be restored.
pub fn restorable_until(deleted_at: Timestamp) -> Timestamp {
    deleted_at.checked_add(SignedDuration::from_hours(24 * i64::from(RESTORE_DAYS))).unwrap_or(Timestamp::MAX)
}

/// Days for which a deleted document can be restored.
pub const RESTORE_DAYS: u32 = 30;

#[cfg(test)]
mod tests;
