//! Phase 1: from sources to a digest.

pub mod article;
pub mod candidate;
pub mod history;
pub mod source;
pub mod topic;
