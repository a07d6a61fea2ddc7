//! What must be remembered of a feed between fetches, so that each attempt is right.

mod plan;
mod record;
mod validators;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::pace::Pace;
use super::reader_policy::{Confirmation, ReaderPolicy};
use crate::ErrorKind;
use crate::resilience::span::since;
use crate::resilience::{Breaker, Circuit};
use crate::secret::Redacted;

pub use self::plan::{Occasion, Plan, SkipReason, plan, plan_for};
pub use self::record::{Failure, Move, Outcome, record};
pub use self::validators::Validators;

/// The memory of a feed: plain data, which the caller keeps. It holds no secret.
///
/// One attempt is [`plan`], the request, [`record`]. Both are pure: time and chance are arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FeedFetchState {
    /// What the last good answer is asked for by.
    #[serde(skip_serializing_if = "Validators::is_empty")]
    validators: Validators,
    /// Failures in a row, throttling included: they make the waits longer.
    #[serde(skip_serializing_if = "is_zero")]
    failures: u32,
    /// Failures in a row that are the feed's own.
    breaker: Breaker,
    /// No request before then.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_attempt_at: Option<Timestamp>,
    /// Until then the server itself asked to be left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_until: Option<Timestamp>,
    /// When the last attempt ended, whatever its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_attempt_at: Option<Timestamp>,
    /// When a document was last read in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_read_at: Option<Timestamp>,
    /// A 304 came since then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unmodified_since_read: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<LastError>,
    /// What is known of when it publishes.
    pace: Pace,
    /// 410 answers, until they are believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<Sightings>,
    /// The 410 is believed: nothing is asked for any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
    /// A permanent redirect, until it is believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect: Option<SeenRedirect>,
    /// Where the feed moved; its own URL where it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_to: Option<Redacted>,
    /// Where it was before, latest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<Redacted>,
}

/// Why the last attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastError {
    /// The kind.
    pub code: ErrorKind,
    /// What was seen.
    pub message: Redacted,
    /// The status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// When.
    pub at: Timestamp,
}

/// How often something was seen in a row, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Sightings {
    times: u32,
    first_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SeenRedirect {
    to: Redacted,
    #[serde(flatten)]
    seen: Sightings,
}

impl FeedFetchState {
    /// The moment before which no request is made.
    pub fn next_attempt_at(&self) -> Option<Timestamp> {
        self.next_attempt_at
    }

    /// When the last attempt ended, whatever its end.
    pub fn last_attempt_at(&self) -> Option<Timestamp> {
        self.last_attempt_at
    }

    /// When a document was last read in full.
    pub fn last_read_at(&self) -> Option<Timestamp> {
        self.last_read_at
    }

    /// Until when the server itself asked to be left alone, if it did.
    pub fn asked_until(&self) -> Option<Timestamp> {
        self.asked_until
    }

    /// Why the last attempt failed, if it did.
    pub fn last_error(&self) -> Option<&LastError> {
        self.last_error.as_ref()
    }

    /// Failures in a row.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Whether the feed is paused, because the server said again and again that it is gone.
    pub fn is_gone(&self) -> bool {
        self.is_gone
    }

    /// Where the feed moved, redacted, if it did.
    pub fn moved_to(&self) -> Option<&str> {
        self.moved_to.as_ref().map(Redacted::as_str)
    }

    /// Where the feed was before, redacted, latest first.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().map(Redacted::as_str)
    }

    /// The state of the circuit, for people.
    pub fn circuit(&self, now: Timestamp, policy: &ReaderPolicy) -> Circuit {
        self.breaker.circuit(now, &policy.circuit)
    }

    /// Makes the next attempt one for the whole document, and due at once: something in the last one is still to be done.
    /// Waits after a failure stay.
    pub fn revisit(&mut self) {
        self.validators = Validators::default();
        self.unmodified_since_read = false;
        if self.failures == 0 {
            self.next_attempt_at = None;
        }
    }

    /// Closes the circuit, revives a feed that is gone, and forgets waits and failures: by hand only.
    pub fn reset_circuit(&mut self) {
        self.breaker.reset();
        (self.failures, self.next_attempt_at, self.gone, self.is_gone) = (0, None, None, false);
        self.asked_until = None;
    }
}

impl Sightings {
    /// Once more. What a wrong clock stamped counts for nothing.
    fn again(earlier: Option<Self>, now: Timestamp) -> Self {
        earlier
            .filter(|seen| seen.first_at <= now)
            .map_or(Self { times: 1, first_at: now }, |seen| Self { times: seen.times.saturating_add(1), ..seen })
    }

    fn are_enough(&self, wanted: &Confirmation, now: Timestamp) -> bool {
        self.times >= wanted.times && since(self.first_at, now) >= wanted.span
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests;
