//! Which kinds of failure there are, and the stable word for each.

use std::fmt;

/// What went wrong, as one of the stable words that users and programs see.
///
/// The words are a promise (the command-line contract, section 10): they are never renamed, only added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text is no URL, or a URL of a scheme that is not fetched.
    InvalidUrl,
    /// The address guard refused the host, the port or the address behind the name.
    BlockedAddress,
    /// The name did not resolve.
    Dns,
    /// No connection came about, or it broke.
    Connect,
    /// The server did not send the certificates that lead to a trusted root.
    TlsIncompleteChain,
    /// The certificate is for other names.
    TlsNameMismatch,
    /// Any other failure of the TLS handshake.
    Tls,
    /// A deadline passed.
    Timeout,
    /// A redirect led to a URL already visited.
    RedirectLoop,
    /// More redirects than the limit.
    TooManyRedirects,
    /// A status that is no success.
    HttpStatus,
    /// The server asked for fewer requests.
    Throttled,
    /// The resource is gone for good.
    Gone,
    /// A bot challenge stood where the content should be.
    BlockedByChallenge,
    /// The body is larger than the limit.
    BodyTooLarge,
    /// A content coding that is not understood, or a body that is not in the coding it claims.
    UnsupportedEncoding,
    /// The body is empty.
    EmptyBody,
    /// The body is something else than a feed.
    NotAFeed,
    /// The link expired and must be renewed by its owner.
    Expired,
    /// Credentials are missing or not enough.
    Auth,
    /// The document declares entities or carries an internal DTD subset.
    DtdForbidden,
    /// The document is broken beyond repair.
    Malformed,
    /// Elements nest deeper than the limit.
    TooDeep,
    /// The page has no text to read.
    NoReadableContent,
    /// Too many failures in a row: no request is made for now.
    CircuitOpen,
    /// The next attempt lies in the future.
    NotDue,
    /// Pages link back to a page already read.
    PaginationLoop,
    /// Some of what was asked for could not be fetched.
    PartialFetch,
    /// The outside system refused the credentials.
    InvalidCredentials,
    /// The sealed credentials cannot be opened with the present keys.
    CredentialsUnreadable,
    /// No connector of that type exists.
    ConnectorNotFound,
    /// A configuration value is wrong.
    InvalidConfig,
    /// A schedule cannot be understood, or never fires.
    InvalidSchedule,
    /// The same work is under way.
    AlreadyRunning,
    /// The work was stopped before its end.
    Interrupted,
    /// The store could not read or write.
    Store,
    /// A fault of our own.
    Internal,
}

impl ErrorKind {
    /// The stable word, for example `blocked_address`.
    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidUrl => "invalid_url",
            Self::BlockedAddress => "blocked_address",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::TlsIncompleteChain => "tls_incomplete_chain",
            Self::TlsNameMismatch => "tls_name_mismatch",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::RedirectLoop => "redirect_loop",
            Self::TooManyRedirects => "too_many_redirects",
            Self::HttpStatus => "http_status",
            Self::Throttled => "throttled",
            Self::Gone => "gone",
            Self::BlockedByChallenge => "blocked_by_challenge",
            Self::BodyTooLarge => "body_too_large",
            Self::UnsupportedEncoding => "unsupported_encoding",
            Self::EmptyBody => "empty_body",
            Self::NotAFeed => "not_a_feed",
            Self::Expired => "expired",
            Self::Auth => "auth",
            Self::DtdForbidden => "dtd_forbidden",
            Self::Malformed => "malformed",
            Self::TooDeep => "too_deep",
            Self::NoReadableContent => "no_readable_content",
            Self::CircuitOpen => "circuit_open",
            Self::NotDue => "not_due",
            Self::PaginationLoop => "pagination_loop",
            Self::PartialFetch => "partial_fetch",
            Self::InvalidCredentials => "invalid_credentials",
            Self::CredentialsUnreadable => "credentials_unreadable",
            Self::ConnectorNotFound => "connector_not_found",
            Self::InvalidConfig => "invalid_config",
            Self::InvalidSchedule => "invalid_schedule",
            Self::AlreadyRunning => "already_running",
            Self::Interrupted => "interrupted",
            Self::Store => "store",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
