//! How much the reader takes in one attempt.

use headwater_domain::limits::MAX_FEED_ITEMS;
use headwater_ports::{FetchLimits, Preset};

/// How much is read, and what is kept of it.
#[derive(Debug, Clone, Copy)]
pub struct ReadLimits {
    /// Of each exchange.
    pub fetch: FetchLimits,
    /// Of each document; default 1000.
    pub max_items: usize,
    /// Which items are kept.
    pub preset: Preset,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self { fetch: FetchLimits::default(), max_items: MAX_FEED_ITEMS, preset: Preset::default() }
    }
}
