//! Whether a server's certificates lead to a trusted root, and which link is missing where they do not.

use std::fmt;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_ports::Error;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, OtherError, RootCertStore, SignatureScheme};

use super::certificate::{Names, readable};
use crate::error::failure;

/// Verifies as the library does; where that says "unknown issuer" it says which.
#[derive(Debug)]
pub(super) struct ChainVerifier(Arc<WebPkiServerVerifier>);

/// Why a chain of certificates leads to no trusted root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UntrustedChain {
    /// The certificate vouches for itself.
    SelfSigned,
    /// The chain ends in a root that is not trusted.
    UnknownRoot(String),
    /// The certificate of this issuer was not sent, and is not trusted either.
    Missing(String),
}

impl ChainVerifier {
    /// Accepts what leads to one of the roots.
    pub(super) fn new(roots: RootCertStore, provider: Arc<CryptoProvider>) -> Result<Self, Error> {
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().map(Self).map_err(|error| {
            failure(ErrorKind::Internal, "the certificate verifier cannot be set up").with_source(error)
        })
    }
}

impl ServerCertVerifier for ChainVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verified = self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        verified.map_err(|error| match &error {
            rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::Other(_)) => {
                explain(end_entity, intermediates).unwrap_or(error)
            }
            _ => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

impl UntrustedChain {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::SelfSigned | Self::UnknownRoot(_) => ErrorKind::Tls,
            Self::Missing(_) => ErrorKind::TlsIncompleteChain,
        }
    }

    pub(super) fn describe(&self, host: &str) -> String {
        match self {
            Self::SelfSigned => format!("the certificate of {host} is self-signed"),
            Self::UnknownRoot(name) => format!("{host} is vouched for by {name:?}, which is not trusted"),
            Self::Missing(name) => {
                format!("{host} did not send the certificate of its issuer {name:?}, which is not trusted itself")
            }
        }
    }
}

impl fmt::Display for UntrustedChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe("the server"))
    }
}

impl std::error::Error for UntrustedChain {}

/// Follows the issuers through what was sent, to where the chain breaks.
fn explain(end_entity: &CertificateDer<'_>, sent: &[CertificateDer<'_>]) -> Option<rustls::Error> {
    let first = Names::read(end_entity)?;
    let sent: Vec<Names<'_>> = sent.iter().take(MAX_SENT).filter_map(|certificate| Names::read(certificate)).collect();
    let mut last = first;
    // No chain is longer than the list, so circles end too.
    for _ in 0..sent.len() {
        match sent.iter().find(|names| !last.is_self_issued() && names.subject == last.issuer) {
            Some(issuer) => last = *issuer,
            None => break,
        }
    }
    let chain = match last {
        names if names == first && names.is_self_issued() => UntrustedChain::SelfSigned,
        names if names.is_self_issued() => UntrustedChain::UnknownRoot(readable(names.subject)),
        names => UntrustedChain::Missing(readable(names.issuer)),
    };
    Some(CertificateError::Other(OtherError(Arc::new(chain))).into())
}

/// Certificates of a handshake that are looked at.
const MAX_SENT: usize = 20;
