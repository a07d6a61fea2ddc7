//! How one document is fetched, and what its status means for a run.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::rss_first;
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{Error, FetchLimits, FetchRequest, FetchResponse, Fetcher, Headers, PageInput};
use jiff::Timestamp;
use url::Url;

use super::host_gate::HostGate;

/// Fetches documents, politely.
#[derive(Clone)]
pub(crate) struct Web {
    fetcher: Arc<dyn Fetcher>,
    gate: HostGate,
}

/// What a document is expected to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish {
    /// The `Accept` header.
    pub(crate) accept: &'static str,
    /// The cap on the decoded body.
    pub(crate) max_body_bytes: u64,
    /// The whole exchange.
    pub(crate) timeout: Duration,
}

/// A document that came with a good status.
#[derive(Debug, Clone)]
pub(crate) struct Fetched {
    /// The body.
    pub(crate) body: Bytes,
    /// Where it was, after redirects.
    pub(crate) url: Url,
    /// Where it is to be asked for in future: the target of permanent redirects, else what was asked for.
    pub(crate) lasting_url: PrivateUrl,
    /// The status: a good one.
    status: u16,
    /// The head.
    pub(crate) headers: Headers,
    /// The transfer ended early.
    pub(crate) body_cut: bool,
}

/// Why there is no document.
#[derive(Debug)]
pub(crate) struct Missing {
    /// The failure.
    pub(crate) error: Box<Error>,
    /// The failure says for certain that there is no such document.
    pub(crate) definite: bool,
    /// Why it was not even asked for, where that is so.
    pub(crate) wait: Option<Wait>,
    /// When it is asked for again, where that is known.
    pub(crate) next_attempt_at: Option<Timestamp>,
}

/// Why something is not asked for now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wait {
    /// For people.
    pub(crate) reason: String,
    /// What is left alone.
    pub(crate) scope: Scope,
}

/// What is left alone during a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The feed; the page of its source may stand in.
    Feed,
    /// The whole source.
    Source,
}

impl Wish {
    /// A feed, or the page of a source: nobody knows before it is here.
    pub(crate) fn source(timeout: Duration) -> Self {
        Self { accept: ACCEPT_SOURCE, max_body_bytes: limits::MAX_BODY_BYTES, timeout }
    }

    /// An article.
    pub(crate) fn article(timeout: Duration, max_body_bytes: u64) -> Self {
        Self { accept: ACCEPT_PAGE, max_body_bytes, timeout }
    }
}

impl Web {
    /// Fetches through a port, with so many requests a host at a time.
    pub(crate) fn new(fetcher: Arc<dyn Fetcher>, host_concurrency: usize) -> Self {
        Self { fetcher, gate: HostGate::new(host_concurrency) }
    }

    /// Fetches a document. Any status that is no success is a failure.
    pub(crate) async fn document(&self, url: &PrivateUrl, wish: Wish) -> Result<Fetched, Missing> {
        let response = self.response(url, wish).await?;
        match refusal(&response) {
            Some(missing) => Err(missing),
            None => Ok(Fetched::new(url, response)),
        }
    }

    /// Fetches whatever the URL answers with.
    pub(crate) async fn response(&self, url: &PrivateUrl, wish: Wish) -> Result<FetchResponse, Missing> {
        let permit = self.gate.enter(url.expose()).await.map_err(Missing::left_alone)?;
        let mut request = FetchRequest::get(url.clone()).header("accept", wish.accept);
        request.limits =
            FetchLimits { max_body_bytes: wish.max_body_bytes, timeout: wish.timeout, ..FetchLimits::default() };
        let response = self.fetcher.fetch(request).await.outcome?;
        drop(permit);
        if refusal(&response).is_some_and(|missing| missing.error.kind == ErrorKind::Throttled) {
            self.gate.throttle(url.expose());
        }
        Ok(response)
    }

    /// What lets requests through, host by host.
    pub(crate) fn gate(&self) -> &HostGate {
        &self.gate
    }
}

impl Fetched {
    /// What came from a URL, with a good status.
    pub(crate) fn new(asked: &PrivateUrl, response: FetchResponse) -> Self {
        Self {
            status: response.status,
            url: response.final_url.expose().clone(),
            lasting_url: response.permanent_url.unwrap_or_else(|| asked.clone()),
            headers: response.headers,
            body: response.body,
            body_cut: response.body_cut,
        }
    }

    /// The answer that it came as, to a request for a URL.
    pub(crate) fn into_response(self, asked: &PrivateUrl) -> FetchResponse {
        FetchResponse {
            status: self.status,
            final_url: PrivateUrl::new(self.url),
            permanent_url: Some(self.lasting_url).filter(|lasting| lasting != asked),
            headers: self.headers,
            body: self.body,
            body_cut: self.body_cut,
        }
    }

    /// The stated media type with its parameters.
    pub(crate) fn content_type(&self) -> Option<&str> {
        self.headers.text("content-type")
    }

    /// The document as a page.
    pub(crate) fn page(&self) -> PageInput<'_> {
        PageInput { bytes: &self.body, url: &self.url, content_type: self.content_type(), headers: Some(&self.headers) }
    }

    /// Whether it is meant for a browser: by its first tag, whatever the label says.
    pub(crate) fn looks_like_html(&self) -> bool {
        let head = &self.body[..self.body.len().min(SNIFFED_BYTES)];
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        head.contains("<html") || head.contains("<!doctype html") || head.contains("<body") || head.contains("<head")
    }
}

impl Missing {
    /// Nothing was asked for, since the host is to be left alone.
    pub(crate) fn left_alone(error: Error) -> Self {
        let reason = "the server asked to be left alone for a while".to_owned();
        Self { wait: Some(Wait { reason, scope: Scope::Source }), ..error.into() }
    }
}

impl From<Error> for Missing {
    fn from(error: Error) -> Self {
        let definite = rss_first::is_definite_absence(error.kind, None);
        Self { error: Box::new(error), definite, wait: None, next_attempt_at: None }
    }
}

/// What a status says, where it is no success.
pub(super) fn refusal(response: &FetchResponse) -> Option<Missing> {
    let status = response.status;
    if (200..300).contains(&status) {
        let empty =
            || Error::new(ErrorKind::EmptyBody, "fetch", format!("{} sent an empty document", response.final_url));
        return response.body.is_empty().then(|| empty().into());
    }
    let challenged = matches!(status, 403 | 429 | 503) && response.headers.text("cf-mitigated") == Some("challenge");
    let kind = match status {
        _ if challenged => ErrorKind::BlockedByChallenge,
        401 | 407 => ErrorKind::Auth,
        410 => ErrorKind::Gone,
        429 => ErrorKind::Throttled,
        503 if response.headers.bytes("retry-after").is_some() => ErrorKind::Throttled,
        _ => ErrorKind::HttpStatus,
    };
    let error = Error::new(kind, "fetch", format!("{} answered with status {status}", response.final_url));
    Some(Missing { definite: rss_first::is_definite_absence(kind, Some(status)), ..error.into() })
}

const ACCEPT_SOURCE: &str = "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, \
                             text/html;q=0.8, application/xhtml+xml;q=0.8, application/xml;q=0.7, text/xml;q=0.7, */*;q=0.1";

const ACCEPT_PAGE: &str = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1";

/// The first tag of a page stands within so many bytes.
const SNIFFED_BYTES: usize = 2048;

#[cfg(test)]
mod tests;
