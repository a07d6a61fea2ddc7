//! Certificates: for other names, out of time, of unknown origin; and what speaks no TLS.

use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_domain::ErrorKind;
use headwater_domain::net::Exemptions;
use headwater_ports::{Error, Fetcher};
use headwater_tests::server::{Authority, Identity, Reply, StandIn};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::client::{leading_to, refusal, request, response};

const URL: &str = "https://hostile.example/feed.xml";

/// What is told of a server with that identity, where `root` is trusted.
async fn told(root: &Authority, identity: &Identity, kind: ErrorKind) -> Error {
    let server = StandIn::start_tls(identity, |_| Reply::ok("never read")).await;
    let config = HttpConfig { ca_pem: vec![root.pem()], ..leading_to(&server) };
    let exchange = HyperFetcher::new(config).unwrap().fetch(request(URL)).await;
    assert_eq!((exchange.requests, server.requests().len()), (0, 0));
    refusal(exchange, kind)
}

#[tokio::test]
async fn a_sound_chain_of_any_length_is_accepted() {
    let root = Authority::root("Test Root");
    let below = root.intermediate("Test Intermediate").intermediate("Test Issuer");
    for identity in [root.identity(&["hostile.example"]), below.identity(&["*.example", "hostile.example"])] {
        let server = StandIn::start_tls(&identity, |_| Reply::ok("read")).await;
        let config = HttpConfig { ca_pem: vec![root.pem()], ..leading_to(&server) };
        let exchange = HyperFetcher::new(config).unwrap().fetch(request(URL)).await;
        assert_eq!(response(exchange).body, "read");
    }
}

#[tokio::test]
async fn a_certificate_for_other_names_lists_them() {
    let root = Authority::root("Test Root");
    let identity = root.identity(&["www.other.example", "*.cdn.example"]);
    let error = told(&root, &identity, ErrorKind::TlsNameMismatch).await;
    for word in ["hostile.example", "www.other.example", "*.cdn.example"] {
        assert!(error.detail.contains(word), "{}", error.detail);
    }
}

#[tokio::test]
async fn a_chain_with_a_missing_link_names_it() {
    let root = Authority::root("Test Root");
    let identity = root.intermediate("Test Intermediate").identity(&["hostile.example"]).without_chain();
    let error = told(&root, &identity, ErrorKind::TlsIncompleteChain).await;
    assert!(error.detail.contains("Test Intermediate"), "{}", error.detail);
    assert!(error.hint.is_some());
}

#[tokio::test]
async fn a_time_that_is_over_or_has_not_come_is_said() {
    let root = Authority::root("Test Root");
    let error = told(&root, &root.expired_identity(&["hostile.example"]), ErrorKind::Tls).await;
    assert!(error.detail.contains("expired on 2002-02-03"), "{}", error.detail);
    let error = told(&root, &root.early_identity(&["hostile.example"]), ErrorKind::Tls).await;
    assert!(error.detail.contains("not valid before 4000-01-02"), "{}", error.detail);
}

#[tokio::test]
async fn who_is_vouched_for_by_nobody_known_is_told() {
    let root = Authority::root("Test Root");
    let error = told(&root, &Identity::self_signed(&["hostile.example"]), ErrorKind::Tls).await;
    assert!(error.detail.contains("self-signed"), "{}", error.detail);
    let stranger = Authority::root("Somebody Else");
    let identity = stranger.identity(&["hostile.example"]).with_root(&stranger);
    let error = told(&root, &identity, ErrorKind::Tls).await;
    assert!(error.detail.contains("Somebody Else"), "{}", error.detail);
}

#[tokio::test]
async fn a_root_of_the_same_name_is_not_the_root() {
    let root = Authority::root("Test Root");
    let pretender = Authority::root("Test Root");
    let server = StandIn::start_tls(&pretender.identity(&["hostile.example"]), |_| Reply::ok("never read")).await;
    let config = HttpConfig { ca_pem: vec![root.pem()], ..leading_to(&server) };
    let exchange = HyperFetcher::new(config).unwrap().fetch(request(URL)).await;
    assert!(exchange.outcome.is_err() && server.requests().is_empty());
}

#[tokio::test]
async fn what_speaks_no_tls_ends_as_tls() {
    for garbage in ["HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0\0\0\0\0", ""] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let answering = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.read_exact(&mut [0; 16]).await.unwrap();
            stream.write_all(garbage.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
            while stream.read(&mut [0; 1024]).await.is_ok_and(|read| read > 0) {}
        });
        let mut exemptions = Exemptions::default();
        exemptions.add("127.0.0.1").unwrap();
        let connect_to = vec![format!("::127.0.0.1:{port}").parse().unwrap()];
        let config = HttpConfig { exemptions, connect_to, ..HttpConfig::default() };
        let exchange = HyperFetcher::new(config).unwrap().fetch(request(URL)).await;
        assert_eq!(exchange.requests, 0);
        refusal(exchange, ErrorKind::Tls);
        answering.abort();
    }
}

#[tokio::test]
async fn added_authorities_that_are_none_are_refused_at_the_start() {
    for pem in ["", "no pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let config = HttpConfig { ca_pem: vec![pem.as_bytes().to_vec()], ..HttpConfig::default() };
        let error = HyperFetcher::new(config).err().expect("no certificate is in there");
        assert_eq!(error.kind, ErrorKind::InvalidConfig);
    }
}
