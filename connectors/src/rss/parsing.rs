//! How a body is parsed without holding up everybody else.

use std::sync::Arc;

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::feed::FeedDocument;
use headwater_ports::{Error, FeedInput, FeedParser, FetchResponse, Result};
use tokio::sync::Semaphore;
use url::Url;

use super::limits::ReadLimits;
use super::request::without_user_info;

/// Everything that a parser is given, owned.
struct Task {
    bytes: Bytes,
    base_url: Url,
    content_type: Option<String>,
    body_cut: bool,
    limits: ReadLimits,
}

/// Parses the body of an answer; a large one in its turn, on a thread for blocking work, where a runtime has one.
pub(super) async fn parse(
    parser: &Arc<dyn FeedParser>,
    response: &FetchResponse,
    limits: ReadLimits,
    turns: &Semaphore,
) -> Result<FeedDocument> {
    let task = Task {
        bytes: response.body.clone(),
        base_url: without_user_info(response.final_url.expose()),
        content_type: response.headers.text("content-type").map(str::to_owned),
        body_cut: response.body_cut || response.status == 206,
        limits,
    };
    let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| task.bytes.len() > SMALL);
    let Some(runtime) = runtime else {
        return task.run(parser.as_ref());
    };
    let _turn = turns.acquire().await;
    let parser = Arc::clone(parser);
    let done = runtime.spawn_blocking(move || task.run(parser.as_ref())).await;
    done.unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal, "parse feed", "the parser failed unexpectedly")))
}

impl Task {
    fn run(&self, parser: &dyn FeedParser) -> Result<FeedDocument> {
        parser.parse(&FeedInput {
            bytes: &self.bytes,
            base_url: Some(&self.base_url),
            content_type: self.content_type.as_deref(),
            preset: self.limits.preset,
            max_items: self.limits.max_items,
            max_bytes: self.limits.fetch.max_body_bytes,
            body_cut: self.body_cut,
        })
    }
}

/// A body of that size is parsed sooner than a thread is woken for it.
const SMALL: usize = 64 * 1024;
