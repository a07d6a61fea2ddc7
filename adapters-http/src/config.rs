//! What the client must know: exemptions, detours, trust, proxy and politeness.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use headwater_domain::net::Exemptions;
use headwater_domain::secret::Secret;
use headwater_ports::Resolver;

/// How requests are made. The default reaches the public internet and nothing else.
#[derive(Clone)]
pub struct HttpConfig {
    /// What the address guard lets through although it lies inside; default nothing.
    pub exemptions: Exemptions,
    /// Detours: a connection for one host and port goes to another. The guard judges both.
    pub connect_to: Vec<ConnectTo>,
    /// Fixed answers in place of the resolver's, by host in lower case.
    pub resolve: Vec<(String, Vec<IpAddr>)>,
    /// Certificate authorities to trust besides the compiled-in ones, each a text of one or more PEM blocks.
    pub ca_pem: Vec<Vec<u8>>,
    /// `http://…` (by CONNECT) or `socks5://…`, with user information where the proxy asks for it; default none. The
    /// environment is not read.
    pub proxy: Option<Secret<String>>,
    /// The `User-Agent` of requests that bring none.
    pub user_agent: String,
    /// Requests to one host that may be under way at once; default 4.
    pub requests_per_host: usize,
    /// The least time between the starts of two requests to one host; default zero.
    pub request_gap: Duration,
    /// Connections that are kept for later requests, over all hosts; default 64. The one that waits longest gives way.
    pub idle_connections: usize,
    /// How long a connection is kept for; default 10 s.
    pub idle_timeout: Duration,
    /// How long an address may be silent before the next one is tried beside it; default 250 ms (RFC 8305).
    pub stagger: Duration,
    /// Answers for names; default the system's resolver with a small cache.
    pub resolver: Option<Arc<dyn Resolver>>,
}

/// A detour of connections, in curl's notation `HOST:PORT:HOST2:PORT2`.
///
/// An empty HOST or PORT stands for any, an empty HOST2 or PORT2 for the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectTo {
    from: (Option<String>, Option<u16>),
    to: (Option<String>, Option<u16>),
}

/// A text that is no `HOST:PORT:HOST2:PORT2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseConnectToError(String);

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            exemptions: Exemptions::default(),
            connect_to: Vec::new(),
            resolve: Vec::new(),
            ca_pem: Vec::new(),
            proxy: None,
            user_agent: USER_AGENT.to_owned(),
            requests_per_host: 4,
            request_gap: Duration::ZERO,
            idle_connections: 64,
            idle_timeout: Duration::from_secs(10),
            stagger: Duration::from_millis(250),
            resolver: None,
        }
    }
}

impl fmt::Debug for HttpConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpConfig")
            .field("exemptions", &self.exemptions)
            .field("connect_to", &self.connect_to)
            .field("resolve", &self.resolve)
            .field("proxy", &self.proxy)
            .field("user_agent", &self.user_agent)
            .field("requests_per_host", &self.requests_per_host)
            .field("request_gap", &self.request_gap)
            .finish_non_exhaustive()
    }
}

impl ConnectTo {
    /// Where a connection for that host and port goes, if this rule is for it.
    pub(crate) fn apply(&self, host: &str, port: u16) -> Option<(String, u16)> {
        let (from_host, from_port) = &self.from;
        let fits = from_host.as_ref().is_none_or(|from| from.eq_ignore_ascii_case(host))
            && from_port.is_none_or(|from| from == port);
        let (to_host, to_port) = &self.to;
        fits.then(|| (to_host.clone().unwrap_or_else(|| host.to_owned()), to_port.unwrap_or(port)))
    }
}

impl FromStr for ConnectTo {
    type Err = ParseConnectToError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || ParseConnectToError(text.to_owned());
        let (from, rest) = host_and_port(text).ok_or_else(refused)?;
        let (to, rest) = host_and_port(rest.ok_or_else(refused)?).ok_or_else(refused)?;
        if rest.is_some() { Err(refused()) } else { Ok(Self { from, to }) }
    }
}

impl fmt::Display for ParseConnectToError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not HOST:PORT:HOST2:PORT2", self.0)
    }
}

impl std::error::Error for ParseConnectToError {}

/// Splits `HOST:PORT` off the front, and gives what follows the colon after it.
#[expect(clippy::type_complexity, reason = "a pair and the rest of the text, used twice, just above")]
fn host_and_port(text: &str) -> Option<((Option<String>, Option<u16>), Option<&str>)> {
    let (host, rest) = match text.strip_prefix('[') {
        Some(v6) => {
            let (host, rest) = v6.split_once(']')?;
            (host, rest.strip_prefix(':')?)
        }
        None => text.split_once(':')?,
    };
    let (port, rest) = match rest.split_once(':') {
        Some((port, rest)) => (port, Some(rest)),
        None => (rest, None),
    };
    let host = (!host.is_empty()).then(|| host.to_ascii_lowercase());
    let port = if port.is_empty() { None } else { Some(port.parse().ok()?) };
    Some(((host, port), rest))
}

const USER_AGENT: &str = concat!("Headwater/", env!("CARGO_PKG_VERSION"), " (+https://github.com/headwater/headwater)");

#[cfg(test)]
mod tests;
