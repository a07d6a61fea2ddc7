//! Redirects: storms, circles, steps down and inside, and what must not go along.

use headwater_adapters_http::HyperFetcher;
use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::{FetchRequest, Fetcher, Header, Method};
use headwater_tests::server::{Authority, Received, Reply, StandIn};

use crate::client::{fetch, leading_to, refusal, request, response};

#[tokio::test]
async fn ten_redirects_are_followed_and_the_eleventh_is_not() {
    let server = StandIn::start(|request| {
        let n: u32 = request.path()[1..].parse().unwrap();
        if n == 0 { Reply::ok("there") } else { Reply::redirect(302, &format!("/{}", n - 1)) }
    })
    .await;
    let exchange = fetch(&server, "http://hostile.example/10").await;
    assert_eq!(exchange.requests, 11);
    assert_eq!(response(exchange).body, "there");
    let exchange = fetch(&server, "http://hostile.example/11").await;
    assert_eq!(exchange.requests, 11);
    refusal(exchange, ErrorKind::TooManyRedirects);
}

#[tokio::test]
async fn circles_end_even_where_cookies_were_to_break_them() {
    let server = StandIn::start(|request| match request.path() {
        "/self" => Reply::redirect(302, "/self").header("Set-Cookie", "seen=1"),
        "/a" => Reply::redirect(301, "/b"),
        _ => Reply::redirect(301, "http://hostile.example:80/a"),
    })
    .await;
    let exchange = fetch(&server, "http://hostile.example/self").await;
    assert_eq!(exchange.requests, 1);
    refusal(exchange, ErrorKind::RedirectLoop);
    refusal(fetch(&server, "http://hostile.example/a").await, ErrorKind::RedirectLoop);
}

#[tokio::test]
async fn no_redirect_leads_inside() {
    let canary = StandIn::start_at("127.0.0.2:0", |_| Reply::ok("secrets of the inside")).await;
    let targets = [
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        format!("http://127.0.0.2:{}/", canary.port()),
        format!("http://2130706434:{}/", canary.port()),
        format!("//0177.0.0.2:{}/", canary.port()),
        "http://[::ffff:127.0.0.2]/".to_owned(),
        "http://[::1]/".to_owned(),
        "http://localhost./".to_owned(),
        "http://metadata.google.internal/".to_owned(),
        "http://other.example:6379/".to_owned(),
    ];
    for target in targets {
        let to = target.clone();
        let server = StandIn::start(move |_| Reply::redirect(301, &to)).await;
        // Even where a detour would lead the connection somewhere harmless.
        let exchange = fetch(&server, "http://hostile.example/").await;
        assert_eq!(exchange.requests, 1, "{target}");
        refusal(exchange, ErrorKind::BlockedAddress);
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn other_schemes_and_no_urls_are_not_followed() {
    for target in ["file:///etc/passwd", "ftp://hostile.example/", "javascript:alert(1)", "http://[", "gopher://x/"] {
        let server = StandIn::start(move |_| Reply::redirect(302, target)).await;
        refusal(fetch(&server, "http://hostile.example/").await, ErrorKind::InvalidUrl);
    }
}

#[tokio::test]
async fn nothing_leads_from_https_down_to_http() {
    let root = Authority::root("Test Root");
    let server =
        StandIn::start_tls(&root.identity(&["hostile.example"]), |_| Reply::redirect(302, "http://hostile.example/"))
            .await;
    let config = headwater_adapters_http::HttpConfig { ca_pem: vec![root.pem()], ..leading_to(&server) };
    let exchange = HyperFetcher::new(config).unwrap().fetch(request("https://hostile.example/")).await;
    assert_eq!(exchange.requests, 1);
    refusal(exchange, ErrorKind::BlockedAddress);
}

fn secret(name: &str, secret: bool) -> Header {
    Header { name: name.to_owned(), value: Secret::new(b"s3cret".to_vec()), secret }
}

fn holds_secret(request: &Received) -> bool {
    request.headers.iter().any(|(_, value)| {
        let value = String::from_utf8_lossy(value);
        value.contains("s3cret") || value.contains("dTpz")
    })
}

#[tokio::test]
async fn secrets_stay_with_the_first_origin_even_on_the_way_back() {
    let server = StandIn::start(|request| match (request.host().as_str(), request.path()) {
        ("first.example", "/") => Reply::redirect(302, "/second"),
        ("first.example", "/second") => Reply::redirect(302, "http://other.example/"),
        ("other.example", _) => Reply::redirect(302, "http://first.example/chosen-by-other"),
        _ => Reply::ok("end"),
    })
    .await;
    let mut request = request("http://u:s3cret@first.example/");
    request.headers = vec![secret("Cookie", false), secret("X-Key", true), secret("Proxy-Key", true)];
    let exchange = HyperFetcher::new(leading_to(&server)).unwrap().fetch(request).await;
    assert_eq!(response(exchange).body, "end");
    let seen: Vec<bool> = server.requests().iter().map(holds_secret).collect();
    assert_eq!(seen, [true, true, false, false]);
    assert_eq!(server.requests()[0].value("authorization").as_deref(), Some("Basic dTpzM2NyZXQ="));
}

#[tokio::test]
async fn an_upgrade_to_https_is_another_origin() {
    let root = Authority::root("Test Root");
    let tls = StandIn::start_tls(&root.identity(&["a.example"]), |_| Reply::ok("end")).await;
    let plain = StandIn::start(|_| Reply::redirect(301, "https://a.example/")).await;
    let mut config = leading_to(&plain);
    config.ca_pem = vec![root.pem()];
    config.connect_to = vec![
        format!("a.example:443:127.0.0.1:{}", tls.port()).parse().unwrap(),
        format!("a.example:80:127.0.0.1:{}", plain.port()).parse().unwrap(),
    ];
    let mut request = request("http://a.example/");
    request.headers = vec![secret("Authorization", false)];
    let response = response(HyperFetcher::new(config).unwrap().fetch(request).await);
    assert_eq!(response.permanent_url.unwrap().expose().as_str(), "https://a.example/");
    assert!(holds_secret(&plain.requests()[0]) && !holds_secret(&tls.requests()[0]));
}

#[tokio::test]
async fn no_message_shows_a_secret_of_a_url() {
    let server = StandIn::start(|request| match request.path() {
        "/loop" => Reply::redirect(302, "/loop?passkey=s3cret"),
        _ => Reply::redirect(302, "http://127.0.0.9/?passkey=s3cret"),
    })
    .await;
    for url in [
        "http://u:s3cret@hostile.example/loop?passkey=s3cret",
        "http://hostile.example/?token=s3cret",
        "ftp://u:s3cret@hostile.example/",
    ] {
        let error = fetch(&server, url).await.outcome.unwrap_err();
        assert!(!format!("{error:?} {error} {:?}", error.hint).contains("s3cret"), "{error:?}");
    }
    let response = response(
        fetch(&StandIn::start(|_| Reply::ok("x")).await, "http://u:s3cret@hostile.example/?passkey=s3cret").await,
    );
    assert!(!format!("{response:?}").contains("s3cret"), "{response:?}");
    assert!(response.final_url.expose().username().is_empty());
}

#[tokio::test]
async fn a_post_is_repeated_at_its_origin_only() {
    let server = StandIn::start(|request| match request.path() {
        "/same" => Reply::redirect(307, "/end"),
        "/other" => Reply::redirect(308, "http://other.example/end"),
        "/get" => Reply::redirect(303, "/end"),
        _ => Reply::ok("end"),
    })
    .await;
    let fetcher = HyperFetcher::new(leading_to(&server)).unwrap();
    let post = |path: &str| FetchRequest {
        method: Method::Post("app_secret=s3cret".into()),
        ..request(&format!("http://first.example{path}")).header("Content-Type", "text/plain")
    };
    assert_eq!(response(fetcher.fetch(post("/same")).await).status, 200);
    assert_eq!(response(fetcher.fetch(post("/other")).await).status, 308);
    assert_eq!(response(fetcher.fetch(post("/get")).await).status, 200);
    let seen: Vec<_> = server.requests().into_iter().map(|it| (it.method, it.target, it.body.len())).collect();
    let expected =
        [("POST", "/same", 17), ("POST", "/end", 17), ("POST", "/other", 17), ("POST", "/get", 17), ("GET", "/end", 0)];
    assert_eq!(seen, expected.map(|(method, target, length)| (method.to_owned(), target.to_owned(), length)));
}
