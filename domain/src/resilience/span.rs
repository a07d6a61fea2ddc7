//! How moments and durations go together without ever running over.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// The moment so much later; the last one there is, if it lies beyond that.
pub(crate) fn later(now: Timestamp, wait: Duration) -> Timestamp {
    SignedDuration::try_from(wait).ok().and_then(|wait| now.checked_add(wait).ok()).unwrap_or(Timestamp::MAX)
}

/// How long ago a moment was; nothing, if it lies in the future.
pub(crate) fn since(earlier: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(earlier)).unwrap_or_default()
}

/// How long until a moment; nothing, if it has passed.
pub(crate) fn until(later: Timestamp, now: Timestamp) -> Duration {
    since(now, later)
}
