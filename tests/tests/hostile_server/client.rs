//! The client as these tests set it up: every host leads to a stand-in, deadlines are short.

use std::time::Duration;

use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_domain::ErrorKind;
use headwater_domain::net::Exemptions;
use headwater_ports::{Error, Exchange, FetchRequest, FetchResponse, Fetcher};
use headwater_tests::server::StandIn;
use url::Url;

/// A configuration in which every host and port leads to `server`.
pub(crate) fn leading_to(server: &StandIn) -> HttpConfig {
    let mut exemptions = Exemptions::default();
    exemptions.add("127.0.0.1").unwrap();
    let connect_to = vec![format!("::127.0.0.1:{}", server.port()).parse().unwrap()];
    HttpConfig { exemptions, connect_to, ..HttpConfig::default() }
}

/// A request with deadlines of a few seconds, which only those reach who are silent for ever.
pub(crate) fn request(url: &str) -> FetchRequest {
    let mut request = FetchRequest::get(Url::parse(url).unwrap().into());
    request.limits.timeout = Duration::from_secs(20);
    request.limits.read_timeout = Duration::from_secs(10);
    request
}

/// One fetch of `url` from `server`.
pub(crate) async fn fetch(server: &StandIn, url: &str) -> Exchange {
    HyperFetcher::new(leading_to(server)).unwrap().fetch(request(url)).await
}

/// The response of an exchange that must have one.
#[track_caller]
pub(crate) fn response(exchange: Exchange) -> FetchResponse {
    exchange.outcome.unwrap_or_else(|error| panic!("no response: {error:?}"))
}

/// The error of an exchange that must have one, which must be of that kind.
#[track_caller]
pub(crate) fn refusal(exchange: Exchange, kind: ErrorKind) -> Error {
    match exchange.outcome {
        Err(error) if error.kind == kind => error,
        Err(error) => panic!("expected {kind}, got {}: {error:?}", error.kind),
        Ok(response) => panic!("expected {kind}, got status {}", response.status),
    }
}
