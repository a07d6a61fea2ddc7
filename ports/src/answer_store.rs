//! What a language model answered before, so that nothing is asked and paid for twice.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// Keeps answers by the hash of what was asked, at most so many. Every method sees the rows of its tenant only.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait AnswerStore: Send + Sync {
    /// The answers that are known for these keys, each once, in any order.
    async fn answers(&self, tenant: &TenantId, keys: &[String]) -> Result<Vec<StoredAnswer>>;

    /// Keeps answers, all of them or none; one that is known is replaced. Afterwards the newest `keep` are there, and no
    /// others.
    async fn save_answers(
        &self,
        tenant: &TenantId,
        answers: &[StoredAnswer],
        keep: usize,
        now: Timestamp,
    ) -> Result<()>;
}

/// An answer under its key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredAnswer {
    /// A hash of everything that the answer depends on.
    pub key: String,
    /// The part of the answer that is kept.
    pub text: String,
}
