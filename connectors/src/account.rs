//! How an account is asked: one pace for all who share it, and another try where that helps.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::resilience::{Backoff, RequestRate};
use headwater_ports::{Clock, Error, FetchRequest, FetchResponse, Fetcher, Result, Timer};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

/// What every connector is made from.
#[derive(Clone)]
pub struct ConnectorPorts {
    /// The guarded client.
    pub fetcher: Arc<dyn Fetcher>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// How to wait.
    pub timer: Arc<dyn Timer>,
}

/// The accounts that a connector speaks for: data sources with the same credentials share one pace.
pub struct Accounts {
    ports: ConnectorPorts,
    policy: AccountPolicy,
    known: Mutex<HashMap<[u8; 32], Arc<Account>>>,
}

/// How an account is asked.
#[derive(Debug, Clone)]
pub struct AccountPolicy {
    /// The pace.
    pub rate: RequestRate,
    /// Attempts at one request, the first included.
    pub attempts: u32,
    /// The waits between them, where the server does not say.
    pub backoff: Backoff,
    /// The longest wait that a server may ask for within a run.
    pub max_wait: Duration,
}

/// One account of an outside system.
pub struct Account {
    ports: ConnectorPorts,
    policy: AccountPolicy,
    rate: Mutex<RequestRate>,
}

/// What an answer means to the one who asked.
pub enum Judgement {
    /// It is the answer.
    Accept,
    /// Too many requests: the whole account waits that long (the backoff where none is named), then asks again.
    Throttled(Option<Duration>, Error),
    /// It may pass: asked again after that long, or the backoff.
    Retry(Option<Duration>, Error),
    /// It will not pass.
    Refuse(Error),
}

impl Accounts {
    /// No accounts yet; each gets this policy.
    pub fn new(ports: ConnectorPorts, policy: AccountPolicy) -> Self {
        Self { ports, policy, known: Mutex::default() }
    }

    /// The account that these words name: the origin and the credentials.
    pub fn of(&self, words: &[&str]) -> Arc<Account> {
        let mut hash = Sha256::new();
        for word in words {
            hash.update(word.len().to_le_bytes());
            hash.update(word.as_bytes());
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_ACCOUNTS {
            known.retain(|_, account| Arc::strong_count(account) > 1);
        }
        let account = known.entry(hash.finalize().into()).or_insert_with(|| {
            Arc::new(Account {
                ports: self.ports.clone(),
                policy: self.policy.clone(),
                rate: Mutex::new(self.policy.rate.clone()),
            })
        });
        Arc::clone(account)
    }
}

impl Account {
    /// Asks, waiting for its turn, and again where `judge` says that it helps.
    ///
    /// # Errors
    /// The last attempt's.
    pub async fn send(
        &self,
        request: FetchRequest,
        judge: impl Fn(&FetchResponse, Timestamp) -> Judgement + Send + Sync,
    ) -> Result<FetchResponse> {
        let mut failures = 0;
        loop {
            self.turn().await;
            let outcome = self.ports.fetcher.fetch(request.clone()).await.outcome;
            let now = self.ports.clock.now();
            failures += 1;
            let (wait, error) = match outcome {
                Ok(response) if response.body_cut => (self.wait(None, failures), broke_off()),
                Ok(response) => match judge(&response, now) {
                    Judgement::Accept => return Ok(response),
                    Judgement::Refuse(error) => return Err(error),
                    Judgement::Throttled(wait, error) => {
                        let wait = self.wait(wait, failures);
                        self.on_wait(now, wait);
                        (wait, error)
                    }
                    Judgement::Retry(wait, error) => (self.wait(wait, failures), error),
                },
                Err(error) if is_passing(error.kind) => (self.wait(error.retry_after, failures), error),
                Err(error) => return Err(error),
            };
            if failures >= self.policy.attempts || wait > self.policy.max_wait {
                return Err(Error { retry_after: Some(wait), ..error });
            }
            self.ports.timer.sleep(wait).await;
        }
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        self.ports.clock.now()
    }

    /// Waits, as between two looks at a task of the vendor.
    pub async fn sleep(&self, wait: Duration) {
        self.ports.timer.sleep(wait).await;
    }

    /// Waits until it is this request's turn. Where the server asked for silence meanwhile, the turn is void and another
    /// is taken: those who waited would otherwise all come at once.
    async fn turn(&self) {
        loop {
            let now = self.ports.clock.now();
            let turn = self.rate().poll_turn(now);
            let Some(wait) = Duration::try_from(turn.duration_since(now)).ok().filter(|wait| !wait.is_zero()) else {
                return;
            };
            self.ports.timer.sleep(wait).await;
            if !self.rate().is_silent(self.ports.clock.now()) {
                return;
            }
        }
    }

    fn on_wait(&self, now: Timestamp, wait: Duration) {
        self.rate().on_wait(now.checked_add(wait).unwrap_or(Timestamp::MAX));
    }

    fn rate(&self) -> MutexGuard<'_, RequestRate> {
        self.rate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, asked: Option<Duration>, failures: u32) -> Duration {
        asked.unwrap_or_else(|| self.policy.backoff.wait(failures))
    }
}

/// Failures of the way there. Names that do not resolve and addresses that are refused stay so for the length of a run.
fn is_passing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Connect | ErrorKind::Timeout)
}

fn broke_off() -> Error {
    Error::new(ErrorKind::Connect, "read the answer", "the answer broke off")
}

/// Accounts that are remembered while nobody uses them.
const MAX_ACCOUNTS: usize = 1000;

#[cfg(test)]
mod tests;
