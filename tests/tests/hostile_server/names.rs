//! Names: answers that lead inside, answers that change between check and dial, addresses that swallow everything.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_domain::ErrorKind;
use headwater_domain::net::Exemptions;
use headwater_ports::{Error, Fetcher, Resolver, Result};
use headwater_tests::server::{Reply, StandIn};
use tokio::net::{TcpSocket, TcpStream};

use crate::client::{refusal, request, response};

/// Gives its answers one after the other, the last one for ever.
#[derive(Debug)]
struct Changing {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    asked: Mutex<Vec<String>>,
}

impl Changing {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        Arc::new(Self { answers: Mutex::new(answers.iter().map(parse).collect()), asked: Mutex::default() })
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl Resolver for Changing {
    async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        answer.filter(|answer| !answer.is_empty()).ok_or_else(|| Error::new(ErrorKind::Dns, "resolve", "no such name"))
    }
}

fn fetcher(resolver: &Arc<Changing>, exempt: &[&str]) -> HyperFetcher {
    let mut exemptions = Exemptions::default();
    exempt.iter().for_each(|text| exemptions.add(text).unwrap());
    let resolver = Arc::clone(resolver) as Arc<dyn Resolver>;
    HyperFetcher::new(HttpConfig {
        exemptions,
        resolver: Some(resolver),
        stagger: Duration::from_millis(20),
        ..HttpConfig::default()
    })
    .unwrap()
}

#[tokio::test]
async fn a_name_that_leads_inside_is_not_dialled() {
    let canary = StandIn::start_at("127.0.0.2:0", |_| Reply::ok("inside")).await;
    let url = format!("http://rebind.example:{}/", canary.port());
    for answer in [
        &["127.0.0.2"][..],
        &["::ffff:127.0.0.2"],
        &["93.184.216.34", "127.0.0.2"],
        &["127.0.0.2", "93.184.216.34"],
        &["fd00::1"],
        &["169.254.169.254"],
    ] {
        let exchange = fetcher(&Changing::new(&[answer]), &[]).fetch(request(&url)).await;
        assert_eq!(exchange.requests, 0);
        let error = refusal(exchange, ErrorKind::BlockedAddress);
        assert!(error.detail.contains("rebind.example"), "{}", error.detail);
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn an_answer_that_changes_after_the_check_changes_nothing() {
    let server = StandIn::start(|_| Reply::ok("outside")).await;
    let canary = StandIn::start_at(&format!("127.0.0.2:{}", server.port()), |_| Reply::ok("inside")).await;
    let resolver = Changing::new(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let fetcher = fetcher(&resolver, &["127.0.0.1"]);
    let url = format!("http://rebind.example:{}/", server.port());
    assert_eq!(response(fetcher.fetch(request(&url)).await).body, "outside");
    assert_eq!(resolver.asked(), 1);
    // The kept connection leads where it led; a new one is judged anew.
    assert_eq!(response(fetcher.fetch(request(&url)).await).body, "outside");
    assert_eq!(resolver.asked(), 1);
    drop(server);
    refusal(fetcher.fetch(request(&url)).await, ErrorKind::BlockedAddress);
    assert_eq!((resolver.asked(), canary.connections()), (2, 0));
}

#[tokio::test]
async fn a_detour_is_judged_by_host_and_by_address() {
    let canary = StandIn::start_at("127.0.0.2:0", |_| Reply::ok("inside")).await;
    let detour = format!("::127.0.0.2:{}", canary.port()).parse().unwrap();
    let mut exemptions = Exemptions::default();
    // The exemption of the URL's host does not cover where the detour leads.
    exemptions.add("wiki.corp").unwrap();
    exemptions.add("127.0.0.1").unwrap();
    let fetcher =
        HyperFetcher::new(HttpConfig { exemptions, connect_to: vec![detour], ..HttpConfig::default() }).unwrap();
    for url in ["http://public.example/", "http://wiki.corp/", "http://10.0.0.1/", "http://127.0.0.1/"] {
        refusal(fetcher.fetch(request(url)).await, ErrorKind::BlockedAddress);
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn a_name_without_an_address_ends_as_dns() {
    let exchange = fetcher(&Changing::new(&[&[]]), &[]).fetch(request("http://nowhere.example/")).await;
    assert_eq!(exchange.requests, 0);
    refusal(exchange, ErrorKind::Dns);
}

#[tokio::test]
async fn a_refused_connection_ends_as_connect() {
    let port = StandIn::start(|_| Reply::ok("gone")).await.port();
    let exchange = fetcher(&Changing::new(&[&["127.0.0.1"]]), &["127.0.0.1"])
        .fetch(request(&format!("http://down.example:{port}/")))
        .await;
    assert_eq!(exchange.requests, 0);
    refusal(exchange, ErrorKind::Connect);
}

/// An IPv6 address that lets nobody in and turns nobody away: a queue that is full.
async fn black_hole(port: u16) -> (SocketAddr, Vec<TcpStream>, tokio::net::TcpListener) {
    let socket = TcpSocket::new_v6().unwrap();
    socket.bind(SocketAddr::new("::1".parse().unwrap(), port)).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(Ok(stream)) = tokio::time::timeout(Duration::from_millis(200), TcpStream::connect(address)).await {
        waiting.push(stream);
    }
    (address, waiting, listener)
}

#[tokio::test]
async fn a_v6_address_that_swallows_everything_gives_way_to_v4() {
    let server = StandIn::start(|_| Reply::ok("by v4")).await;
    let (_, _waiting, _listener) = black_hole(server.port()).await;
    let fetcher = fetcher(&Changing::new(&[&["::1", "127.0.0.1"]]), &["127.0.0.1", "::1"]);
    let url = format!("http://broken-aaaa.example:{}/", server.port());
    let exchange = fetcher.fetch(request(&url)).await;
    assert_eq!(exchange.requests, 1);
    assert_eq!(response(exchange).body, "by v4");
}

#[tokio::test]
async fn a_host_behind_a_black_hole_alone_ends_as_timeout() {
    let (address, _waiting, _listener) = black_hole(0).await;
    let fetcher = fetcher(&Changing::new(&[&["::1"]]), &["::1"]);
    let mut request = request(&format!("http://hole.example:{}/", address.port()));
    request.limits.timeout = Duration::from_millis(300);
    let exchange = fetcher.fetch(request).await;
    assert_eq!(exchange.requests, 0);
    refusal(exchange, ErrorKind::Timeout);
}
