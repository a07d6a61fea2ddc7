//! How one document is fetched, and what its status means for a run.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::rss_first;
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{Error, FetchLimits, FetchRequest, FetchResponse, Fetcher, Headers, PageInput};
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
    /// The head.
    pub(crate) headers: Headers,
    /// The transfer ended early.
    pub(crate) body_cut: bool,
}

/// Why there is no document.
#[derive(Debug)]
pub(crate) struct Missing {
    /// The failure.
    pub(crate) error: Error,
    /// The failure says for certain that there is no such document.
    pub(crate) definite: bool,
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
        let permit = self.gate.enter(url.expose()).await?;
        let mut request = FetchRequest::get(url.clone()).header("accept", wish.accept);
        request.limits =
            FetchLimits { max_body_bytes: wish.max_body_bytes, timeout: wish.timeout, ..FetchLimits::default() };
        let response = self.fetcher.fetch(request).await.outcome?;
        drop(permit);
        if let Some(missing) = refusal(&response) {
            if missing.error.kind == ErrorKind::Throttled {
                self.gate.throttle(url.expose());
            }
            return Err(missing);
        }
        Ok(Fetched {
            url: response.final_url.expose().clone(),
            lasting_url: response.permanent_url.unwrap_or_else(|| url.clone()),
            headers: response.headers,
            body: response.body,
            body_cut: response.body_cut,
        })
    }
}

impl Fetched {
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

impl From<Error> for Missing {
    fn from(error: Error) -> Self {
        let definite = rss_first::is_definite_absence(error.kind, None);
        Self { error, definite }
    }
}

/// What a status says, where it is no success.
fn refusal(response: &FetchResponse) -> Option<Missing> {
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
    Some(Missing { error, definite: rss_first::is_definite_absence(kind, Some(status)) })
}

const ACCEPT_SOURCE: &str = "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, \
                             text/html;q=0.8, application/xhtml+xml;q=0.8, application/xml;q=0.7, text/xml;q=0.7, */*;q=0.1";

const ACCEPT_PAGE: &str = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1";

/// The first tag of a page stands within so many bytes.
const SNIFFED_BYTES: usize = 2048;

#[cfg(test)]
mod tests;
