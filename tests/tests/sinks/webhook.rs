//! Is a web hook sent each digest signed, with one key, and again where that helps?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use headwater_adapters_http::HyperFetcher;
use headwater_adapters_sinks::{WebhookConfig, WebhookSink};
use headwater_domain::ErrorKind;
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_ports::{DigestSink as _, Result};
use headwater_tests::fakes::{FakeClock, FakeTimer};
use headwater_tests::server::{Act, Received, Reply, StandIn};

use super::kit::{Text, delivery, local};

const PAGE: Text = Text("application/json", "{\"run_id\":\"x\"}");

/// Delivers to a server by its replies in turn, the last one for good.
async fn deliver(replies: Vec<Reply>) -> (Result<()>, Vec<Received>, Vec<Duration>) {
    let number = AtomicUsize::new(0);
    let server = StandIn::start(move |_| {
        let number = number.fetch_add(1, Ordering::SeqCst);
        replies[number.min(replies.len() - 1)].clone()
    })
    .await;
    let url = format!("http://{}/hooks/T0/B0/tokentokentokentokentoken?token=0123456789abcdef", server.address());
    let mut config = WebhookConfig::new(PrivateUrl::new(url.parse().unwrap()));
    config.secret = Some(Secret::new("Jefe".to_owned()));
    config.timeout = Duration::from_secs(20);
    let clock = Arc::new(FakeClock::default());
    let timer = Arc::new(FakeTimer::new(Arc::clone(&clock)));
    let fetcher = Arc::new(HyperFetcher::new(local()).unwrap());
    let sink = WebhookSink::new(config, fetcher, clock, Arc::clone(&timer) as _);
    let outcome = sink.deliver(&delivery(&PAGE)).await;
    (outcome, server.requests(), timer.slept())
}

#[tokio::test]
async fn a_digest_comes_signed_with_its_key() {
    let (outcome, requests, waits) = deliver(vec![Reply::new(204)]).await;
    outcome.unwrap();
    assert_eq!((requests.len(), waits.len()), (1, 0));
    let request = &requests[0];
    assert_eq!((request.method.as_str(), request.body.as_slice()), ("POST", PAGE.1.as_bytes()));
    assert_eq!(request.value("content-type").as_deref(), Some("application/json"));
    assert_eq!(request.value("idempotency-key").as_deref(), Some("0123456789abcdef0123456789abcdef"));
    assert_eq!(request.value("x-headwater-timestamp").as_deref(), Some("1767225600"));
    assert_eq!(
        request.value("x-headwater-signature").as_deref(),
        // HMAC-SHA256 of `1767225600.{"run_id":"x"}` under `Jefe`, computed elsewhere.
        Some("v1=5ecce636b7481983be609e981edda0ffa65fa17d74f81d467edf4a01e155073a")
    );
}

#[tokio::test]
async fn a_busy_receiver_is_sent_the_same_again() {
    let busy = Reply::new(429).header("Retry-After", "9");
    let (outcome, requests, waits) = deliver(vec![busy, Reply::new(503), Reply::new(200)]).await;
    outcome.unwrap();
    assert_eq!(waits, [9, 2].map(Duration::from_secs));
    let keys: Vec<_> = requests.iter().map(|request| request.value("idempotency-key")).collect();
    assert!(keys.len() == 3 && keys.windows(2).all(|pair| pair[0] == pair[1]), "{keys:?}");
    assert!(requests.iter().all(|request| request.body == PAGE.1.as_bytes()));
}

#[tokio::test]
async fn what_does_not_pass_is_not_tried_again_and_no_secret_is_told() {
    for (reply, tries, kind) in [
        (Reply::new(401), 1, ErrorKind::HttpStatus),
        (Reply::new(413), 1, ErrorKind::HttpStatus),
        (Reply::new(500), 3, ErrorKind::HttpStatus),
        (Reply::new(429).header("Retry-After", "3600"), 1, ErrorKind::Throttled),
        (Reply::redirect(302, "/elsewhere"), 1, ErrorKind::TooManyRedirects),
        (Reply::raw([Act::Close]), 3, ErrorKind::Connect),
    ] {
        let (outcome, requests, _) = deliver(vec![reply]).await;
        let error = outcome.unwrap_err();
        assert_eq!((error.kind, requests.len()), (kind, tries), "{error:?}");
        let told = format!("{error} {error:?}");
        assert!(!told.contains("token") && !told.contains("Jefe") && !told.contains("0123456789abcdef"), "{told}");
    }
}
