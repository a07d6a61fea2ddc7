//! How a connection comes about: detour, addresses, judgement, dialling, encryption.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::net::UrlGuard;
use headwater_ports::{Error, Resolver};
use tokio::net::TcpStream;
use url::Host;

use crate::config::{ConnectTo, HttpConfig};
use crate::connection::Connection;
use crate::error::{failure, no_response, refused};
use crate::link::Wire;
use crate::pool::Origin;
use crate::proxy::Proxy;
use crate::race;
use crate::resolver::SystemResolver;
use crate::tls::Tls;

/// Makes connections, to judged addresses only.
pub(crate) struct Dialler(Parts);

/// What a dialler works with.
pub(crate) struct Parts {
    pub(crate) guard: UrlGuard,
    pub(crate) connect_to: Vec<ConnectTo>,
    pub(crate) resolve: Vec<(String, Vec<IpAddr>)>,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) tls: Tls,
    pub(crate) stagger: Duration,
}

impl Dialler {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(parts)
    }

    /// A connection to `origin`, ready for a request.
    ///
    /// # Errors
    /// The guard refused, or nobody answered as they should.
    pub(crate) async fn dial(&self, origin: &Origin) -> Result<Connection, Error> {
        let wire = self.0.wire(origin).await?;
        Connection::open(wire).await.map_err(no_response)
    }
}

impl Parts {
    /// What a configuration says, behind a guard.
    ///
    /// # Errors
    /// `invalid_config` for a proxy or added authorities that cannot be used.
    pub(crate) fn new(config: &HttpConfig, guard: UrlGuard) -> Result<Self, Error> {
        Ok(Self {
            guard,
            connect_to: config.connect_to.clone(),
            resolve: config.resolve.clone(),
            resolver: config.resolver.clone().unwrap_or_else(|| Arc::new(SystemResolver::new())),
            proxy: config.proxy.as_ref().map(|proxy| Proxy::parse(proxy.expose())).transpose()?,
            tls: Tls::new(&config.ca_pem)?,
            stagger: config.stagger,
        })
    }

    async fn wire(&self, origin: &Origin) -> Result<Wire, Error> {
        let host = origin.host.trim_start_matches('[').trim_end_matches(']');
        let stream = self.dial(host, origin.port).await?;
        if !origin.tls {
            return Ok(Wire::plain(stream));
        }
        Ok(Wire::tls(self.tls.handshake(host.trim_end_matches('.'), stream).await?))
    }

    /// A connection to a judged address of a host.
    pub(crate) async fn dial(&self, host: &str, port: u16) -> Result<TcpStream, Error> {
        let addresses = self.judged(host, port).await?;
        match &self.proxy {
            None => self.connect(host, &addresses).await,
            Some(proxy) => self.connect_through(proxy, &addresses).await,
        }
    }

    /// The addresses to dial for a host. All of them are judged before any is used, and what is dialled is what was
    /// judged: nothing is looked up again.
    async fn judged(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, Error> {
        let detour = self.connect_to.iter().find_map(|rule| rule.apply(host, port));
        let (host, port) = detour.unwrap_or_else(|| (host.to_owned(), port));
        let host = host.trim_end_matches('.');
        self.guard.judge_name(&bracketed(host), port).map_err(|refusal| refused(&refusal))?;
        let addresses = self.addresses(host).await?;
        for address in &addresses {
            self.guard.judge_address(host, port, *address).map_err(|refusal| {
                let error = refused(&refusal);
                let detail = format!("{host} is not dialled: {}", error.detail);
                Error { detail, ..error }
            })?;
        }
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }

    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, Error> {
        match Host::parse(&bracketed(host)) {
            Ok(Host::Ipv4(address)) => return Ok(vec![address.into()]),
            Ok(Host::Ipv6(address)) => return Ok(vec![address.into()]),
            _ => {}
        }
        match self.resolve.iter().find(|(name, _)| name.eq_ignore_ascii_case(host)) {
            Some((_, addresses)) => Ok(addresses.clone()),
            None => self.resolver.resolve(host).await,
        }
    }

    async fn connect(&self, host: &str, addresses: &[SocketAddr]) -> Result<TcpStream, Error> {
        race::connect(addresses, self.stagger).await.map_err(|error| {
            failure(ErrorKind::Connect, format!("no connection to {host}: {error}")).with_source(error)
        })
    }

    /// The first of the addresses that the proxy can reach.
    async fn connect_through(&self, proxy: &Proxy, addresses: &[SocketAddr]) -> Result<TcpStream, Error> {
        let mut last = failure(ErrorKind::Dns, "there is no address to dial");
        for address in addresses {
            let mut stream = self.connect_to_proxy(proxy).await?;
            match proxy.tunnel(&mut stream, *address).await {
                Ok(()) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn connect_to_proxy(&self, proxy: &Proxy) -> Result<TcpStream, Error> {
        let addresses = match &proxy.host {
            Host::Domain(name) => self.resolver.resolve(name).await?,
            Host::Ipv4(address) => vec![(*address).into()],
            Host::Ipv6(address) => vec![(*address).into()],
        };
        let addresses: Vec<_> = addresses.into_iter().map(|address| SocketAddr::new(address, proxy.port)).collect();
        self.connect("the proxy", &addresses).await
    }
}

/// An IPv6 address in the form in which it stands in a URL; anything else as it is.
pub(crate) fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}
