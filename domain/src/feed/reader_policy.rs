//! How patient, how eager and how trusting the feed reader is: every setting with its default.

use std::time::Duration;

use crate::resilience::{Backoff, BreakerPolicy};

/// The settings of the feed reader. The configuration key of each stands beside it; `docs/fetching.md` has the reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderPolicy {
    /// Waits after failures (`fetch.backoff_base_s`, `fetch.backoff_max_s`); default 60 s doubling up to 6 h.
    pub backoff: Backoff,
    /// The longest wait that `Retry-After` and rate-limit headers can ask for (`fetch.max_delay_s`); default 24 h.
    pub max_delay: Duration,
    /// The shortest wait after a bot challenge (`fetch.challenge_wait_s`); default 6 h.
    pub challenge_wait: Duration,
    /// From a good poll to the next (`fetch.interval_s`), fixed; default: measured from the feed's rhythm.
    pub interval: Option<Duration>,
    /// The shortest interval that a rhythm can lead to (`fetch.min_interval_s`); default 10 min.
    pub min_interval: Duration,
    /// The longest wait that the feed can ask for (`fetch.max_interval_s`); default 24 h, and a week for `skipDays`.
    pub max_interval: Option<Duration>,
    /// After so long of nothing but 304 one request goes out without validators (`fetch.max_conditional_days`);
    /// default 7 days.
    pub max_conditional: Duration,
    /// When permanent redirects move the feed (`fetch.redirect_confirmations`, `fetch.redirect_min_hours`); default 3
    /// over 24 h.
    pub redirect: Confirmation,
    /// When 410 answers end the feed (`fetch.gone_confirmations`, `fetch.gone_min_hours`); default 2 over 24 h.
    pub gone: Confirmation,
    /// Pages read through next links in one fetch (`fetch.max_pages`); default 1.
    pub max_pages: u32,
    /// When a failing feed is left alone (`circuit.max_failures`, `circuit.cool_down_s`); default 5, until reset.
    pub circuit: BreakerPolicy,
}

/// How often, and over how long, something must be seen before it is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confirmation {
    /// So many times in a row.
    pub times: u32,
    /// So much time between the first and the last.
    pub span: Duration,
}

impl Default for ReaderPolicy {
    fn default() -> Self {
        let day = Duration::from_secs(86_400);
        Self {
            backoff: Backoff::default(),
            max_delay: day,
            challenge_wait: day / 4,
            interval: None,
            min_interval: Duration::from_secs(600),
            max_interval: None,
            max_conditional: day * 7,
            redirect: Confirmation { times: 3, span: day },
            gone: Confirmation { times: 2, span: day },
            max_pages: 1,
            circuit: BreakerPolicy::default(),
        }
    }
}
