//! Which addresses a name has, asked of the operating system.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, Resolver, Result};
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Asks `getaddrinfo`, which honours `/etc/hosts`, split DNS and the name service switch.
///
/// Answers are kept for a minute, at most 1024 of them; at most 16 questions are open at once, since each holds a thread.
/// Failures are not kept.
#[derive(Debug)]
pub struct SystemResolver {
    known: Mutex<HashMap<String, (Instant, Vec<IpAddr>)>>,
    open: Semaphore,
}

impl SystemResolver {
    /// A resolver with an empty cache.
    pub fn new() -> Self {
        Self { known: Mutex::new(HashMap::new()), open: Semaphore::new(MAX_OPEN) }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, (Instant, Vec<IpAddr>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn recall(&self, host: &str) -> Option<Vec<IpAddr>> {
        let known = self.known();
        let (until, addresses) = known.get(host)?;
        (Instant::now() < *until).then(|| addresses.clone())
    }

    fn remember(&self, host: &str, addresses: &[IpAddr]) {
        let mut known = self.known();
        if known.len() >= MAX_KNOWN {
            let now = Instant::now();
            known.retain(|_, (until, _)| now < *until);
        }
        if known.len() < MAX_KNOWN {
            known.insert(host.to_owned(), (Instant::now() + KEPT, addresses.to_vec()));
        }
    }
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>> {
        if let Some(addresses) = self.recall(host) {
            return Ok(addresses);
        }
        let _place = self.open.acquire().await.expect("the semaphore is never closed");
        let mut addresses = Vec::new();
        for address in ask(host).await?.map(|address| address.ip()) {
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        if addresses.is_empty() {
            return Err(Error::new(ErrorKind::Dns, "resolve host", format!("{host} has no address")));
        }
        self.remember(host, &addresses);
        Ok(addresses)
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the resolver that everything else asks")]
async fn ask(host: &str) -> Result<impl Iterator<Item = std::net::SocketAddr>> {
    tokio::net::lookup_host((host, 0)).await.map_err(|error| {
        Error::new(ErrorKind::Dns, "resolve host", format!("{host} could not be resolved")).with_source(error)
    })
}

const KEPT: Duration = Duration::from_secs(60);
const MAX_KNOWN: usize = 1024;
const MAX_OPEN: usize = 16;
