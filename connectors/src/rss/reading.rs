//! What an attempt to read a feed came to.

use headwater_domain::feed::FeedDocument;
use headwater_domain::feed::cursor::Applied;
use headwater_domain::resilience::Circuit;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::Error;
use jiff::Timestamp;

/// What an attempt came to.
#[derive(Debug)]
pub struct FeedReading {
    /// How it ended.
    pub kind: ReadingKind,
    /// The status of the last answer, where there was one.
    pub http_status: Option<u16>,
    /// Where the answer came from, where there was one.
    pub final_url: Option<PrivateUrl>,
    /// The target of the unbroken run of permanent redirects with which the answer began, if there was one.
    pub permanent_url: Option<PrivateUrl>,
    /// The document, with the items of further pages behind its own; only where one was read.
    pub document: Option<FeedDocument>,
    /// What became of the document's items.
    pub applied: Applied,
    /// Why there is no document: the failure, or the reason not to ask.
    pub error: Option<Error>,
    /// No request will be made before then; `None` where only a person can change that.
    pub next_attempt_at: Option<Timestamp>,
    /// The state of the circuit after the attempt.
    pub circuit: Circuit,
    /// Requests that servers saw.
    pub requests: u32,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingKind {
    /// A document was read.
    Ok,
    /// The document is as it was.
    NotModified,
    /// No request was made.
    Skipped,
    /// The attempt failed.
    Error,
}

impl ReadingKind {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::NotModified => "not_modified",
            Self::Skipped => "skipped",
            Self::Error => "error",
        }
    }
}
