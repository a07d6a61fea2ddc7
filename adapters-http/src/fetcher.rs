//! The client that every part of Headwater uses.

use std::sync::Arc;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::net::UrlGuard;
use headwater_ports::{Error, Exchange, FetchRequest, Fetcher};
use http::HeaderValue;

use crate::config::HttpConfig;
use crate::dial::{Dialler, Parts};
use crate::error::{failure, refused};
use crate::exchange::{Progress, Shared};
use crate::pool::Pool;
use crate::turns::Turns;
use crate::vigil::Vigil;

/// HTTP/1.1 and HTTP/2 on hyper and rustls, with kept connections, behind the address guard.
///
/// Cheap to clone; clones share connections, limits and the cache of names. It must be used inside a tokio runtime.
///
/// ```no_run
/// use headwater_adapters_http::{HttpConfig, HyperFetcher};
/// use headwater_ports::{FetchRequest, Fetcher};
///
/// # async fn example() -> headwater_ports::Result<()> {
/// let fetcher = HyperFetcher::new(HttpConfig::default())?;
/// let url: url::Url = "https://example.org/feed.xml".parse().expect("a URL");
/// let response = fetcher.fetch(FetchRequest::get(url.into())).await.outcome?;
/// assert!(response.status == 200 && !response.body_cut);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HyperFetcher(Arc<Shared>);

impl HyperFetcher {
    /// A client with that configuration.
    ///
    /// # Errors
    /// `invalid_config` for a proxy, a `User-Agent` or added authorities that cannot be used.
    pub fn new(config: HttpConfig) -> Result<Self, Error> {
        let guard = UrlGuard::new(config.exemptions.clone());
        let dialler = Dialler::new(Parts::new(&config, guard.clone())?);
        let user_agent = HeaderValue::from_str(&config.user_agent)
            .map_err(|_| failure(ErrorKind::InvalidConfig, "the User-Agent cannot be sent as a header"))?;
        let pool = Pool::new(dialler, config.idle_connections, config.idle_timeout);
        let turns = Turns::new(config.requests_per_host, config.request_gap);
        Ok(Self(Arc::new(Shared { pool, guard, turns, user_agent })))
    }
}

#[async_trait]
impl Fetcher for HyperFetcher {
    async fn fetch(&self, request: FetchRequest) -> Exchange {
        // Judged before it waits for its turn, so that a refusal is immediate.
        if let Err(refusal) = self.0.guard.judge_url(request.url.expose()) {
            return Exchange { requests: 0, outcome: Err(refused(&refusal)) };
        }
        let turn = self.0.turns.wait(request.url.expose().host_str().unwrap_or_default()).await;
        let vigil = Vigil::new(request.limits);
        let mut progress = Progress::new(&self.0, &vigil);
        let outcome = vigil.watch(progress.run(request, turn)).await;
        Exchange { requests: progress.requests, outcome }
    }
}
