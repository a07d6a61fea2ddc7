//! How an attempt changes what is remembered of a feed.

use std::time::Duration;

use jiff::Timestamp;

use super::{FeedFetchState, LastError, SeenRedirect, Sightings, Validators};
use crate::ErrorKind;
use crate::feed::pace::Pace;
use crate::feed::reader_policy::ReaderPolicy;
use crate::resilience::jittered;
use crate::resilience::span::later;
use crate::secret::Redacted;

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A document was read.
    Read {
        /// Those of the answer.
        validators: Validators,
        /// Items are missing at its end: it is no base for a conditional request.
        truncated: bool,
        /// What it says of when to come back.
        pace: Pace,
        /// Where unbroken permanent redirects led, if they did and the URL can be kept without secrets.
        moved: Option<Move>,
    },
    /// The document is as it was.
    NotModified {
        /// Those of the answer.
        validators: Validators,
        /// How long the answer stays fresh by its headers.
        fresh: Option<Duration>,
        /// As for [`Outcome::Read`].
        moved: Option<Move>,
    },
    /// Neither.
    Failed(Failure),
}

/// From where to where permanent redirects led.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// What was asked for.
    pub from: Redacted,
    /// Where the last of them led.
    pub to: Redacted,
}

/// A failed attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// The status, where there was one.
    pub http_status: Option<u16>,
    /// What was seen.
    pub message: Redacted,
    /// How long the server asked to be left alone.
    pub asked_wait: Option<Duration>,
}

/// Takes an attempt into account: what is known, and when the next one may be made. `chance` spreads it, later only.
///
/// Gives the kind under which a failure is told: the last of the 410 answers that are needed is `gone`.
pub fn record(
    state: &mut FeedFetchState,
    outcome: Outcome,
    now: Timestamp,
    policy: &ReaderPolicy,
    chance: u64,
) -> Option<ErrorKind> {
    state.last_attempt_at = Some(now);
    match outcome {
        Outcome::Read { validators, truncated, pace, moved } => {
            if !truncated {
                state.validators = validators.within_bounds();
            }
            (state.last_read_at, state.unmodified_since_read) = (Some(now), false);
            state.pace = pace;
            state.on_good_answer(moved, now, policy, chance);
            None
        }
        Outcome::NotModified { validators, fresh, moved } => {
            state.validators = validators.or(&state.validators).within_bounds();
            state.unmodified_since_read = true;
            state.pace = std::mem::take(&mut state.pace).with_gap(false).with_fresh(fresh);
            state.on_good_answer(moved, now, policy, chance);
            None
        }
        Outcome::Failed(failure) => Some(state.on_failure(failure, now, policy, chance)),
    }
}

impl FeedFetchState {
    fn on_good_answer(&mut self, moved: Option<Move>, now: Timestamp, policy: &ReaderPolicy, chance: u64) {
        self.breaker.on_success(now, &policy.circuit);
        (self.failures, self.last_error, self.gone) = (0, None, None);
        self.asked_until = None;
        self.next_attempt_at = Some(self.pace.next_poll(now, policy, chance));
        self.on_redirect(moved, now, policy);
    }

    /// Moves the feed once the same permanent redirect was seen often enough; another one, or none, starts anew.
    fn on_redirect(&mut self, moved: Option<Move>, now: Timestamp, policy: &ReaderPolicy) {
        let Some(Move { from, to }) = moved else {
            self.redirect = None;
            return;
        };
        let earlier = self.redirect.take().filter(|redirect| redirect.to == to).map(|redirect| redirect.seen);
        let seen = Sightings::again(earlier, now);
        if seen.are_enough(&policy.redirect, now) {
            self.moved_to = Some(to);
            self.aliases.insert(0, from);
            self.aliases.truncate(MAX_ALIASES);
        } else {
            self.redirect = Some(SeenRedirect { to, seen });
        }
    }

    fn on_failure(&mut self, failure: Failure, now: Timestamp, policy: &ReaderPolicy, chance: u64) -> ErrorKind {
        let Failure { mut kind, http_status, message, asked_wait } = failure;
        self.failures = self.failures.saturating_add(1);
        if http_status == Some(410) {
            let seen = Sightings::again(self.gone, now);
            self.is_gone = seen.are_enough(&policy.gone, now);
            self.gone = Some(seen);
            kind = if self.is_gone { ErrorKind::Gone } else { kind };
        } else if kind != ErrorKind::Throttled {
            // A 410 has an end of its own, which an open circuit would keep from coming about.
            self.breaker.on_failure(now, &policy.circuit);
        }
        let wait = self.wait(kind, asked_wait, policy, chance);
        // Throttling asks for a wait even where it names none.
        let asked = asked_wait.map(|asked| asked.min(policy.max_delay));
        self.asked_until = if kind == ErrorKind::Throttled { Some(wait) } else { asked }.map(|wait| later(now, wait));
        self.next_attempt_at = (!self.is_gone).then(|| later(now, wait));
        self.last_error = Some(LastError { code: kind, message, http_status, at: now });
        kind
    }

    /// The longest of our own wait and the one that was asked for.
    fn wait(&self, kind: ErrorKind, asked: Option<Duration>, policy: &ReaderPolicy, chance: u64) -> Duration {
        let own = policy.backoff.wait(self.failures);
        let challenge = if kind == ErrorKind::BlockedByChallenge { policy.challenge_wait } else { Duration::ZERO };
        let asked = asked.unwrap_or_default().min(policy.max_delay);
        jittered(own.max(challenge).max(asked), chance)
    }
}

/// So many former addresses are kept.
const MAX_ALIASES: usize = 8;
