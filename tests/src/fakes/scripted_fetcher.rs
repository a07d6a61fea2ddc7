//! A fetcher that answers by script, without a network.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use headwater_ports::{Clock, Exchange, FetchRequest, FetchResponse, Fetcher, Headers, Result};
use jiff::Timestamp;

type Script = dyn Fn(&FetchRequest, usize) -> Result<FetchResponse> + Send + Sync;

/// Answers each request by its script, and remembers when which URL was asked for.
pub struct ScriptedFetcher {
    clock: Arc<dyn Clock>,
    script: Box<Script>,
    asked: Mutex<Vec<(Timestamp, String)>>,
}

impl ScriptedFetcher {
    /// A fetcher with that script, which is given the request and how many came before it.
    pub fn new(
        clock: Arc<dyn Clock>,
        script: impl Fn(&FetchRequest, usize) -> Result<FetchResponse> + Send + Sync + 'static,
    ) -> Self {
        Self { clock, script: Box::new(script), asked: Mutex::default() }
    }

    /// When which URL was asked for, in order.
    pub fn asked(&self) -> Vec<(Timestamp, String)> {
        self.log().clone()
    }

    fn log(&self) -> MutexGuard<'_, Vec<(Timestamp, String)>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a request: a status, headers and a body.
pub fn answer(request: &FetchRequest, status: u16, headers: &[(&str, &str)], body: impl Into<Bytes>) -> FetchResponse {
    let mut head = Headers::default();
    headers.iter().for_each(|(name, value)| head.append(name, *value));
    FetchResponse {
        status,
        final_url: request.url.clone(),
        permanent_url: None,
        headers: head,
        body: body.into(),
        body_cut: false,
    }
}

#[async_trait]
impl Fetcher for ScriptedFetcher {
    async fn fetch(&self, request: FetchRequest) -> Exchange {
        let number = {
            let mut log = self.log();
            log.push((self.clock.now(), request.url.expose().to_string()));
            log.len() - 1
        };
        Exchange { requests: 1, outcome: (self.script)(&request, number) }
    }
}
