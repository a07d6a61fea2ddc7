//! What the answer to a request for a feed means.

use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::feed::fetch_state::Validators;
use headwater_domain::feed::pace::fresh_for;
use headwater_domain::resilience::{WAIT_HEADERS, asked_wait};
use headwater_ports::{Error, FetchResponse, Headers};
use jiff::Timestamp;

use super::challenge::challenge;

/// What an answer means.
#[derive(Debug)]
pub(super) enum Answer {
    /// Its body is to be parsed; `delta` (226 IM Used): it holds only what changed.
    Body { delta: bool },
    /// The document is as it was.
    NotModified,
    /// Neither.
    Failed(Error),
}

/// Judges an answer by its status and headers. A 304 is one only to a request with validators.
pub(super) fn judge(response: &FetchResponse, sent: &Validators, now: Timestamp) -> Answer {
    match response.status {
        226 => Answer::Body { delta: true },
        200..=299 => Answer::Body { delta: false },
        304 if !sent.is_empty() => Answer::NotModified,
        _ => Answer::Failed(failure(response, now)),
    }
}

/// The error of a body that is no feed, seen together with its headers.
pub(super) fn unreadable(error: Error, response: &FetchResponse) -> Error {
    let doubtful = matches!(error.kind, ErrorKind::NotAFeed | ErrorKind::Malformed | ErrorKind::EmptyBody);
    let error = match challenge(response).filter(|_| doubtful) {
        Some(detail) => blocked(detail),
        None => error,
    };
    let detail = format!("{} (HTTP {})", error.detail, response.status);
    Error { detail, ..error }
}

/// The validators of an answer, byte for byte.
pub(super) fn validators(headers: &Headers) -> Validators {
    let bytes = |name| headers.bytes(name).map(<[u8]>::to_vec);
    Validators { etag: bytes("etag"), last_modified: bytes("last-modified") }
}

/// How long the answer stays fresh by its headers.
pub(super) fn fresh(headers: &Headers, now: Timestamp) -> Option<Duration> {
    let directives: Vec<_> = headers.all("cache-control").filter_map(|value| std::str::from_utf8(value).ok()).collect();
    fresh_for(Some(&directives.join(",")), headers.text("age"), headers.text("expires"), now)
}

fn failure(response: &FetchResponse, now: Timestamp) -> Error {
    let status = response.status;
    let wait = longest_wait(response, now);
    if status >= 400
        && let Some(detail) = challenge(response)
    {
        let detail = format!("{detail} (HTTP {status})");
        return Error { retry_after: wait, ..blocked(detail) };
    }
    let kind = match status {
        429 => ErrorKind::Throttled,
        503 if wait.is_some() => ErrorKind::Throttled,
        401 | 407 => ErrorKind::Auth,
        _ => ErrorKind::HttpStatus,
    };
    let error = Error::new(kind, OPERATION, format!("the server answered {}", described(status)));
    let error = Error { retry_after: wait, ..error };
    match hint(status) {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

fn blocked(detail: String) -> Error {
    Error::new(ErrorKind::BlockedByChallenge, OPERATION, detail)
        .with_hint("ask the site to let feed readers through, or fetch less often; no reader can solve a challenge")
}

/// The longest wait that the headers of a failure ask for. A limit with requests remaining asks for none.
fn longest_wait(response: &FetchResponse, now: Timestamp) -> Option<Duration> {
    let headers = &response.headers;
    let remaining = ["x-ratelimit-remaining", "x-rate-limit-remaining", "ratelimit-remaining"]
        .iter()
        .find_map(|name| headers.text(name)?.trim().parse::<f64>().ok());
    let exhausted = response.status == 429 || remaining.is_none_or(|remaining| remaining < 1.0);
    WAIT_HEADERS
        .iter()
        .filter(|name| exhausted || **name == "retry-after")
        .flat_map(|name| headers.all(name).map(move |value| (name, value)))
        .filter_map(|(name, value)| asked_wait(name, std::str::from_utf8(value).ok()?, now))
        .max()
}

fn described(status: u16) -> String {
    let name = match status {
        304 => "304 Not Modified to a request without conditions",
        400 => "400 Bad Request",
        401 => "401 Unauthorized",
        403 => "403 Forbidden",
        404 => "404 Not Found",
        407 => "407 Proxy Authentication Required",
        410 => "410 Gone",
        429 => "429 Too Many Requests",
        500 => "500 Internal Server Error",
        502 => "502 Bad Gateway",
        503 => "503 Service Unavailable",
        504 => "504 Gateway Timeout",
        _ => return status.to_string(),
    };
    name.to_owned()
}

fn hint(status: u16) -> Option<&'static str> {
    match status {
        401 => Some("the feed needs a user name and password, a token or a passkey"),
        403 => Some("the site refuses this client; a User-Agent that names you, or a login, may help"),
        404 => Some("the feed may have moved: `headwater feed discover` on the site finds where"),
        410 => Some("the publisher ended the feed; it is paused if this is confirmed"),
        429 => Some("the host asked for fewer requests; the next attempt waits"),
        _ => None,
    }
}

/// What was being done.
pub(super) const OPERATION: &str = "fetch feed";
