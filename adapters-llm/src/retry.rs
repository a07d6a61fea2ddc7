//! Whether and when a failed request is made again.

use std::time::Duration;

use headwater_domain::resilience::{Backoff, Patience, WAIT_HEADERS, asked_wait, may_pass};
use headwater_ports::{Advice, Error, FetchResponse};
use jiff::Timestamp;

use crate::config::ModelConfig;

/// The wait after a status that is no success; none: asking again makes no sense now.
pub(crate) fn after_response(
    response: &FetchResponse,
    failures: u32,
    config: &ModelConfig,
    now: Timestamp,
) -> Option<Duration> {
    let asked = WAIT_HEADERS.iter().filter_map(|name| asked_wait(name, response.headers.text(name)?, now)).max();
    patience(config).after(failures, asked).filter(|_| may_pass(response.status))
}

/// The wait after no response at all.
pub(crate) fn after_error(error: &Error, failures: u32, config: &ModelConfig) -> Option<Duration> {
    match error.advice() {
        Advice::Retry(asked) => patience(config).after(failures, asked),
        Advice::Skip | Advice::Fail => None,
    }
}

fn patience(config: &ModelConfig) -> Patience {
    let backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(30));
    Patience { attempts: config.attempts, backoff, max_wait: config.max_wait }
}
