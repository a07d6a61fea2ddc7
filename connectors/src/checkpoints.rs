//! When a cursor is to be made durable.

use headwater_ports::connector::{CHECKPOINT_ITEMS, CHECKPOINT_SECONDS};
use jiff::Timestamp;

/// Counts what was kept since the last checkpoint.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    items: u64,
    last_at: Timestamp,
}

impl Checkpoints {
    /// Nothing is kept yet.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self { items: 0, last_at: now }
    }

    /// A document was dealt with.
    pub(crate) fn on_item(&mut self) {
        self.items += 1;
    }

    /// Whether it is time for a checkpoint, which is then thought made.
    pub(crate) fn poll_due(&mut self, now: Timestamp) -> bool {
        let due = self.items >= CHECKPOINT_ITEMS
            || (self.items > 0 && now.duration_since(self.last_at).as_secs() >= CHECKPOINT_SECONDS);
        if due {
            *self = Self::new(now);
        }
        due
    }
}
