//! Phase 1: from sources to a digest.

pub mod article;
pub mod budget;
pub mod candidate;
pub mod classify;
pub mod delivery;
pub mod digest;
pub mod entries;
pub mod health;
pub mod history;
pub mod model_use;
pub mod near_duplicate;
pub mod policy;
pub mod quota;
pub mod rss_first;
pub mod slot;
pub mod source;
pub mod summary;
pub mod threshold;
pub mod topic;
pub mod wave;
pub mod words;
