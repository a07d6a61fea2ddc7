//! When an exchange has taken too long, or its server has been silent too long.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_ports::{Error, FetchLimits};
use tokio::time::{Instant, sleep_until};

use crate::error::failure;
use crate::link::Pulse;

/// The two deadlines of one exchange, on one timer.
///
/// The exchange says with [`on_pause`](Self::on_pause), [`on_wait`](Self::on_wait) and [`on_sign`](Self::on_sign) who is
/// waited for. That only notes a moment; the timer looks at it when it rings.
pub(crate) struct Vigil {
    limits: FetchLimits,
    begun: Instant,
    /// Since when the server is waited for, in microseconds after `begun`, or [`NOT_WAITING`].
    waiting_since: AtomicU64,
    /// The connection on which any byte is a sign.
    pulse: Mutex<Option<Arc<Pulse>>>,
}

impl Vigil {
    /// Begins now.
    pub(crate) fn new(limits: FetchLimits) -> Self {
        Self { limits, begun: Instant::now(), waiting_since: AtomicU64::new(NOT_WAITING), pulse: Mutex::default() }
    }

    /// The limits that hold.
    pub(crate) fn limits(&self) -> FetchLimits {
        self.limits
    }

    /// The server is not what is waited for.
    pub(crate) fn on_pause(&self) {
        self.waiting_since.store(NOT_WAITING, Ordering::Relaxed);
    }

    /// The server is waited for from now on; any byte on that connection is a sign of it.
    pub(crate) fn on_wait(&self, pulse: Option<Arc<Pulse>>) {
        *self.pulse.lock().unwrap_or_else(PoisonError::into_inner) = pulse;
        self.on_sign();
    }

    /// The server gave a sign; the next one is waited for from now on.
    pub(crate) fn on_sign(&self) {
        let after = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(NOT_WAITING);
        self.waiting_since.store(after, Ordering::Relaxed);
    }

    /// Waits for `work`, up to the deadlines.
    pub(crate) async fn watch<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let mut work = pin!(work);
        let mut alarm = pin!(sleep_until(self.due()));
        loop {
            tokio::select! {
                biased;
                output = &mut work => return output,
                () = &mut alarm => {
                    let now = Instant::now();
                    if later(self.begun, self.limits.timeout) <= now {
                        let limit = self.limits.timeout;
                        return Err(failure(ErrorKind::Timeout, format!("the exchange took longer than {limit:?}")));
                    }
                    if self.due() <= now {
                        let limit = self.limits.read_timeout;
                        return Err(failure(ErrorKind::Timeout, format!("the server was silent for {limit:?}")));
                    }
                    alarm.as_mut().reset(self.due());
                }
            }
        }
    }

    /// The sooner of the deadlines, as far as is known now.
    fn due(&self) -> Instant {
        let end = later(self.begun, self.limits.timeout);
        let waiting_since = match self.waiting_since.load(Ordering::Relaxed) {
            // Whoever will be waited for has at least this long.
            NOT_WAITING => return end.min(later(Instant::now(), self.limits.read_timeout)),
            micros => self.begun + Duration::from_micros(micros),
        };
        let heard = self.pulse.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|pulse| pulse.last_heard());
        let latest = heard.map_or(waiting_since, |heard| heard.max(waiting_since));
        end.min(later(latest, self.limits.read_timeout))
    }
}

/// A moment after another; one that no clock will reach is some years ahead.
fn later(moment: Instant, wait: Duration) -> Instant {
    moment + wait.min(LONGEST)
}

const LONGEST: Duration = Duration::from_secs(10 * 365 * 86_400);

const NOT_WAITING: u64 = u64::MAX;

#[cfg(test)]
mod tests;
