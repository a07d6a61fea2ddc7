//! How the configuration becomes the settings of the feed reader.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use headwater_connectors::rss::ReadLimits;
use headwater_domain::feed::reader_policy::{Confirmation, ReaderPolicy};
use headwater_domain::resilience::{Backoff, BreakerPolicy};
use headwater_ports::FetchLimits;

use super::Config;

impl Config {
    /// How patient the feed reader is.
    pub(crate) fn reader_policy(&self) -> ReaderPolicy {
        let default = ReaderPolicy::default();
        let fetch = &self.fetch;
        let base = fetch.backoff_base_s.map_or(default.backoff.wait(1), Duration::from_secs);
        ReaderPolicy {
            backoff: Backoff::new(base, seconds(fetch.backoff_max_s, default.backoff.wait(u32::MAX))),
            max_delay: seconds(fetch.max_delay_s, default.max_delay),
            challenge_wait: seconds(fetch.challenge_wait_s, default.challenge_wait),
            min_interval: seconds(fetch.min_interval_s, default.min_interval),
            interval: fetch.interval_s.map(Duration::from_secs),
            max_interval: fetch.max_interval_s.map(Duration::from_secs),
            max_conditional: fetch.max_conditional_days.map_or(default.max_conditional, |days| DAY * days),
            redirect: confirmation(fetch.redirect_confirmations, fetch.redirect_min_hours, default.redirect),
            gone: confirmation(fetch.gone_confirmations, fetch.gone_min_hours, default.gone),
            max_pages: fetch.max_pages.unwrap_or(default.max_pages),
            circuit: BreakerPolicy {
                max_failures: self.circuit.max_failures.unwrap_or(default.circuit.max_failures),
                cool_down: self.circuit.cool_down_s.map(Duration::from_secs),
            },
        }
    }

    /// How much and how long the feed reader reads.
    pub(crate) fn read_limits(&self) -> ReadLimits {
        let default = FetchLimits::default();
        let fetch = FetchLimits {
            max_body_bytes: self.fetch.max_body_bytes.unwrap_or(default.max_body_bytes),
            timeout: seconds(self.fetch.timeout_s.map(NonZeroU32::get), default.timeout),
            read_timeout: seconds(self.fetch.read_timeout_s.map(NonZeroU32::get), default.read_timeout),
            max_redirects: self.fetch.max_redirects.map_or(default.max_redirects, usize::from),
        };
        let limits = ReadLimits::default();
        ReadLimits { fetch, max_items: self.fetch.max_items.map_or(limits.max_items, NonZeroUsize::get), ..limits }
    }
}

fn seconds(configured: Option<impl Into<u64>>, default: Duration) -> Duration {
    configured.map_or(default, |seconds| Duration::from_secs(seconds.into()))
}

fn confirmation(times: Option<u32>, hours: Option<u32>, default: Confirmation) -> Confirmation {
    Confirmation { times: times.unwrap_or(default.times), span: hours.map_or(default.span, |hours| HOUR * hours) }
}

const HOUR: Duration = Duration::from_secs(3600);

const DAY: Duration = Duration::from_secs(86_400);
