//! Whether a failed attempt is made again in the same piece of work, and when.

use std::time::Duration;

use super::Backoff;

/// How often and how patiently something is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Attempts at most, the first one included.
    pub attempts: u32,
    /// Waits between them.
    pub backoff: Backoff,
    /// The longest wait that is waited for: who asks for more is not asked again now.
    pub max_wait: Duration,
}

impl Patience {
    /// The wait before the next attempt after so many failures; none: it makes no sense now.
    ///
    /// `asked` is how long the other side asked to be left alone.
    pub fn after(&self, failures: u32, asked: Option<Duration>) -> Option<Duration> {
        let wait = self.backoff.wait(failures).max(asked.unwrap_or_default());
        (failures < self.attempts && wait <= self.max_wait).then_some(wait)
    }
}

/// Whether an HTTP status says that the same request may succeed later.
pub fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
}
