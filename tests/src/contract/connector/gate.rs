//! Where every request of a connector under test is counted, held up or spoilt.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, Exchange, FetchRequest, Fetcher, Method};
use tokio::sync::Notify;

use crate::fakes::answer;

/// Where every request passes before it reaches the world.
#[derive(Debug, Default)]
pub struct Gate {
    state: Mutex<State>,
    hung: Notify,
}

/// What goes wrong at a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is never answered.
    Hang,
    /// The answer has this status.
    Status(u16),
    /// There is no answer.
    NoAnswer(ErrorKind),
}

/// A request under way; it ends when this is dropped.
#[derive(Debug)]
pub struct Pass<'g>(&'g Gate);

#[derive(Debug, Default)]
struct State {
    log: Vec<String>,
    under_way: usize,
    at: Option<(usize, Fault)>,
    on: Vec<(String, Fault)>,
}

impl Gate {
    /// Lets a request through: `target` says what is asked for. To be held until the answer is there.
    ///
    /// # Errors
    /// What goes wrong with it; a request that hangs does not come back.
    pub async fn pass(&self, target: &str) -> Result<Pass<'_>, Fault> {
        let fault = self.enter(target);
        let pass = Pass(self);
        match fault {
            None => Ok(pass),
            Some(Fault::Hang) => {
                self.hung.notify_one();
                std::future::pending().await
            }
            Some(fault) => Err(fault),
        }
    }

    /// The `n`th request from now on (0 is the next) gets this fault, once.
    pub fn fail_at(&self, n: usize, fault: Fault) {
        let mut state = self.state();
        state.at = Some((state.log.len() + n, fault));
    }

    /// Each request whose target contains these words gets this fault, until [`heal`](Self::heal).
    pub fn fail_on(&self, words: &str, fault: Fault) {
        self.state().on.push((words.to_owned(), fault));
    }

    /// Nothing goes wrong any more.
    pub fn heal(&self) {
        let mut state = self.state();
        state.at = None;
        state.on.clear();
    }

    /// Returns when a request hangs.
    pub async fn hung(&self) {
        self.hung.notified().await;
    }

    /// What was asked for since the last call, in order.
    pub fn take_log(&self) -> Vec<String> {
        std::mem::take(&mut self.state().log)
    }

    /// What was asked for so far, in order.
    pub fn log(&self) -> Vec<String> {
        self.state().log.clone()
    }

    /// How many requests are under way.
    pub fn under_way(&self) -> usize {
        self.state().under_way
    }

    fn enter(&self, target: &str) -> Option<Fault> {
        let mut state = self.state();
        let number = state.log.len();
        state.log.push(target.to_owned());
        state.under_way += 1;
        if let Some((_, fault)) = state.at.take_if(|(at, _)| *at == number) {
            return Some(fault);
        }
        state.on.iter().find(|(words, _)| target.contains(words.as_str())).map(|(_, fault)| *fault)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.state().under_way -= 1;
    }
}

/// A fetcher whose requests pass a gate. Their target is the method, the path with its query, and the body:
/// `GET /a?b=c` or `POST /a {"b":"c"}`.
pub struct GatedFetcher {
    inner: Arc<dyn Fetcher>,
    gate: Arc<Gate>,
}

impl GatedFetcher {
    /// That fetcher behind that gate.
    pub fn new(inner: Arc<dyn Fetcher>, gate: Arc<Gate>) -> Self {
        Self { inner, gate }
    }
}

#[async_trait]
impl Fetcher for GatedFetcher {
    async fn fetch(&self, request: FetchRequest) -> Exchange {
        let outcome = match self.gate.pass(&target(&request)).await {
            Ok(_pass) => return self.inner.fetch(request).await,
            Err(Fault::Status(status)) => Ok(answer(&request, status, &[], "")),
            Err(Fault::NoAnswer(kind)) => Err(Error::new(kind, "fetch", "the gate is shut")),
            Err(Fault::Hang) => unreachable!("a request that hangs does not come back"),
        };
        Exchange { requests: 1, outcome }
    }
}

fn target(request: &FetchRequest) -> String {
    let url = request.url.expose();
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    match &request.method {
        Method::Get => format!("GET {}{query}", url.path()),
        Method::Post(body) => format!("POST {}{query} {}", url.path(), String::from_utf8_lossy(body)),
    }
}
