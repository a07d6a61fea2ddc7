//! Accounts share a pace, wait as asked, and ask again only where that helps.

use headwater_domain::secret::PrivateUrl;
use headwater_tests::fakes::{FakeClock, FakeTimer, ScriptedFetcher, answer};
use jiff::SignedDuration;

use super::*;

struct Kit {
    clock: Arc<FakeClock>,
    timer: Arc<FakeTimer>,
    fetcher: Arc<ScriptedFetcher>,
    accounts: Accounts,
}

/// Two requests at once, one more each second; three attempts; waits of 1, 2, 4 s; at most a minute.
fn kit(script: impl Fn(usize) -> Result<FetchResponse> + Send + Sync + 'static) -> Kit {
    let clock = Arc::new(FakeClock::default());
    let timer = Arc::new(FakeTimer::new(Arc::clone(&clock)));
    let fetcher = Arc::new(ScriptedFetcher::new(Arc::clone(&clock) as Arc<dyn Clock>, move |_, number| script(number)));
    let ports = ConnectorPorts {
        fetcher: Arc::clone(&fetcher) as Arc<dyn Fetcher>,
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        timer: Arc::clone(&timer) as Arc<dyn Timer>,
    };
    let policy = AccountPolicy {
        rate: RequestRate::new(Duration::from_secs(1), 2),
        attempts: 3,
        backoff: Backoff::new(Duration::from_secs(1), Duration::from_secs(8)),
        max_wait: Duration::from_secs(60),
    };
    Kit { clock, timer, fetcher, accounts: Accounts::new(ports, policy) }
}

impl Kit {
    /// Seconds from the start at which requests were made.
    fn seconds(&self) -> Vec<i64> {
        let start = FakeClock::default().now();
        self.fetcher.asked().iter().map(|(at, _)| at.duration_since(start).as_secs()).collect()
    }

    async fn send(&self) -> Result<FetchResponse> {
        self.accounts.of(&["https://a.example", "key"]).send(request(), judge).await
    }
}

fn request() -> FetchRequest {
    FetchRequest::get(PrivateUrl::new("https://a.example/x".parse().unwrap()))
}

fn status(status: u16) -> Result<FetchResponse> {
    Ok(answer(&request(), status, &[], "body"))
}

fn asking_for(seconds: &str) -> Result<FetchResponse> {
    Ok(answer(&request(), 429, &[("retry-after", seconds)], ""))
}

fn judge(response: &FetchResponse, _now: Timestamp) -> Judgement {
    let error = |kind| Error::new(kind, "ask", response.status.to_string());
    let asked = response.headers.text("retry-after").and_then(|text| text.parse().ok()).map(Duration::from_secs);
    match response.status {
        200 => Judgement::Accept,
        429 => Judgement::Throttled(asked, error(ErrorKind::Throttled)),
        500.. => Judgement::Retry(asked, error(ErrorKind::HttpStatus)),
        _ => Judgement::Refuse(error(ErrorKind::Auth)),
    }
}

#[tokio::test]
async fn requests_of_one_account_keep_its_pace() {
    let kit = kit(|_| status(200));
    for _ in 0..5 {
        kit.send().await.unwrap();
    }
    assert_eq!(kit.seconds(), [0, 0, 1, 2, 3]);
}

#[tokio::test]
async fn those_who_ask_at_once_share_the_pace_and_others_do_not() {
    let kit = kit(|_| status(200));
    let same = [0; 6].map(|_| kit.send());
    for sent in futures(same).await {
        sent.unwrap();
    }
    assert_eq!(kit.seconds(), [0, 0, 1, 2, 3, 4]);
    let other = kit.accounts.of(&["https://a.example", "another key"]);
    other.send(request(), judge).await.unwrap();
    assert_eq!(kit.seconds().last(), Some(&4), "another account need not wait");
}

/// All of them, side by side in one task.
async fn futures<F: Future>(all: [F; 6]) -> Vec<F::Output> {
    let [a, b, c, d, e, f] = all;
    let (a, b, c, d, e, f) = tokio::join!(a, b, c, d, e, f);
    vec![a, b, c, d, e, f]
}

#[tokio::test]
async fn a_retry_costs_a_turn_and_waits_longer_each_time() {
    let kit = kit(|number| if number < 2 { status(503) } else { status(200) });
    kit.send().await.unwrap();
    assert_eq!(kit.seconds(), [0, 1, 3]);
    kit.send().await.unwrap();
    kit.send().await.unwrap();
    kit.send().await.unwrap();
    assert_eq!(kit.seconds(), [0, 1, 3, 3, 4, 5], "retries were counted");
}

#[tokio::test]
async fn the_last_failure_is_told_after_so_many_attempts() {
    let kit = kit(|_| status(500));
    let error = kit.send().await.unwrap_err();
    assert_eq!((error.kind, error.retry_after), (ErrorKind::HttpStatus, Some(Duration::from_secs(4))));
    assert_eq!(kit.seconds(), [0, 1, 3]);
}

#[tokio::test]
async fn what_will_not_pass_is_asked_once() {
    let refused = kit(|_| status(403));
    assert_eq!(refused.send().await.unwrap_err().kind, ErrorKind::Auth);
    let blocked = kit(|_| Err(Error::new(ErrorKind::BlockedAddress, "dial", "no")));
    assert_eq!(blocked.send().await.unwrap_err().kind, ErrorKind::BlockedAddress);
    assert_eq!((refused.seconds(), blocked.seconds()), (vec![0], vec![0]));
    assert!(refused.timer.slept().is_empty());
}

#[tokio::test]
async fn a_connection_that_broke_is_tried_again() {
    let kit = kit(|number| match number {
        0 => Err(Error::new(ErrorKind::Connect, "dial", "reset")),
        1 => status(200).map(|response| FetchResponse { body_cut: true, ..response }),
        _ => status(200),
    });
    kit.send().await.unwrap();
    assert_eq!(kit.seconds(), [0, 1, 3]);
}

#[tokio::test]
async fn a_wait_that_the_server_asks_for_holds_for_the_whole_account() {
    let kit = kit(|number| if number == 0 { asking_for("10") } else { status(200) });
    for sent in futures([0; 6].map(|_| kit.send())).await {
        sent.unwrap();
    }
    let seconds = kit.seconds();
    assert_eq!(seconds[..2], [0, 10], "nobody asks while the server wants silence: {seconds:?}");
    assert!(seconds.windows(3).skip(1).all(|three| three[2] > three[0]), "the pace is kept afterwards: {seconds:?}");
}

#[tokio::test]
async fn a_wait_longer_than_a_run_may_take_is_told() {
    let kit = kit(|_| asking_for("3600"));
    let error = kit.send().await.unwrap_err();
    assert_eq!((error.kind, error.retry_after), (ErrorKind::Throttled, Some(Duration::from_secs(3600))));
    assert_eq!(kit.seconds(), [0]);
}

#[tokio::test]
async fn a_dropped_request_gives_up_its_place() {
    let kit = kit(|_| status(200));
    kit.send().await.unwrap();
    kit.send().await.unwrap();
    let waiting = kit.send();
    tokio::select! {
        biased;
        () = std::future::ready(()) => {}
        _ = waiting => unreachable!("it has to wait for its turn"),
    }
    kit.clock.advance(SignedDuration::from_secs(60));
    kit.send().await.unwrap();
    assert_eq!(kit.seconds(), [0, 0, 60]);
}
