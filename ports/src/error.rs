//! The one shape of an error that crosses a port, and what to do about it.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use headwater_domain::ErrorKind;

/// A failure of something outside: kind, what was being done, what was seen, and the cause.
///
/// `detail` and `hint` are for people and hold no secret: adapters redact before they build one.
#[derive(Debug)]
pub struct Error {
    /// The stable kind.
    pub kind: ErrorKind,
    /// What was being done, for example `fetch feed`.
    pub operation: &'static str,
    /// What was seen.
    pub detail: String,
    /// What the user can do next.
    pub hint: Option<String>,
    /// How long the other side asked to wait.
    pub retry_after: Option<Duration>,
    /// The library's own error.
    pub source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The result of a port's method.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What to do about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// It may pass: try again, not before the given wait if there is one.
    Retry(Option<Duration>),
    /// This one thing cannot be had; go on with the others.
    Skip,
    /// Going on makes no sense.
    Fail,
}

impl Error {
    /// An error of a kind, with what was being done and what was seen.
    pub fn new(kind: ErrorKind, operation: &'static str, detail: impl Into<String>) -> Self {
        Self { kind, operation, detail: detail.into(), hint: None, retry_after: None, source: None }
    }

    /// Adds the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Adds what the user can do next.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The only place that decides what to do about a failure.
    pub fn advice(&self) -> Advice {
        use ErrorKind as K;
        match self.kind {
            K::Dns
            | K::Connect
            | K::Timeout
            | K::HttpStatus
            | K::Throttled
            | K::Tls
            | K::BlockedByChallenge
            | K::NotDue
            | K::CircuitOpen
            | K::AlreadyRunning
            | K::PartialFetch
            | K::Interrupted => Advice::Retry(self.retry_after),
            K::Store | K::Internal | K::InvalidConfig | K::InvalidSchedule | K::CredentialsUnreadable => Advice::Fail,
            _ => Advice::Skip,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.detail.is_empty() { write!(f, "could not {}", self.operation) } else { f.write_str(&self.detail) }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}
