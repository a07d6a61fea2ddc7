//! Whether something that keeps failing may be tried at all.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::span::{later, since};

/// Opens after so many failures in a row; lets one probe through after a cool-down, or waits to be reset by hand.
///
/// Ask [`poll_permit`](Self::poll_permit) before an attempt and tell the breaker of its end with one of the `on_*`. The
/// breaker is plain data: it may be stored between the two. After a clock that went back, the next attempt is a probe.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Breaker {
    failures: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opened_at: Option<Timestamp>,
}

/// When a [`Breaker`] opens, and how long it stays so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerPolicy {
    /// Failures in a row that open it; default 5. None open it where this is 0.
    pub max_failures: u32,
    /// How long it stays open before it lets a probe through; default: until it is reset by hand.
    pub cool_down: Option<Duration>,
}

/// Whether an attempt may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permit {
    /// It may.
    Allow,
    /// One may, to see whether things are better: its end closes the breaker or opens it anew.
    Probe,
    /// None may before that moment; without one, none until the reset.
    Reject(Option<Timestamp>),
}

/// The state of a breaker, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Circuit {
    /// All is well.
    Closed,
    /// No attempt is made.
    Open,
    /// The next attempt is a probe.
    HalfOpen,
}

impl Breaker {
    /// Whether an attempt may be made now.
    pub fn poll_permit(&self, now: Timestamp, policy: &BreakerPolicy) -> Permit {
        let Some(opened_at) = self.opened_at else {
            return Permit::Allow;
        };
        match policy.cool_down {
            None => Permit::Reject(None),
            Some(cool_down) if since(opened_at, now) >= cool_down || opened_at > now => Permit::Probe,
            Some(cool_down) => Permit::Reject(Some(later(opened_at, cool_down))),
        }
    }

    /// An attempt went well. One that began before the breaker opened, and comes in late, does not close it.
    pub fn on_success(&mut self, now: Timestamp, policy: &BreakerPolicy) {
        if !matches!(self.poll_permit(now, policy), Permit::Reject(_)) {
            self.reset();
        }
    }

    /// An attempt failed. While open it is the probe, and the cool-down begins anew.
    pub fn on_failure(&mut self, now: Timestamp, policy: &BreakerPolicy) {
        self.failures = self.failures.saturating_add(1);
        if self.opened_at.is_some() || (policy.max_failures > 0 && self.failures >= policy.max_failures) {
            self.opened_at = Some(now);
        }
    }

    /// Closes the breaker and forgets the failures.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Failures in a row.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// The state for people.
    pub fn circuit(&self, now: Timestamp, policy: &BreakerPolicy) -> Circuit {
        match self.poll_permit(now, policy) {
            Permit::Allow => Circuit::Closed,
            Permit::Probe => Circuit::HalfOpen,
            Permit::Reject(_) => Circuit::Open,
        }
    }
}

impl Default for BreakerPolicy {
    fn default() -> Self {
        Self { max_failures: 5, cool_down: None }
    }
}

impl Circuit {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }
}
