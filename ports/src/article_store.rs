//! Which articles were seen, and what became of them.

use async_trait::async_trait;
use headwater_domain::synthesis::history::{ArticleKey, HistoryEntry, RunRecord};
use headwater_domain::synthesis::near_duplicate::Fingerprint;
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// The article history and the digests made from it. Every method sees the rows of its tenant only.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ArticleStore: Send + Sync {
    /// What history knows of these articles, each once, in any order; unknown ones are left out. The cost does not grow
    /// with the history.
    async fn known(&self, tenant: &TenantId, keys: &[ArticleKey]) -> Result<Vec<HistoryEntry>>;

    /// The articles judged at `since` or later whose text is nearly that of one of these ([`Fingerprint::is_near`]), each
    /// once, in any order. The cost does not grow with the history but by what shares a quarter of the bits by chance.
    async fn near(&self, tenant: &TenantId, prints: &[Fingerprint], since: Timestamp) -> Result<Vec<HistoryEntry>>;

    /// Writes the run, its digest and the fate of its articles in one transaction: all of it or nothing.
    ///
    /// An article that is already settled keeps its entry; one that failed before gets the new outcome
    /// ([`HistoryEntry::then`]). Gives the keys that this call settled, each once, so that of concurrent runs exactly one
    /// has each article. A second call with the id of a run that is still kept replaces what that run wrote and gives its
    /// keys again, so a caller that never learned how the first call ended repeats it.
    async fn settle(&self, tenant: &TenantId, run: &RunRecord, entries: &[HistoryEntry]) -> Result<Vec<ArticleKey>>;

    /// At most `limit` runs, newest first.
    async fn runs(&self, tenant: &TenantId, limit: usize) -> Result<Vec<RunRecord>>;

    /// The run of that id.
    async fn run<'a>(&self, tenant: &TenantId, run_id: &'a str) -> Result<Option<RunRecord>>;
}
