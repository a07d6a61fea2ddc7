//! How failures of the libraries become errors of the port.

use std::error::Error as StdError;

use headwater_domain::ErrorKind;
use headwater_domain::net::Refusal;
use headwater_ports::Error;

/// What the client is doing when it fails.
pub(crate) const OPERATION: &str = "make request";

/// An error of the client.
pub(crate) fn failure(kind: ErrorKind, detail: impl Into<String>) -> Error {
    Error::new(kind, OPERATION, detail)
}

/// What the guard said, with what the owner can do about it.
pub(crate) fn refused(refusal: &Refusal) -> Error {
    let error = failure(refusal.kind(), refusal.to_string());
    match refusal.kind() {
        ErrorKind::BlockedAddress => {
            error.with_hint("if it is yours and meant, exempt it with --allow HOST[:PORT] or --allow CIDR")
        }
        _ => error,
    }
}

/// A request that got no response.
pub(crate) fn no_response(error: hyper::Error) -> Error {
    let detail = if error.is_parse() && error.to_string().contains("too large") {
        "the head of the response is too large".to_owned()
    } else if error.is_parse() {
        "the answer is no HTTP response".to_owned()
    } else if error.is_incomplete_message() {
        "the connection was closed before a response came".to_owned()
    } else {
        format!("the connection broke: {}", innermost(&error))
    };
    failure(ErrorKind::Connect, detail).with_source(error)
}

fn innermost<'a>(error: &'a (dyn StdError + 'static)) -> &'a (dyn StdError + 'static) {
    std::iter::successors(Some(error), |error: &&'a (dyn StdError + 'static)| (*error).source()).last().unwrap_or(error)
}
