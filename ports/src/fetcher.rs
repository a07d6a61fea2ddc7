//! How bytes come from the network: one guarded request with its redirects.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use headwater_domain::limits;
use headwater_domain::secret::{PrivateUrl, Secret};

use crate::Result;

/// Makes one HTTP exchange: a request, its redirects, and the body in full.
///
/// An adapter MUST
/// - dial only addresses that the address guard allows, at the first URL and at every redirect;
/// - follow at most [`FetchLimits::max_redirects`] redirects, refuse loops and https → http, and never send a header
///   marked secret, nor user information, to another origin than the first;
/// - decode every content coding that it asked for, and stop with `body_too_large` at the first byte of decoded body
///   over the limit, with memory bounded by that limit;
/// - end within [`FetchLimits::timeout`] of the host's turn, for which other requests may have to be waited for, and with
///   `timeout` after [`FetchLimits::read_timeout`] of silence;
/// - stop its work when the future is dropped;
/// - give any status as a response: what a 404 means is the caller's to say.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Fetcher: Send + Sync {
    /// Makes the exchange. The count of requests is exact whatever the outcome.
    async fn fetch(&self, request: FetchRequest) -> Exchange;
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct FetchRequest {
    /// Where; user information in it becomes an `Authorization: Basic` header.
    pub url: PrivateUrl,
    /// How.
    pub method: Method,
    /// Sent as they are, after the client's own defaults, which they replace by name.
    pub headers: Vec<Header>,
    /// How much and how long.
    pub limits: FetchLimits,
}

/// The method of a request, with its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Method {
    /// GET.
    Get,
    /// POST; the content type is a header of the request.
    Post(Bytes),
}

/// A header to send.
#[derive(Clone)]
pub struct Header {
    /// The name, in any case.
    pub name: String,
    /// The value, byte for byte.
    pub value: Secret<Vec<u8>>,
    /// Whether it stays with the first origin. `Authorization` and `Cookie` do in any case.
    pub secret: bool,
}

/// How much and how long one exchange may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// Bytes of the decoded body; default 50 MiB.
    pub max_body_bytes: u64,
    /// The whole exchange; default 30 s.
    pub timeout: Duration,
    /// The longest silence; default 20 s.
    pub read_timeout: Duration,
    /// Default 10.
    pub max_redirects: usize,
}

/// What became of a request.
#[derive(Debug)]
pub struct Exchange {
    /// How many requests a server saw, redirects included.
    pub requests: u32,
    /// The response, or why there is none.
    pub outcome: Result<FetchResponse>,
}

/// A response with its whole body.
#[derive(Debug, Clone)]
pub struct FetchResponse {
    /// The status of the last response.
    pub status: u16,
    /// Where the last response came from.
    pub final_url: PrivateUrl,
    /// The target of the unbroken run of 301 and 308 with which the redirects began, if there was one.
    pub permanent_url: Option<PrivateUrl>,
    /// The head of the last response.
    pub headers: Headers,
    /// The decoded body.
    pub body: Bytes,
    /// The body ended before its length or its coding said so: what came is in `body`.
    pub body_cut: bool,
}

/// The headers of a response: names in lower case, values byte for byte, in the order of arrival.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, Vec<u8>)>);

impl FetchRequest {
    /// A GET with default limits and no headers of its own.
    pub fn get(url: PrivateUrl) -> Self {
        Self { url, method: Method::Get, headers: Vec::new(), limits: FetchLimits::default() }
    }

    /// Adds a header that may cross origins.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push(Header { name: name.to_owned(), value: Secret::new(value.into()), secret: false });
        self
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Header").field("name", &self.name).field("value", &self.value).finish_non_exhaustive()
    }
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            max_body_bytes: limits::MAX_BODY_BYTES,
            timeout: limits::FETCH_TIMEOUT,
            read_timeout: limits::READ_TIMEOUT,
            max_redirects: limits::MAX_REDIRECTS,
        }
    }
}

impl Headers {
    /// Adds a header; the name is lower-cased.
    pub fn append(&mut self, name: &str, value: impl Into<Vec<u8>>) {
        self.0.push((name.to_ascii_lowercase(), value.into()));
    }

    /// The first value of that name (in lower case), byte for byte.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_slice())
    }

    /// The first value of that name, if it is UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.bytes(name).and_then(|value| std::str::from_utf8(value).ok())
    }

    /// Every value of that name, in the order of arrival.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_slice())
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}
