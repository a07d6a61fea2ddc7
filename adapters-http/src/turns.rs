//! How many requests one host gets at once, and how fast they follow each other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

/// Gives each host its turns.
///
/// The limit holds for HTTP/2 too: until the first handshake nobody knows that one connection would do, and a burst of
/// requests to a new host would open as many.
#[derive(Debug)]
pub(crate) struct Turns {
    at_once: usize,
    gap: Duration,
    hosts: Mutex<HashMap<String, Arc<Host>>>,
}

/// A turn; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
struct Host {
    places: Arc<Semaphore>,
    next: Mutex<Instant>,
}

impl Turns {
    pub(crate) fn new(at_once: usize, gap: Duration) -> Self {
        Self { at_once: at_once.max(1), gap, hosts: Mutex::new(HashMap::new()) }
    }

    /// Waits for a turn of that host.
    pub(crate) async fn wait(&self, host: &str) -> Turn {
        let host = self.host(host);
        let permit = Arc::clone(&host.places).acquire_owned().await.expect("the semaphore is never closed");
        if !self.gap.is_zero() {
            sleep_until(host.book(self.gap)).await;
        }
        Turn { _permit: permit }
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = lock(&self.hosts);
        if let Some(host) = hosts.get(name) {
            return Arc::clone(host);
        }
        if hosts.len() >= MANY {
            // A host is forgotten when nobody waits for it and its gap has passed.
            let now = Instant::now();
            hosts.retain(|_, host| {
                Arc::strong_count(host) > 1 || Arc::strong_count(&host.places) > 1 || *lock(&host.next) > now
            });
        }
        let host = Arc::new(Host { places: Arc::new(Semaphore::new(self.at_once)), next: Mutex::new(Instant::now()) });
        hosts.insert(name.to_owned(), Arc::clone(&host));
        host
    }
}

impl Host {
    /// The moment of the next start, which is taken by this call.
    fn book(&self, gap: Duration) -> Instant {
        let mut next = lock(&self.next);
        let start = (*next).max(Instant::now());
        *next = start + gap;
        start
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hosts are forgotten only when there are so many.
const MANY: usize = 4096;

#[cfg(test)]
mod tests;
