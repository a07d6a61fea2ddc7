//! How many requests one host is sent at a time, and when it is left alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

/// Lets a few requests at a time through to each host, and none for the rest of the run once it asked for fewer.
#[derive(Debug, Clone)]
pub(crate) struct HostGate {
    at_once: usize,
    hosts: Arc<Mutex<BTreeMap<String, Host>>>,
}

#[derive(Debug, Clone)]
struct Host {
    permits: Arc<Semaphore>,
    throttled: bool,
}

impl HostGate {
    /// A gate that lets so many through at a time.
    pub(crate) fn new(at_once: usize) -> Self {
        Self { at_once: at_once.max(1), hosts: Arc::default() }
    }

    /// Waits for a turn at the host; the request is under way as long as the permit is held.
    ///
    /// # Errors
    /// `throttled` where the host asked for fewer requests, before or during the wait.
    pub(crate) async fn enter(&self, url: &Url) -> Result<OwnedSemaphorePermit> {
        let key = key(url);
        let host = self.host(&key);
        let permit = host.permits.acquire_owned().await.expect("the semaphore is never closed");
        if self.host(&key).throttled {
            return Err(Error::new(ErrorKind::Throttled, "ask the host", format!("{key} asked for fewer requests"))
                .with_hint("it is asked again in the next run"));
        }
        Ok(permit)
    }

    /// Remembers that the host asked for fewer requests.
    pub(crate) fn throttle(&self, url: &Url) {
        let key = key(url);
        self.host(&key);
        if let Some(host) = self.hosts.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&key) {
            host.throttled = true;
        }
    }

    fn host(&self, key: &str) -> Host {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Host { permits: Arc::new(Semaphore::new(self.at_once)), throttled: false };
        hosts.entry(key.to_owned()).or_insert_with(new).clone()
    }
}

fn key(url: &Url) -> String {
    match (url.host_str(), url.port_or_known_default()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (host, _) => host.unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[tokio::test]
    async fn a_host_that_asked_for_less_is_left_alone_and_others_are_not() {
        let gate = HostGate::new(1);
        drop(gate.enter(&url("https://a.example/1")).await.unwrap());
        gate.throttle(&url("https://a.example/1"));
        assert_eq!(gate.enter(&url("https://a.example/2")).await.unwrap_err().kind, ErrorKind::Throttled);
        assert!(gate.enter(&url("https://a.example:8443/")).await.is_ok());
        assert!(gate.enter(&url("https://b.example/")).await.is_ok());
    }

    #[tokio::test]
    async fn only_so_many_are_let_through_at_once() {
        let gate = HostGate::new(2);
        let first = gate.enter(&url("https://a.example/1")).await.unwrap();
        let _second = gate.enter(&url("https://a.example/2")).await.unwrap();
        let permits = gate.host("a.example:443").permits;
        assert_eq!(permits.available_permits(), 0);
        drop(first);
        assert_eq!(permits.available_permits(), 1);
    }
}
