//! How many requests a command makes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use headwater_ports::{Exchange, FetchRequest, Fetcher};

/// A fetcher that counts the requests which servers saw.
pub(super) struct CountingFetcher {
    inner: Arc<dyn Fetcher>,
    count: AtomicU64,
}

impl CountingFetcher {
    pub(super) fn new(inner: Arc<dyn Fetcher>) -> Self {
        Self { inner, count: AtomicU64::new(0) }
    }

    /// Requests so far, redirects included.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Fetcher for CountingFetcher {
    async fn fetch(&self, request: FetchRequest) -> Exchange {
        let exchange = self.inner.fetch(request).await;
        self.count.fetch_add(exchange.requests.into(), Ordering::Relaxed);
        exchange
    }
}
