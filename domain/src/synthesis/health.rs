//! How a source is doing, and what its owner can do about it.

use jiff::Timestamp;

use crate::ErrorKind;
use crate::feed::fetch_state::{FeedFetchState, LastError};
use crate::feed::reader_policy::ReaderPolicy;
use crate::resilience::Circuit;

/// How a source is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// How the last attempt ended.
    pub outcome: LastOutcome,
    /// When it ended.
    pub last_attempt_at: Option<Timestamp>,
    /// When a document was last read in full.
    pub last_read_at: Option<Timestamp>,
    /// No attempt is made before then; none: the next run makes one, unless the circuit is open.
    pub next_attempt_at: Option<Timestamp>,
    /// Failures in a row.
    pub failures: u32,
    /// Why the last attempt failed, if it did.
    pub last_error: Option<LastError>,
    /// Whether attempts are made at all.
    pub circuit: Circuit,
    /// What the owner can do; none where there is nothing to do.
    pub advice: Option<&'static str>,
}

/// How the last attempt at a source ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastOutcome {
    /// None was made yet.
    Never,
    /// It answered.
    Ok,
    /// It did not.
    Failed,
    /// Its publisher ended it.
    Gone,
}

impl Health {
    /// How a source is doing by what is remembered of it.
    pub fn of(state: &FeedFetchState, now: Timestamp, policy: &ReaderPolicy) -> Self {
        let last_error = state.last_error().cloned();
        let outcome = match (&last_error, state.last_attempt_at()) {
            _ if state.is_gone() => LastOutcome::Gone,
            (Some(_), _) => LastOutcome::Failed,
            (None, Some(_)) => LastOutcome::Ok,
            (None, None) => LastOutcome::Never,
        };
        let circuit = state.circuit(now, policy);
        Self {
            outcome,
            last_attempt_at: state.last_attempt_at(),
            last_read_at: state.last_read_at(),
            next_attempt_at: state.next_attempt_at(),
            failures: state.failures(),
            advice: advice(outcome, last_error.as_ref(), circuit),
            last_error,
            circuit,
        }
    }
}

impl LastOutcome {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Gone => "gone",
        }
    }
}

fn advice(outcome: LastOutcome, error: Option<&LastError>, circuit: Circuit) -> Option<&'static str> {
    if outcome == LastOutcome::Gone {
        return Some("remove it, or look for its new address: `headwater feed discover` on the site");
    }
    let error = error?;
    Some(match (error.code, error.http_status) {
        (ErrorKind::HttpStatus | ErrorKind::Gone, Some(404 | 410)) => {
            "it may have moved: `headwater feed discover` on the site finds where"
        }
        (ErrorKind::HttpStatus, Some(403)) => {
            "the site refuses this client: `fetch.user_agent` with your name and address may help, or a login"
        }
        (ErrorKind::Auth | ErrorKind::InvalidCredentials | ErrorKind::Expired, _) => {
            "give its URL again with user name, password or passkey: `headwater source add URL`"
        }
        (ErrorKind::Throttled, _) => "nothing to do: it asked for fewer requests, and the next attempt waits",
        (ErrorKind::BlockedByChallenge, _) => {
            "ask the site to let feed readers through; no reader can solve a challenge"
        }
        (ErrorKind::BlockedAddress, _) => "its address is none of the public network: `fetch.allow` lets it through",
        (ErrorKind::Dns | ErrorKind::InvalidUrl, _) => "look at its URL: the name is not known",
        (ErrorKind::Tls | ErrorKind::TlsIncompleteChain | ErrorKind::TlsNameMismatch, _) => {
            "its certificate is not trusted: tell the site, or trust its authority with `--ca-file`"
        }
        (ErrorKind::NotAFeed | ErrorKind::Malformed | ErrorKind::EmptyBody, _) => {
            "look at its URL in a browser: what it answers is neither a feed nor a page"
        }
        (ErrorKind::BodyTooLarge, _) => "raise `fetch.max_body_bytes`, if so large a document is meant",
        (ErrorKind::RedirectLoop | ErrorKind::TooManyRedirects, _) => {
            "look at its URL in a browser: it leads from one address to the next"
        }
        _ if circuit == Circuit::Open => "look whether the site is still there; `headwater run URL` asks it once more",
        _ => "nothing to do: it is tried again by itself",
    })
}

#[cfg(test)]
mod tests;
