//! Whether a feed may be asked now, and how.

use std::time::Duration;

use jiff::Timestamp;

use super::{FeedFetchState, Validators};
use crate::ErrorKind;
use crate::feed::reader_policy::ReaderPolicy;
use crate::resilience::Permit;
use crate::resilience::span::{later, since, until};

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// Make no request.
    Skip {
        /// When it makes sense to look again; `None` where only a person can change that.
        until: Option<Timestamp>,
        /// Why.
        why: SkipReason,
    },
    /// Make one.
    Fetch {
        /// To ask by; empty for an unconditional request.
        validators: Validators,
        /// The circuit is half open: this request says whether it closes.
        probe: bool,
    },
}

/// Why no request is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipReason {
    /// Too early.
    NotDue,
    /// The server asked to be left alone.
    Throttled,
    /// Too many failures in a row.
    CircuitOpen,
    /// The feed is gone for good.
    Gone,
}

/// On what occasion a feed would be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Occasion {
    /// It is its turn, to the second.
    #[default]
    Poll,
    /// A round through all feeds. One that is due within an eighth of its wait is taken along: else a round that is made
    /// once a day would ask a feed that is due once a day every other day.
    Round,
    /// Somebody wants it now. Only what the server itself asked for is waited for.
    ByHand,
}

/// Decides whether a feed is asked now, and by which validators.
///
/// A state that a wrong clock left, with a wait longer than any rule gives, does not hold the feed for ever.
///
/// # Examples
/// ```
/// use headwater_domain::feed::fetch_state::{FeedFetchState, Outcome, Plan, Validators, plan, record};
/// use headwater_domain::feed::reader_policy::ReaderPolicy;
///
/// let (policy, now) = (ReaderPolicy::default(), "2024-05-02T10:00:00Z".parse().expect("a time"));
/// let mut state = FeedFetchState::default();
/// assert!(matches!(plan(&state, now, &policy), Plan::Fetch { .. }));
/// record(&mut state, Outcome::NotModified { validators: Validators::default(), fresh: None, moved: None }, now, &policy, 0);
/// assert!(matches!(plan(&state, now, &policy), Plan::Skip { .. }));
/// ```
pub fn plan(state: &FeedFetchState, now: Timestamp, policy: &ReaderPolicy) -> Plan {
    plan_for(state, now, policy, Occasion::Poll)
}

/// Decides as [`plan`] does, on an occasion.
pub fn plan_for(state: &FeedFetchState, now: Timestamp, policy: &ReaderPolicy, occasion: Occasion) -> Plan {
    if let Some(until) = state.asked_after(now, policy).filter(|_| occasion != Occasion::Poll) {
        return Plan::Skip { until: Some(until), why: SkipReason::Throttled };
    }
    let validators = || if state.is_stuck(now, policy) { Validators::default() } else { state.validators.clone() };
    if occasion == Occasion::ByHand {
        return Plan::Fetch { validators: validators(), probe: false };
    }
    if state.is_gone {
        return Plan::Skip { until: None, why: SkipReason::Gone };
    }
    let permit = state.breaker.poll_permit(now, &policy.circuit);
    if let Permit::Reject(until) = permit {
        return Plan::Skip { until, why: SkipReason::CircuitOpen };
    }
    let due = state.due_after(now, policy).filter(|due| occasion == Occasion::Poll || !state.is_nearly_due(*due, now));
    if let Some(due) = due {
        return Plan::Skip { until: Some(due), why: SkipReason::NotDue };
    }
    Plan::Fetch { validators: validators(), probe: permit == Permit::Probe }
}

impl FeedFetchState {
    /// The next attempt, if it lies ahead.
    fn due_after(&self, now: Timestamp, policy: &ReaderPolicy) -> Option<Timestamp> {
        let due = self.next_attempt_at.filter(|due| *due > now)?;
        let clock_was_wrong = until(due, now) > policy.longest_wait()
            || self.last_attempt_at.is_some_and(|last| last > later(now, TOLERANCE));
        (!clock_was_wrong).then_some(due)
    }

    /// Whether all but an eighth of the wait after a good answer is over.
    fn is_nearly_due(&self, due: Timestamp, now: Timestamp) -> bool {
        let wait = self.last_attempt_at.map_or(Duration::ZERO, |last| since(last, due));
        self.failures == 0 && until(due, now) <= wait / 8
    }

    /// Until when the server asked to be left alone, if that lies ahead and no wrong clock is to blame.
    fn asked_after(&self, now: Timestamp, policy: &ReaderPolicy) -> Option<Timestamp> {
        self.asked_until.filter(|asked| *asked > now && until(*asked, now) <= policy.longest_wait())
    }

    /// Nothing but 304 for too long.
    fn is_stuck(&self, now: Timestamp, policy: &ReaderPolicy) -> bool {
        let read_at = self.last_read_at.filter(|_| self.unmodified_since_read);
        read_at.is_some_and(|read_at| since(read_at, now) >= policy.max_conditional)
    }
}

impl ReaderPolicy {
    /// Longer than any wait that these settings lead to, jitter included.
    fn longest_wait(&self) -> Duration {
        let settings = [
            self.backoff.wait(u32::MAX),
            self.max_delay,
            self.challenge_wait,
            self.interval.unwrap_or_default(),
            self.max_interval.unwrap_or_default(),
            self.min_interval,
            Duration::from_secs(8 * 86_400),
        ];
        settings.into_iter().max().unwrap_or_default().saturating_mul(2)
    }
}

impl SkipReason {
    /// The kind under which the reason is told.
    pub fn kind(self) -> ErrorKind {
        match self {
            Self::NotDue => ErrorKind::NotDue,
            Self::Throttled => ErrorKind::Throttled,
            Self::CircuitOpen => ErrorKind::CircuitOpen,
            Self::Gone => ErrorKind::Gone,
        }
    }
}

/// An attempt from farther in the future than this was stamped by a wrong clock.
const TOLERANCE: Duration = Duration::from_secs(86_400);
