//! What is owed to a sink for a digest, and how an attempt to deliver it changes that.

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::source::TenantId;

/// How the delivery of one digest to one sink stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// Whose digest.
    pub run_id: String,
    /// The name of the sink.
    pub sink: String,
    /// How it stands.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: u32,
    /// When it came to stand so.
    pub changed_at: Timestamp,
    /// What went wrong last; without secrets.
    pub problem: Option<String>,
}

/// How a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// The sink is to get the digest.
    Owed,
    /// The sink has it. This never changes again.
    Delivered,
    /// There was nothing in it, and the sink does not want such digests.
    Skipped,
    /// It failed [`MAX_ATTEMPTS`] times: only a person starts it again.
    GivenUp,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// The sink took the digest.
    Delivered,
    /// There was nothing to deliver.
    Skipped,
    /// It failed, for this reason.
    Failed(String),
}

/// So many runs try to deliver a digest before it is given up.
pub const MAX_ATTEMPTS: u32 = 10;

impl DeliveryRecord {
    /// A delivery that was not tried yet.
    pub fn owed(run_id: &str, sink: &str, now: Timestamp) -> Self {
        Self {
            run_id: run_id.to_owned(),
            sink: sink.to_owned(),
            state: DeliveryState::Owed,
            attempts: 0,
            changed_at: now,
            problem: None,
        }
    }

    /// How it stands after an attempt.
    #[must_use]
    pub fn after(self, attempt: Attempt, now: Timestamp) -> Self {
        let attempts = self.attempts.saturating_add(1);
        let (state, problem) = match attempt {
            Attempt::Delivered => (DeliveryState::Delivered, None),
            Attempt::Skipped => (DeliveryState::Skipped, None),
            Attempt::Failed(why) if attempts >= MAX_ATTEMPTS => (DeliveryState::GivenUp, Some(why)),
            Attempt::Failed(why) => (DeliveryState::Owed, Some(why)),
        };
        Self { state, attempts, changed_at: now, problem, ..self }
    }
}

impl DeliveryState {
    /// The state that a word of [`as_str`](Self::as_str) names.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Owed, Self::Delivered, Self::Skipped, Self::GivenUp].into_iter().find(|state| state.as_str() == word)
    }

    /// The word that stores keep and documents show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owed => "owed",
            Self::Delivered => "delivered",
            Self::Skipped => "skipped",
            Self::GivenUp => "given_up",
        }
    }
}

/// The key by which a receiver knows a delivery again: the same for every attempt, another for every digest and sink.
pub fn idempotency_key(tenant: &TenantId, run_id: &str, sink: &str) -> String {
    // Lengths keep the parts apart.
    let parts = [&tenant.0, run_id, sink].map(|part| format!("{}:{part}", part.len()));
    let hash = Sha256::digest(parts.concat());
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
