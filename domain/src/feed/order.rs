//! In which order items are shown: newest first, undated last.

use jiff::{SignedDuration, Timestamp};

/// Sorts newest first. What has no date, or one more than 24 hours ahead, stands last; ties stay in document order.
pub fn newest_first<T>(items: &mut [T], now: Timestamp, date: impl Fn(&T) -> Option<Timestamp>) {
    items.sort_by_key(|item| std::cmp::Reverse(credible(date(item), now)));
}

/// The date, unless it is so far ahead that it can only be wrong.
pub fn credible(date: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    date.filter(|date| date.duration_since(now) <= TOLERANCE)
}

/// Clocks and zones may be wrong by a day.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(24);

#[cfg(test)]
mod tests;
