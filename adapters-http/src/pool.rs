//! Which connection serves the next request, and how many wait for one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use headwater_ports::Error;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::connection::Connection;
use crate::dial::Dialler;
use crate::link::Pulse;

/// Where a connection leads to, as a URL has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Whether it is encrypted.
    pub(crate) tls: bool,
    /// The host; an IPv6 address stands in brackets.
    pub(crate) host: String,
    /// The port.
    pub(crate) port: u16,
}

/// Keeps connections for later requests: for so long, and so many in all.
///
/// An idle connection is not free: with its buffers and its encryption it holds some 100 KB, and a reader that polls
/// thousands of hosts meets most of them once. So whoever waits longest gives way when there are too many.
pub(crate) struct Pool {
    dialler: Dialler,
    idle: Duration,
    most: usize,
    shelf: Mutex<Shelf>,
}

/// A connection that is in use. Given up unless it is [kept](Pool::keep).
pub(crate) struct Lease {
    origin: Origin,
    /// The connection.
    pub(crate) connection: Connection,
    /// Whether requests went over it before.
    pub(crate) is_reused: bool,
    listener: Option<Listener>,
}

/// Sees to it that a connection that others would share is not offered to them after it gave no answer.
struct Listener {
    pool: Arc<Pool>,
    pulse: Arc<Pulse>,
    is_answered: bool,
}

#[derive(Default)]
struct Shelf {
    /// The one that was used last stands at the end.
    kept: VecDeque<Kept>,
    /// Whether a task looks for those that waited too long.
    is_tended: bool,
}

struct Kept {
    origin: Origin,
    connection: Connection,
    since: Instant,
}

/// Which connections will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A kept one if there is one.
    Any,
    /// A new one.
    Fresh,
}

impl Origin {
    /// The origin of a URL that the guard let through.
    pub(crate) fn of(url: &Url) -> Self {
        Self {
            tls: url.scheme() == "https",
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default().unwrap_or_default(),
        }
    }
}

impl Pool {
    /// A pool that keeps at most `most` connections, each for at most `idle`.
    pub(crate) fn new(dialler: Dialler, most: usize, idle: Duration) -> Arc<Self> {
        Arc::new(Self { dialler, idle, most, shelf: Mutex::default() })
    }

    /// A connection to `origin`.
    pub(crate) async fn lease(self: &Arc<Self>, origin: Origin, wanted: Wanted) -> Result<Lease, Error> {
        if wanted == Wanted::Any
            && let Some(connection) = self.usable(&origin).await
        {
            return Ok(Lease { is_reused: true, ..self.leased(origin, connection) });
        }
        let connection = self.dialler.dial(&origin).await?;
        if let Some(connection) = connection.shared() {
            self.put(origin.clone(), connection);
        }
        Ok(self.leased(origin, connection))
    }

    /// Takes back a connection over which a response has come in whole.
    pub(crate) fn keep(self: &Arc<Self>, lease: Lease) {
        let Lease { origin, connection, .. } = lease;
        if connection.shared().is_some() {
            self.forget(connection.pulse());
        }
        self.put(origin, connection);
    }

    fn leased(self: &Arc<Self>, origin: Origin, connection: Connection) -> Lease {
        let listener = connection.shared().map(|connection| Listener {
            pool: Arc::clone(self),
            pulse: Arc::clone(connection.pulse()),
            is_answered: false,
        });
        Lease { origin, connection, is_reused: false, listener }
    }

    /// The kept connection that was used last, of those that still can be used.
    async fn usable(&self, origin: &Origin) -> Option<Connection> {
        loop {
            let mut connection = self.take(origin)?;
            if connection.is_usable().await {
                return Some(connection);
            }
            self.forget(connection.pulse());
        }
    }

    fn take(&self, origin: &Origin) -> Option<Connection> {
        let mut shelf = self.shelf();
        let place = shelf.kept.iter().rposition(|kept| kept.origin == *origin)?;
        if shelf.kept[place].since.elapsed() >= self.idle {
            return None;
        }
        match shelf.kept[place].connection.shared() {
            Some(handle) => Some(handle),
            None => shelf.kept.remove(place).map(|kept| kept.connection),
        }
    }

    fn put(self: &Arc<Self>, origin: Origin, connection: Connection) {
        let mut shelf = self.shelf();
        shelf.kept.push_back(Kept { origin, connection, since: Instant::now() });
        let given_up = if shelf.kept.len() > self.most { shelf.kept.pop_front() } else { None };
        let tend = !shelf.is_tended && !shelf.kept.is_empty();
        shelf.is_tended |= tend;
        drop(shelf);
        drop(given_up);
        if tend {
            tokio::spawn(tend_to(Arc::downgrade(self)));
        }
    }

    /// Keeps a connection no longer.
    fn forget(&self, pulse: &Arc<Pulse>) {
        self.shelf().kept.retain(|kept| !Arc::ptr_eq(kept.connection.pulse(), pulse));
    }

    /// Lets those go that waited too long, and tells when the next one will have; none, if nobody waits.
    fn expire(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut shelf = self.shelf();
        let fresh = shelf.kept.iter().position(|kept| kept.since + self.idle > now);
        let gone: Vec<Kept> = match fresh {
            Some(count) => shelf.kept.drain(..count).collect(),
            None => std::mem::take(&mut shelf.kept).into(),
        };
        let next = shelf.kept.front().map(|kept| kept.since + self.idle);
        shelf.is_tended = next.is_some();
        drop(shelf);
        drop(gone);
        next
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    /// A response came.
    pub(crate) fn on_answer(&mut self) {
        if let Some(listener) = &mut self.listener {
            listener.is_answered = true;
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if !self.is_answered {
            self.pool.forget(&self.pulse);
        }
    }
}

/// Looks after a pool until it is empty or gone.
async fn tend_to(pool: Weak<Pool>) {
    while let Some(next) = pool.upgrade().and_then(|pool| pool.expire()) {
        sleep_until(next).await;
    }
}
