//! Where the endpoint is, and how much it may be asked.

use std::time::Duration;

use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_domain::synthesis::budget::Prices;

/// An endpoint and its limits.
#[derive(Debug, Clone)]
pub struct ModelConfig {
    /// The whole URL, for example `https://api.example/v1/chat/completions`.
    pub url: PrivateUrl,
    /// The key; it is sent as a bearer token to the origin of `url` and to nobody else.
    pub key: Option<Secret<String>>,
    /// The name of the model.
    pub model: String,
    /// What tokens cost.
    pub prices: Prices,
    /// Tokens that one run may use; none: as many as it takes.
    pub max_tokens: Option<u64>,
    /// Money that one run may cost; none: as much as it takes. It needs prices.
    pub max_cost: Option<f64>,
    /// Articles that one request asks about; default 8.
    pub batch: usize,
    /// Characters of an article that are sent; default 4000.
    pub article_chars: usize,
    /// Tokens that the answer may have for each article or sentence; default 150.
    pub answer_tokens: u64,
    /// The field that limits the answer.
    pub answer_limit: AnswerLimit,
    /// Sent where it is set.
    pub temperature: Option<f64>,
    /// How often one request is made at most; default 3.
    pub attempts: u32,
    /// The time for one attempt; default 60 s.
    pub timeout: Duration,
    /// The longest wait that is waited for; an endpoint that asks for more is not asked again in the run. Default 60 s.
    pub max_wait: Duration,
    /// Answers that are kept from run to run; default 20,000.
    pub keep_answers: usize,
}

/// The name of the field that limits an answer's tokens: endpoints differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnswerLimit {
    /// `max_completion_tokens`, as OpenAI has it today.
    #[default]
    MaxCompletionTokens,
    /// `max_tokens`, as most others have it.
    MaxTokens,
}

impl ModelConfig {
    /// An endpoint with the usual limits, no key and no budget.
    pub fn new(url: PrivateUrl, model: impl Into<String>) -> Self {
        Self {
            url,
            key: None,
            model: model.into(),
            prices: Prices::default(),
            max_tokens: None,
            max_cost: None,
            batch: 8,
            article_chars: 4_000,
            answer_tokens: 150,
            answer_limit: AnswerLimit::default(),
            temperature: None,
            attempts: 3,
            timeout: Duration::from_secs(60),
            max_wait: Duration::from_secs(60),
            keep_answers: 20_000,
        }
    }
}
