//! Proxies: they get judged addresses only, and their own failures are told.

use std::net::SocketAddr;

use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::Fetcher;
use headwater_tests::server::{Authority, Reply, StandIn, StandInProxy};

use crate::client::{refusal, request, response};

fn through(scheme: &str, login: &str, proxy: &StandInProxy, root: &Authority) -> HyperFetcher {
    let config = HttpConfig {
        proxy: Some(Secret::new(format!("{scheme}://{login}{}", proxy.address()))),
        resolve: vec![
            ("feeds.example".to_owned(), vec!["93.184.216.34".parse().unwrap()]),
            ("six.example".to_owned(), vec!["2606:2800:220:1:248:1893:25c8:1946".parse().unwrap()]),
            ("inside.example".to_owned(), vec!["10.0.0.1".parse().unwrap()]),
        ],
        ca_pem: vec![root.pem()],
        ..HttpConfig::default()
    };
    HyperFetcher::new(config).unwrap()
}

async fn both(server: Option<SocketAddr>) -> [(&'static str, StandInProxy); 2] {
    [("http", StandInProxy::connect(server).await), ("socks5", StandInProxy::socks5(server).await)]
}

#[tokio::test]
async fn a_proxy_is_given_the_judged_address_and_its_login() {
    let root = Authority::root("Test Root");
    let server = StandIn::start_tls(&root.identity(&["feeds.example", "six.example"]), |_| Reply::ok("through")).await;
    for (scheme, proxy) in both(Some(server.address())).await {
        let fetcher = through(scheme, "me:p%40ss@", &proxy, &root);
        for url in ["https://feeds.example/", "https://six.example/"] {
            assert_eq!(response(fetcher.fetch(request(url)).await).body, "through", "{scheme}");
        }
        let login = if scheme == "http" { "Basic bWU6cEBzcw==" } else { "me:p@ss" };
        let expected = ["93.184.216.34:443", "[2606:2800:220:1:248:1893:25c8:1946]:443"];
        assert_eq!(proxy.asked(), expected.map(|target| (target.parse().unwrap(), Some(login.to_owned()))));
    }
}

#[tokio::test]
async fn a_proxy_is_never_asked_for_the_inside() {
    let root = Authority::root("Test Root");
    let server = StandIn::start(|_| Reply::redirect(302, "http://inside.example/")).await;
    for (scheme, proxy) in both(Some(server.address())).await {
        let fetcher = through(scheme, "", &proxy, &root);
        for url in ["http://inside.example/", "http://127.0.0.1/", "http://169.254.169.254/"] {
            refusal(fetcher.fetch(request(url)).await, ErrorKind::BlockedAddress);
        }
        assert!(proxy.asked().is_empty());
        refusal(fetcher.fetch(request("http://feeds.example/")).await, ErrorKind::BlockedAddress);
        assert_eq!(proxy.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_proxy_that_refuses_ends_as_connect() {
    let root = Authority::root("Test Root");
    for (scheme, proxy) in both(None).await {
        let exchange = through(scheme, "", &proxy, &root).fetch(request("http://feeds.example/")).await;
        assert_eq!(exchange.requests, 0);
        let error = refusal(exchange, ErrorKind::Connect);
        assert!(error.detail.contains("the proxy refused"), "{}", error.detail);
    }
}

#[tokio::test]
async fn a_proxy_that_cannot_be_used_is_refused_at_the_start_without_its_password() {
    for proxy in
        ["ftp://u:s3cret@proxy.example", "proxy.example:3128", "http://", "https://u:s3cret@proxy.example", "s3cret"]
    {
        let config = HttpConfig { proxy: Some(Secret::new(proxy.to_owned())), ..HttpConfig::default() };
        assert!(!format!("{config:?}").contains("s3cret"));
        let error = HyperFetcher::new(config).err().expect("no such proxy");
        assert_eq!(error.kind, ErrorKind::InvalidConfig);
        assert!(!format!("{error:?}").contains("s3cret"));
    }
}
