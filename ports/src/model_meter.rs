//! What a language model was used for.

use headwater_domain::synthesis::model_use::ModelUse;

/// Counts the use of a language model by runs.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait ModelMeter: Send + Sync {
    /// What was used since the last call. A new run begins with it, with its whole budget.
    fn take(&self) -> ModelUse;
}
