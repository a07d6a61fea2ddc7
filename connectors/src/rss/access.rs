//! How a document of a feed is got: asked for, and parsed, with every host's patience in mind.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use headwater_domain::feed::FeedDocument;
use headwater_domain::feed::fetch_state::Validators;
use headwater_domain::resilience::HostWaits;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::{Error, Exchange, FeedParser, FetchRequest, FetchResponse, Fetcher, Result};
use jiff::Timestamp;
use tokio::sync::Semaphore;

use super::answer::{Answer, judge};
use super::limits::ReadLimits;
use super::parsing;

/// The way to documents, which all attempts of one reader share.
pub(super) struct Access {
    fetcher: Arc<dyn Fetcher>,
    parser: Arc<dyn FeedParser>,
    pub(super) limits: ReadLimits,
    /// The longest wait that a host can ask for.
    max_delay: Duration,
    hosts: Mutex<HostWaits>,
    /// Large documents are parsed so many at a time, since each takes several times its size.
    turns: Semaphore,
}

impl Access {
    /// With default limits.
    pub(super) fn new(fetcher: Arc<dyn Fetcher>, parser: Arc<dyn FeedParser>, max_delay: Duration) -> Self {
        let turns = Semaphore::new(std::thread::available_parallelism().map_or(2, usize::from));
        Self { fetcher, parser, limits: ReadLimits::default(), max_delay, hosts: Mutex::default(), turns }
    }

    /// Makes a request, and remembers a host that asks to be left alone.
    pub(super) async fn exchange(&self, request: FetchRequest, now: Timestamp) -> Exchange {
        let url = request.url.clone();
        let exchange = self.fetcher.fetch(request).await;
        if let Ok(response) = &exchange.outcome
            && response.status == 429
            && let Answer::Failed(Error { retry_after: Some(wait), .. }) = judge(response, &Validators::default(), now)
        {
            let until = now.checked_add(wait.min(self.max_delay)).unwrap_or(Timestamp::MAX);
            for host in [&url, &response.final_url].into_iter().filter_map(|url| url.expose().host_str()) {
                self.hosts.lock().unwrap_or_else(PoisonError::into_inner).on_wait(host, until, now);
            }
        }
        exchange
    }

    /// Until when the host of a URL wants to be left alone.
    pub(super) fn host_wait(&self, url: &PrivateUrl, now: Timestamp) -> Option<Timestamp> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner).until(url.expose().host_str()?, now)
    }

    /// Parses the body of an answer.
    pub(super) async fn parse(&self, response: &FetchResponse) -> Result<FeedDocument> {
        parsing::parse(&self.parser, response, self.limits, &self.turns).await
    }
}
