//! Where a language model is, what it may do, and how much it may cost.

use std::path::PathBuf;

use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::Error;
use serde::{Deserialize, Serialize};

use super::{masked, redacted, secret, secret_file};

/// A language model behind an OpenAI-compatible endpoint. Without `url` there is none, and nothing leaves the machine.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ModelSettings {
    /// The chat-completions URL, for example `https://api.example/v1/chat/completions`. Default: none; articles are judged
    /// and summed up without a model.
    #[serde(serialize_with = "redacted")]
    pub(crate) url: Option<String>,
    /// The name of the model.
    pub(crate) name: Option<String>,
    /// The key. Best set in the environment, as `HEADWATER__MODEL__KEY`. Default: none is sent.
    #[serde(deserialize_with = "secret", serialize_with = "masked")]
    pub(crate) key: Option<Secret<String>>,
    /// A file that holds the key, used where `key` is not set. Default: none.
    pub(crate) key_file: Option<PathBuf>,
    /// Whether it sorts articles by topic. Default: true.
    pub(crate) classify: Option<bool>,
    /// Whether it writes the summaries of topics. Default: false.
    pub(crate) summarise: Option<bool>,
    /// Tokens that one run may use. Default: 200000.
    pub(crate) max_tokens: Option<u64>,
    /// Money that one run may cost, in the currency of the prices. Default: no limit.
    pub(crate) max_cost: Option<f64>,
    /// What a million tokens cost that are sent. Default: 0; costs are not counted then.
    pub(crate) input_price: Option<f64>,
    /// What a million tokens cost that come back. Default: 0.
    pub(crate) output_price: Option<f64>,
    /// Articles that one request asks about. Default: 8.
    pub(crate) batch: Option<usize>,
    /// Characters of an article that are sent. Default: 4000.
    pub(crate) article_chars: Option<usize>,
    /// Tokens that an answer may have for each article or sentence. Default: 150.
    pub(crate) answer_tokens: Option<u64>,
    /// The field that limits the answer: `max_completion_tokens`, or `max_tokens` for endpoints that know only that.
    /// Default: `max_completion_tokens`.
    pub(crate) answer_limit: Option<LimitField>,
    /// Sent with each request, where set. Default: not sent.
    pub(crate) temperature: Option<f64>,
    /// How often one request is made at most. Default: 3.
    pub(crate) attempts: Option<u32>,
    /// Seconds for one request. Default: 60.
    pub(crate) timeout_s: Option<u64>,
    /// Answers that are kept, so that nothing is asked twice. Default: 20000.
    pub(crate) keep_answers: Option<usize>,
}

/// The name of the field that limits an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LimitField {
    /// As OpenAI has it today.
    MaxCompletionTokens,
    /// As most others have it.
    MaxTokens,
}

impl ModelSettings {
    /// The key, from the setting or its file.
    ///
    /// # Errors
    /// `invalid_config`: the file cannot be read.
    pub(crate) fn key(&self) -> Result<Option<Secret<String>>, Error> {
        match (&self.key, &self.key_file) {
            (Some(key), _) => Ok(Some(key.clone())),
            (None, Some(path)) => secret_file(path).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The URL and the name, where there is a model.
    ///
    /// # Errors
    /// `invalid_config`: one of the two is missing or cannot be used, or a limit of money has no prices.
    pub(crate) fn place(&self) -> Result<Option<(url::Url, String)>, Error> {
        let unusable = |detail: &str| Err(Error::new(ErrorKind::InvalidConfig, "set up the model", detail));
        let Some(text) = &self.url else {
            return match self.name {
                Some(_) => unusable("model.name is set, but model.url is not"),
                None => Ok(None),
            };
        };
        let Ok(url) = text.parse() else { return unusable("model.url is no URL") };
        if self.max_cost.is_some() && self.input_price.is_none() && self.output_price.is_none() {
            return unusable("model.max_cost needs model.input_price and model.output_price");
        }
        let money = [self.max_cost, self.input_price, self.output_price];
        if money.into_iter().flatten().any(|amount| !amount.is_finite() || amount < 0.0) {
            return unusable("prices and costs are numbers from 0 on");
        }
        match &self.name {
            Some(name) => Ok(Some((url, name.clone()))),
            None => unusable("model.url is set, but model.name is not"),
        }
    }
}
