//! Data sources: how a knowledge base is kept in step with them.

mod engine;
mod handler;

pub(crate) use engine::{Engine, EnginePolicy, Reading, RunOutcome, RunRequest};
