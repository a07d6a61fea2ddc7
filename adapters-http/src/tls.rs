//! How a connection is encrypted, and what is wrong with a certificate that is not accepted.

mod certificate;
mod verifier;

use std::io;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_ports::Error;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, RootCertStore, crypto};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use self::verifier::{ChainVerifier, UntrustedChain};
use crate::error::failure;

/// Encrypts connections.
#[derive(Clone)]
pub(crate) struct Tls(TlsConnector);

impl Tls {
    /// Trusts the compiled-in authorities and those of `ca_pem`.
    ///
    /// # Errors
    /// `invalid_config` for PEM without a usable certificate.
    pub(crate) fn new(ca_pem: &[Vec<u8>]) -> Result<Self, Error> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        for pem in ca_pem {
            add_authorities(&mut roots, pem)?;
        }
        // Passed explicitly: with two providers in a build the bare builder would refuse to choose.
        let provider = Arc::new(crypto::aws_lc_rs::default_provider());
        let verifier = ChainVerifier::new(roots, Arc::clone(&provider))?;
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| failure(ErrorKind::Internal, "TLS cannot be set up").with_source(error))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }

    /// The same for a protocol that negotiates nothing else.
    pub(crate) fn without_protocols(&self) -> Self {
        let mut config = ClientConfig::clone(self.0.config());
        config.alpn_protocols.clear();
        Self(TlsConnector::from(Arc::new(config)))
    }

    /// Makes the handshake for `host`, the name in the URL.
    pub(crate) async fn handshake<S>(&self, host: &str, stream: S) -> Result<TlsStream<S>, Error>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| failure(ErrorKind::InvalidUrl, format!("{host} is no name that a certificate can be for")))?;
        self.0.connect(name, stream).await.map_err(|error| handshake_failure(host, error))
    }
}

/// Whether HTTP/2 was agreed on.
pub(crate) fn speaks_h2(stream: &TlsStream<TcpStream>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(b"h2")
}

fn add_authorities(roots: &mut RootCertStore, pem: &[u8]) -> Result<(), Error> {
    let unusable =
        || failure(ErrorKind::InvalidConfig, "the file of added authorities holds no usable PEM certificate");
    let mut added = 0;
    for certificate in CertificateDer::pem_slice_iter(pem) {
        roots.add(certificate.map_err(|_| unusable())?).map_err(|_| unusable())?;
        added += 1;
    }
    if added == 0 { Err(unusable()) } else { Ok(()) }
}

fn handshake_failure(host: &str, error: io::Error) -> Error {
    let Some(cause) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) else {
        return failure(ErrorKind::Tls, format!("{host} broke off the TLS handshake")).with_source(error);
    };
    let (kind, detail) = match cause {
        rustls::Error::InvalidCertificate(problem) => certificate_failure(host, problem),
        other => (ErrorKind::Tls, format!("the TLS handshake with {host} failed: {other}")),
    };
    let error = failure(kind, detail);
    match kind {
        ErrorKind::TlsIncompleteChain => {
            error.with_hint("the server has to send the missing certificate; --ca-file PEM adds one to those trusted")
        }
        _ => error,
    }
}

fn certificate_failure(host: &str, problem: &CertificateError) -> (ErrorKind, String) {
    match problem {
        CertificateError::NotValidForName => (ErrorKind::TlsNameMismatch, format!("the certificate is not for {host}")),
        CertificateError::NotValidForNameContext { presented, .. } => {
            let names: Vec<&str> = presented.iter().take(NAMED).map(|name| bare_name(name)).collect();
            let names = if names.is_empty() { "no name at all".to_owned() } else { names.join(", ") };
            let more = if presented.len() > NAMED { " and others" } else { "" };
            (ErrorKind::TlsNameMismatch, format!("the certificate is not for {host}, but for {names}{more}"))
        }
        CertificateError::Expired => (ErrorKind::Tls, format!("the certificate of {host} has expired")),
        CertificateError::ExpiredContext { not_after, .. } => {
            (ErrorKind::Tls, format!("the certificate of {host} expired on {}", day(*not_after)))
        }
        CertificateError::NotValidYet => (ErrorKind::Tls, format!("the certificate of {host} is not valid yet")),
        CertificateError::NotValidYetContext { not_before, .. } => {
            (ErrorKind::Tls, format!("the certificate of {host} is not valid before {}", day(*not_before)))
        }
        CertificateError::Other(other) => match other.0.downcast_ref::<UntrustedChain>() {
            Some(chain) => (chain.kind(), chain.describe(host)),
            None => (ErrorKind::Tls, format!("the certificate of {host} is not accepted: {problem}")),
        },
        _ => (ErrorKind::Tls, format!("the certificate of {host} is not accepted: {problem}")),
    }
}

/// The name in `DnsName("example.org")`, as the library writes it.
fn bare_name(name: &str) -> &str {
    name.split_once('"').and_then(|(_, rest)| rest.split_once('"')).map_or(name, |(bare, _)| bare)
}

fn day(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    jiff::Timestamp::from_second(seconds)
        .map_or_else(|_| "a day beyond all calendars".to_owned(), |at| at.strftime("%F").to_string())
}

/// So many names of a certificate are listed.
const NAMED: usize = 10;
