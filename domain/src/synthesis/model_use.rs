//! What a language model was used for in a run, and what it cost.

/// The use of a language model in one run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelUse {
    /// The name of the model.
    pub model: String,
    /// Requests that were made.
    pub requests: u64,
    /// Answers that were known from before, so that nothing was asked.
    pub cached: u64,
    /// Questions (articles or topics) that were settled without the model, since it could not be used.
    pub fallbacks: u64,
    /// Tokens that were sent.
    pub input_tokens: u64,
    /// Tokens that came back.
    pub output_tokens: u64,
    /// What they cost, in the currency of the configured prices; none where no prices are known.
    pub cost: Option<f64>,
    /// Why it could not be used, each reason once, in words and without secrets.
    pub notes: Vec<String>,
}

impl ModelUse {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.requests == 0 && self.cached == 0 && self.fallbacks == 0 && self.notes.is_empty()
    }
}
