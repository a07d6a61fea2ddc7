//! Certificates for stand-in servers, sound ones and others.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// Someone who signs certificates: a root, or below one.
#[derive(Debug)]
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: rcgen::Certificate,
    /// Those between this one and the root, nearest first, this one included unless it is the root.
    chain: Vec<CertificateDer<'static>>,
}

/// A key and the certificates that a server shows for it.
#[derive(Debug, Clone)]
pub struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: Arc<PrivateKeyDer<'static>>,
}

impl Authority {
    /// A root of that name.
    pub fn root(name: &str) -> Self {
        let (params, key) = authority_params(name);
        let certificate = params.self_signed(&key).expect("sound parameters are signed");
        Self { issuer: Issuer::new(params, key), certificate, chain: Vec::new() }
    }

    /// An authority that this one vouches for.
    pub fn intermediate(&self, name: &str) -> Self {
        let (params, key) = authority_params(name);
        let certificate = params.signed_by(&key, &self.issuer).expect("sound parameters are signed");
        let chain = [vec![certificate.der().clone()], self.chain.clone()].concat();
        Self { issuer: Issuer::new(params, key), certificate, chain }
    }

    /// Its certificate, for those who trust it.
    pub fn pem(&self) -> Vec<u8> {
        self.certificate.pem().into_bytes()
    }

    /// An identity for these names, with the whole chain.
    pub fn identity(&self, names: &[&str]) -> Identity {
        self.sign(server_params(names))
    }

    /// An identity whose time is over.
    pub fn expired_identity(&self, names: &[&str]) -> Identity {
        let mut params = server_params(names);
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 2, 3);
        self.sign(params)
    }

    /// An identity whose time has not come.
    pub fn early_identity(&self, names: &[&str]) -> Identity {
        let mut params = server_params(names);
        params.not_before = date_time_ymd(4000, 1, 2);
        self.sign(params)
    }

    fn sign(&self, params: CertificateParams) -> Identity {
        let key = KeyPair::generate().expect("keys can be made");
        let leaf = params.signed_by(&key, &self.issuer).expect("sound parameters are signed");
        Identity::new([vec![leaf.der().clone()], self.chain.clone()].concat(), &key)
    }
}

impl Identity {
    /// An identity that nobody else vouches for.
    pub fn self_signed(names: &[&str]) -> Self {
        let key = KeyPair::generate().expect("keys can be made");
        let certificate = server_params(names).self_signed(&key).expect("sound parameters are signed");
        Self::new(vec![certificate.der().clone()], &key)
    }

    /// The same without the certificates of those who vouch for it, as servers are often set up.
    #[must_use]
    pub fn without_chain(mut self) -> Self {
        self.chain.truncate(1);
        self
    }

    /// The same with the root's certificate sent along.
    #[must_use]
    pub fn with_root(mut self, root: &Authority) -> Self {
        self.chain.push(root.certificate.der().clone());
        self
    }

    pub(crate) fn acceptor(&self, protocols: &[&[u8]]) -> TlsAcceptor {
        let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider speaks TLS")
            .with_no_client_auth()
            .with_single_cert(self.chain.clone(), self.key.clone_key())
            .expect("the key fits the certificate");
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        TlsAcceptor::from(Arc::new(config))
    }

    fn new(chain: Vec<CertificateDer<'static>>, key: &KeyPair) -> Self {
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a fresh key is sound");
        Self { chain, key: Arc::new(key) }
    }
}

fn authority_params(name: &str) -> (CertificateParams, KeyPair) {
    let mut params = CertificateParams::new(Vec::new()).expect("no names are sound names");
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    (params, KeyPair::generate().expect("keys can be made"))
}

fn server_params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names.clone()).expect("the names are sound");
    params.distinguished_name.push(DnType::CommonName, names.first().map_or("nobody", String::as_str));
    params
}
