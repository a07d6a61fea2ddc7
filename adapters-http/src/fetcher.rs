//! The client that every part of Headwater uses.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::net::UrlGuard;
use headwater_ports::{Error, Exchange, FetchRequest, Fetcher};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;

use crate::config::HttpConfig;
use crate::dial::{Dialler, Parts};
use crate::error::{failure, refused};
use crate::exchange::{Progress, Shared};
use crate::proxy::Proxy;
use crate::resolver::SystemResolver;
use crate::tls::Tls;
use crate::turns::Turns;

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
    /// `invalid_config` for a proxy or added authorities that cannot be used.
    pub fn new(config: HttpConfig) -> Result<Self, Error> {
        let guard = UrlGuard::new(config.exemptions);
        let proxy = config.proxy.as_ref().map(|proxy| Proxy::parse(proxy.expose())).transpose()?;
        let dialler = Dialler::new(Parts {
            guard: guard.clone(),
            connect_to: config.connect_to,
            resolve: config.resolve,
            resolver: config.resolver.unwrap_or_else(|| Arc::new(SystemResolver::new())),
            proxy,
            tls: Tls::new(&config.ca_pem)?,
            stagger: config.stagger,
        });
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .timer(TokioTimer::new())
            .pool_max_idle_per_host(config.requests_per_host.max(1))
            .pool_idle_timeout(IDLE_TIMEOUT)
            .http1_max_headers(MAX_HEADERS)
            .http1_max_buf_size(MAX_HEAD_BYTES)
            .http2_max_header_list_size(MAX_HEAD_BYTES as u32)
            .http2_adaptive_window(true)
            .build(dialler);
        let turns = Turns::new(config.requests_per_host, config.request_gap);
        Ok(Self(Arc::new(Shared { client, guard, turns, user_agent: config.user_agent })))
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
        let limits = request.limits;
        let mut progress = Progress::new(&self.0, limits);
        let outcome = match timeout(limits.timeout, progress.run(request, turn)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(failure(ErrorKind::Timeout, format!("the exchange took longer than {:?}", limits.timeout))),
        };
        Exchange { requests: progress.requests, outcome }
    }
}

/// How long a connection waits for its next request. A run meets thousands of hosts, most of them for a moment, and an
/// idle connection holds some 100 KB.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// Headers of one response.
const MAX_HEADERS: usize = 256;

/// Bytes of one response head; also how much is read ahead on a connection.
const MAX_HEAD_BYTES: usize = 256 * 1024;
