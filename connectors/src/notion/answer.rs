//! What an answer of the service means: taken, asked again, or refused, and why.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::resilience::asked_wait;
use headwater_ports::{Error, FetchResponse};
use jiff::Timestamp;

use super::wire::ErrorBody;
use crate::account::Judgement;

/// What a request needs, so that a refusal can name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Need {
    /// What is being done.
    pub(super) operation: &'static str,
    /// The capability that the integration must have.
    pub(super) capability: &'static str,
    /// What a listing does when it takes the service too long.
    pub(super) slow: Slow,
}

/// What a request does when it takes the service too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slow {
    /// Asks again, the same.
    AskAgain,
    /// Gives up, so that less can be asked for.
    AskForLess,
}

/// What the service refused, as the cause of an error. Its message is not kept: it may quote what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    /// The HTTP status.
    pub(super) status: u16,
    /// The service's word.
    pub(super) code: String,
    /// What is particular about it.
    pub(super) particular: Option<Particular>,
}

/// A refusal that something can be done about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Particular {
    /// The place in a listing is no longer known.
    CursorExpired,
    /// A listing holds a block that the service does not give out.
    UnreadableBlock,
    /// The id names something of another kind.
    OtherKind,
}

/// Judges an answer.
pub(super) fn judge(response: &FetchResponse, now: Timestamp, need: Need) -> Judgement {
    if response.status == 200 {
        return match response.body_cut {
            false => Judgement::Accept,
            true => Judgement::Retry(None, Error::new(ErrorKind::Connect, need.operation, "the answer was cut short")),
        };
    }
    let body: ErrorBody = serde_json::from_slice(&response.body).unwrap_or_default();
    let error = refusal(response.status, &body, need);
    match response.status {
        429 | 529 if blocked(&body) => Judgement::Refuse(error),
        429 | 529 => Judgement::Throttled(wait(response, &body, now), error),
        504 if need.slow == Slow::AskForLess => Judgement::Refuse(error),
        409 | 500.. => Judgement::Retry(wait(response, &body, now), error),
        _ => Judgement::Refuse(error),
    }
}

/// What the service refused, if that is what the error is.
pub(super) fn refused(error: &Error) -> Option<&Refused> {
    error.source.as_ref()?.downcast_ref()
}

/// Whether the service says that there is nothing of that id, or nothing that it lets us see.
pub(super) fn is_absent(error: &Error) -> bool {
    refused(error).is_some_and(|refused| refused.status == 404)
}

/// Whether the refusal is that particular one.
pub(super) fn is(error: &Error, particular: Particular) -> bool {
    refused(error).is_some_and(|refused| refused.particular == Some(particular))
}

/// Whether no further request can succeed.
pub(super) fn is_fatal(error: &Error) -> bool {
    error.kind == ErrorKind::InvalidCredentials
}

fn refusal(status: u16, body: &ErrorBody, need: Need) -> Error {
    let code = if body.code.is_empty() { "no code" } else { &body.code };
    let what = need.operation;
    let error = match status {
        401 => Error::new(ErrorKind::InvalidCredentials, what, "Notion refused the token")
            .with_hint("make a new token in the settings of the integration, and enter it as `api_key`"),
        403 => Error::new(
            ErrorKind::Auth,
            what,
            format!("the integration lacks the capability “{}” ({code})", need.capability),
        )
        .with_hint(format!("allow “{}” in the settings of the integration", need.capability)),
        404 => Error::new(
            ErrorKind::HttpStatus,
            what,
            format!("Notion has nothing of that id, or does not share it: could not {what} (404 {code})"),
        )
        .with_hint("share the page or database with the integration"),
        429 | 529 => {
            Error::new(ErrorKind::Throttled, what, format!("Notion asked for fewer requests ({status} {code})"))
        }
        _ => Error::new(ErrorKind::HttpStatus, what, format!("could not {what}: Notion answered {status} {code}")),
    };
    error.with_source(Refused { status, code: body.code.clone(), particular: particular(status, body) })
}

fn particular(status: u16, body: &ErrorBody) -> Option<Particular> {
    let says = |words: &str| status == 400 && body.message.contains(words);
    if says("start_cursor") {
        Some(Particular::CursorExpired)
    } else if says("is not supported via the API") {
        Some(Particular::UnreadableBlock)
    } else if says(", not a ") {
        Some(Particular::OtherKind)
    } else {
        None
    }
}

/// Whether waiting will not help.
fn blocked(body: &ErrorBody) -> bool {
    body.additional_data.get("rate_limit_reason").is_some_and(|reason| reason == "public_api_request_blocked")
}

/// How long the service asks to wait, in the header or in the body.
fn wait(response: &FetchResponse, body: &ErrorBody, now: Timestamp) -> Option<Duration> {
    let header = response.headers.text("retry-after");
    let field = body.additional_data.get("retry_after").and_then(serde_json::Value::as_str);
    [header, field].into_iter().flatten().filter_map(|value| asked_wait("retry-after", value, now)).max()
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}, code {:?}", self.status, self.code)
    }
}

impl StdError for Refused {}
