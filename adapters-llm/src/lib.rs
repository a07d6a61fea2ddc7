//! A language model behind an OpenAI-compatible chat-completions endpoint, as a classifier and a summariser.
//!
//! [`Model`] is the endpoint with its budget; [`ModelClassifier`] and [`ModelSummariser`] ask it. Whatever the model cannot
//! or may not do is done by the classifier and the summariser that they are given to fall back on, and the notes of
//! [`ModelMeter`](headwater_ports::ModelMeter) say so.

mod answer;
mod classify;
mod config;
mod fence;
mod ledger;
mod model;
mod overview;
mod question;
mod retry;
mod summarise;
mod verdict;
mod wire;

pub use classify::ModelClassifier;
pub use config::{AnswerLimit, ModelConfig};
pub use model::{Model, ModelParts};
pub use summarise::ModelSummariser;
