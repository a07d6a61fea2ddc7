//! What the model was used for so far, and whether it may be used on.

use std::sync::{Mutex, MutexGuard, PoisonError};

use headwater_domain::synthesis::budget::{Budget, Exhausted, Tokens};
use headwater_domain::synthesis::model_use::ModelUse;

use crate::config::ModelConfig;

/// Counts for one run.
#[derive(Debug)]
pub(crate) struct Ledger(Mutex<Page>);

#[derive(Debug)]
struct Page {
    fresh: Budget,
    budget: Budget,
    used: ModelUse,
    closed: Option<String>,
    failures_in_row: u32,
}

impl Ledger {
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let budget = Budget::new(config.max_tokens, config.max_cost, config.prices);
        let used = ModelUse { model: config.model.clone(), ..ModelUse::default() };
        Self(Mutex::new(Page { fresh: budget.clone(), budget, used, closed: None, failures_in_row: 0 }))
    }

    /// Sets an estimate aside, or says why nothing is asked any more.
    pub(crate) fn reserve(&self, estimate: Tokens) -> Result<(), String> {
        let mut page = self.page();
        if let Some(why) = &page.closed {
            return Err(why.clone());
        }
        page.budget.reserve(estimate).map_err(|exhausted| {
            let what = match exhausted {
                Exhausted::Tokens => "tokens",
                Exhausted::Cost => "money",
            };
            format!("the run's budget of {what} for the model has no room for more questions")
        })
    }

    pub(crate) fn settle(&self, estimate: Tokens, used: Tokens) {
        self.page().budget.settle(estimate, used);
    }

    pub(crate) fn on_request(&self) {
        self.page().used.requests += 1;
    }

    pub(crate) fn on_cached(&self, answers: usize) {
        self.page().used.cached += answers as u64;
    }

    /// Notes that so many questions were settled without the model, and why.
    pub(crate) fn on_fallback(&self, questions: usize, why: &str) {
        let mut page = self.page();
        page.used.fallbacks += questions as u64;
        if page.used.notes.len() < MAX_NOTES && !page.used.notes.iter().any(|note| note == why) {
            page.used.notes.push(why.to_owned());
        }
    }

    pub(crate) fn on_success(&self) {
        self.page().failures_in_row = 0;
    }

    /// After a failure that will not pass, or several in a row, the endpoint is left alone for the rest of the run.
    pub(crate) fn on_failure(&self, why: &str, lasting: Lasting) {
        let mut page = self.page();
        page.failures_in_row += 1;
        if lasting == Lasting::Yes || page.failures_in_row >= MAX_FAILURES {
            page.closed = Some(why.to_owned());
        }
    }

    /// What was used, and a new page.
    pub(crate) fn take(&self) -> ModelUse {
        let mut page = self.page();
        let spent = page.budget.spent();
        let cost = page.budget.cost();
        page.budget = page.fresh.clone();
        page.closed = None;
        page.failures_in_row = 0;
        let blank = ModelUse { model: page.used.model.clone(), ..ModelUse::default() };
        let used = std::mem::replace(&mut page.used, blank);
        ModelUse { input_tokens: spent.input, output_tokens: spent.output, cost, ..used }
    }

    fn page(&self) -> MutexGuard<'_, Page> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a failure would only be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lasting {
    /// A wrong key, for example.
    Yes,
    /// It may pass.
    No,
}

/// Requests that failed one after the other until the endpoint is left alone.
const MAX_FAILURES: u32 = 3;

/// Different reasons that are named.
const MAX_NOTES: usize = 10;
