//! Connections: kept, found dead, shared by HTTP/2, limited for each host, let go with the request.

use std::sync::Arc;
use std::time::Duration;

use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_ports::Fetcher;
use headwater_tests::server::{Act, Authority, Reply, StandIn};
use tokio::task::JoinSet;

use crate::client::{leading_to, request, response};

#[tokio::test]
async fn connections_are_kept() {
    let server = StandIn::start(|request| match request.path() {
        "/moved" => Reply::redirect(302, "/").body("a short text for people"),
        _ => Reply::ok("x"),
    })
    .await;
    let fetcher = HyperFetcher::new(leading_to(&server)).unwrap();
    for path in ["", "moved", ""] {
        response(fetcher.fetch(request(&format!("http://kept.example/{path}"))).await);
    }
    assert_eq!((server.requests().len(), server.connections()), (4, 1));
}

#[tokio::test]
async fn a_kept_connection_that_died_is_replaced_unseen() {
    // The server closes after each response without having said so.
    let server =
        StandIn::start(|_| Reply::raw([Act::send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"), Act::Close])).await;
    let fetcher = HyperFetcher::new(leading_to(&server)).unwrap();
    for _ in 0..5 {
        let exchange = fetcher.fetch(request("http://rude.example/")).await;
        assert_eq!(exchange.requests, 1);
        response(exchange);
    }
    assert_eq!(server.requests().len(), 5);
}

#[tokio::test]
async fn http2_is_spoken_where_it_is_offered() {
    let root = Authority::root("Test Root");
    let server = StandIn::start_h2(&root.identity(&["two.example"]), |request| match request.path() {
        "/moved" => Reply::redirect(308, "/feed.xml"),
        _ => Reply::ok("<rss/>").header("ETag", "\"a\""),
    })
    .await;
    let config = HttpConfig { ca_pem: vec![root.pem()], ..leading_to(&server) };
    let fetcher = Arc::new(HyperFetcher::new(config).unwrap());
    let mut tasks = JoinSet::new();
    for _ in 0..20 {
        let fetcher = Arc::clone(&fetcher);
        tasks.spawn(async move { fetcher.fetch(request("https://two.example/moved")).await });
    }
    while let Some(exchange) = tasks.join_next().await {
        let exchange = exchange.unwrap();
        assert_eq!(exchange.requests, 2);
        let response = response(exchange);
        assert_eq!((response.body.as_ref(), response.headers.text("etag")), (&b"<rss/>"[..], Some("\"a\"")));
    }
    assert_eq!(server.requests().len(), 40);
    // Before the first handshake nobody knows that one connection would do.
    assert!(server.connections() <= 4, "{} connections", server.connections());
}

#[tokio::test]
async fn one_host_gets_no_more_requests_at_once_than_its_turns() {
    let server = StandIn::start(|_| Reply::raw([Act::Hang])).await;
    let config = HttpConfig { requests_per_host: 3, ..leading_to(&server) };
    let fetcher = Arc::new(HyperFetcher::new(config).unwrap());
    let mut tasks = JoinSet::new();
    for host in ["a.example", "b.example"] {
        for _ in 0..10 {
            let fetcher = Arc::clone(&fetcher);
            tasks.spawn(async move { fetcher.fetch(request(&format!("http://{host}/"))).await });
        }
    }
    while server.requests().len() < 6 {
        tokio::task::yield_now().await;
    }
    // Whoever else would come has had every chance to.
    tokio::time::sleep(Duration::from_millis(100)).await;
    for host in ["a.example", "b.example"] {
        assert_eq!(server.requests().iter().filter(|request| request.host() == host).count(), 3);
    }
}

#[tokio::test]
async fn a_request_that_is_let_go_closes_its_connection_and_gives_its_turn_back() {
    let server = StandIn::start(|request| match request.path() {
        "/hang" => Reply::raw([Act::send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), Act::Hang]),
        _ => Reply::ok("x"),
    })
    .await;
    let config = HttpConfig { requests_per_host: 1, ..leading_to(&server) };
    let fetcher = Arc::new(HyperFetcher::new(config).unwrap());
    let hanging = tokio::spawn({
        let fetcher = Arc::clone(&fetcher);
        async move { fetcher.fetch(request("http://slow.example/hang")).await }
    });
    while server.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    hanging.abort();
    assert!(hanging.await.is_err());
    response(fetcher.fetch(request("http://slow.example/")).await);
    while server.open_connections() > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn many_hosts_leave_few_connections_behind() {
    let server = StandIn::start(|_| Reply::ok("x")).await;
    let config = HttpConfig { idle_connections: 5, ..leading_to(&server) };
    let fetcher = HyperFetcher::new(config).unwrap();
    for number in 0..30 {
        response(fetcher.fetch(request(&format!("http://h{number}.example/"))).await);
    }
    assert_eq!(server.connections(), 30);
    while server.open_connections() > 5 {
        tokio::task::yield_now().await;
    }
    // Those that were used last are still there, and the first one gave way.
    for number in 25..30 {
        response(fetcher.fetch(request(&format!("http://h{number}.example/"))).await);
    }
    assert_eq!(server.connections(), 30);
    response(fetcher.fetch(request("http://h0.example/")).await);
    assert_eq!(server.connections(), 31);
}

#[tokio::test]
async fn an_idle_connection_is_let_go_in_time() {
    let server = StandIn::start(|_| Reply::ok("x")).await;
    let config = HttpConfig { idle_timeout: Duration::from_millis(30), ..leading_to(&server) };
    let fetcher = HyperFetcher::new(config).unwrap();
    for host in ["a.example", "b.example"] {
        response(fetcher.fetch(request(&format!("http://{host}/"))).await);
    }
    while server.open_connections() > 0 {
        tokio::task::yield_now().await;
    }
    response(fetcher.fetch(request("http://a.example/")).await);
    assert_eq!(server.connections(), 3);
}
