//! How the endpoint is asked: within the budget, again where that helps, and with answers kept.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::synthesis::budget::Tokens;
use headwater_domain::synthesis::model_use::ModelUse;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{AnswerStore, Clock, Error, Fetcher, ModelMeter, StoredAnswer, Timer};
use sha2::{Digest as _, Sha256};
use tracing::warn;

use crate::answer::{self, Trouble};
use crate::config::ModelConfig;
use crate::ledger::{Lasting, Ledger};
use crate::question::Question;
use crate::retry;

/// A language model behind an endpoint, with the budget of a run.
pub struct Model {
    config: ModelConfig,
    parts: ModelParts,
    ledger: Ledger,
}

/// What a model reaches the world through.
pub struct ModelParts {
    /// Makes the requests, behind the guard.
    pub fetcher: Arc<dyn Fetcher>,
    /// Keeps answers from run to run.
    pub answers: Arc<dyn AnswerStore>,
    /// Whose answers.
    pub tenant: TenantId,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Waits between attempts.
    pub timer: Arc<dyn Timer>,
}

impl Model {
    /// Puts an endpoint together.
    pub fn new(config: ModelConfig, parts: ModelParts) -> Self {
        let ledger = Ledger::new(&config);
        Self { config, parts, ledger }
    }

    pub(crate) fn config(&self) -> &ModelConfig {
        &self.config
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Asks a question; gives the text of the answer.
    pub(crate) async fn ask(&self, question: &Question) -> Result<String, Trouble> {
        let estimate = question.estimate();
        self.ledger.reserve(estimate).map_err(Trouble::passing)?;
        let (outcome, used) = self.attempts(question, estimate).await;
        self.ledger.settle(estimate, used);
        match &outcome {
            Ok(_) => self.ledger.on_success(),
            Err(trouble) => {
                warn!(model = self.config.model, why = trouble.why, "the model could not be used");
                self.ledger.on_failure(&trouble.why, trouble.lasting);
            }
        }
        outcome
    }

    /// The answers that are known from before, by key. A store that cannot be read costs money, no more.
    pub(crate) async fn known(&self, keys: &[String]) -> HashMap<String, String> {
        match self.parts.answers.answers(&self.parts.tenant, keys).await {
            Ok(known) => known.into_iter().map(|answer| (answer.key, answer.text)).collect(),
            Err(error) => {
                warn!(%error, "the answers of the model could not be looked up");
                HashMap::new()
            }
        }
    }

    /// Keeps answers for later runs.
    pub(crate) async fn keep(&self, answers: Vec<StoredAnswer>) {
        if answers.is_empty() {
            return;
        }
        let (store, now) = (&self.parts.answers, self.parts.clock.now());
        if let Err(error) = store.save_answers(&self.parts.tenant, &answers, self.config.keep_answers, now).await {
            warn!(%error, "the answers of the model could not be kept");
        }
    }

    /// The key of an answer: everything that it depends on.
    pub(crate) fn key(&self, task: &str, parts: &[&str]) -> String {
        let mut hash = Sha256::new();
        for part in [self.config.url.redacted().as_str(), &self.config.model, task].iter().chain(parts) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().iter().fold(String::with_capacity(64), |mut key, byte| {
            let _ = write!(key, "{byte:02x}");
            key
        })
    }

    /// Makes a request until it succeeds or makes no sense any more; gives what was used along the way.
    async fn attempts(&self, question: &Question, estimate: Tokens) -> (Result<String, Trouble>, Tokens) {
        let mut used = Tokens::default();
        let mut failures = 0;
        loop {
            let Ok(request) = question.request(&self.config) else {
                return (Err(Trouble::passing("the question cannot be written as JSON")), used);
            };
            self.ledger.on_request();
            let (trouble, wait) = match self.parts.fetcher.fetch(request).await.outcome {
                Ok(response) if (200..300).contains(&response.status) => {
                    let (outcome, tokens) = answer::read(&response);
                    let tokens = tokens.unwrap_or(estimate);
                    used.input = used.input.saturating_add(tokens.input);
                    used.output = used.output.saturating_add(tokens.output);
                    return (outcome, used);
                }
                Ok(response) => {
                    let now = self.parts.clock.now();
                    let wait = retry::after_response(&response, failures + 1, &self.config, now);
                    (answer::refusal(&response), wait)
                }
                Err(error) => {
                    // Who gives up waiting may have to pay for the question all the same.
                    if matches!(error.kind, ErrorKind::Timeout | ErrorKind::BodyTooLarge) {
                        used.input = used.input.saturating_add(estimate.input);
                    }
                    let wait = retry::after_error(&error, failures + 1, &self.config);
                    (unreachable(&error), wait)
                }
            };
            failures += 1;
            match wait {
                Some(wait) => self.parts.timer.sleep(wait).await,
                None => return (Err(trouble), used),
            }
        }
    }
}

impl ModelMeter for Model {
    fn take(&self) -> ModelUse {
        self.ledger.take()
    }
}

/// No answer came at all. The message of the error holds no secret; it may hold the endpoint's host.
fn unreachable(error: &Error) -> Trouble {
    let lasting = match error.kind {
        ErrorKind::BlockedAddress | ErrorKind::InvalidUrl | ErrorKind::InvalidConfig => Lasting::Yes,
        _ => Lasting::No,
    };
    Trouble { why: format!("the endpoint could not be asked: {error} ({})", error.kind), lasting }
}
