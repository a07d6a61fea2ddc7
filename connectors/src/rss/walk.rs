//! How the reader walks back through the pages of a feed until it meets what is known.

use std::collections::HashSet;

use headwater_domain::feed::cursor::FeedCursor;
use headwater_domain::feed::fetch_state::Validators;
use headwater_domain::feed::{FeedDocument, Warning, WarningCode};
use headwater_domain::secret::PrivateUrl;
use headwater_ports::Error;
use jiff::Timestamp;
use url::Url;

use super::access::Access;
use super::answer::{Answer, judge};
use super::request::FeedRequest;

/// A walk through the pages of one feed.
pub(super) struct Walk<'r> {
    pub(super) access: &'r Access,
    /// So many pages are read, the first one included.
    pub(super) max_pages: u32,
    pub(super) request: &'r FeedRequest,
    /// What was known before.
    pub(super) cursor: &'r FeedCursor,
    pub(super) now: Timestamp,
}

impl Walk<'_> {
    /// Whether there is reason to walk: further pages, and a first one that does not meet what is known.
    pub(super) fn is_needed(&self, document: &FeedDocument) -> bool {
        let pages = self.max_pages > 1 && !document.truncated && next_of(document).is_some();
        pages && !self.cursor.meets(&document.items)
    }

    /// Adds the items of further pages to the first document, and why it stopped to its warnings. Gives the requests.
    ///
    /// Bounded by `max_pages` and by a number of items; each URL is read once.
    pub(super) async fn run(&self, document: &mut FeedDocument, first: [&Url; 2]) -> u32 {
        let mut read: HashSet<String> = first.into_iter().map(page_key).collect();
        let (mut requests, mut pages) = (0, 1);
        let mut next = next_of(document).cloned();
        while let Some(url) = next {
            if !read.insert(page_key(url.expose())) {
                document.warnings.push(stop(WarningCode::PaginationLoop, format!("{url} was read before")));
                break;
            }
            if pages >= self.max_pages || document.items.len() >= MAX_ITEMS {
                let detail = format!("stopped before {url}, after {pages} pages and {} items", document.items.len());
                document.warnings.push(stop(WarningCode::PageLimit, detail));
                break;
            }
            let (page, cost) = self.page(&url, &mut read).await;
            requests += cost;
            pages += 1;
            let page = match page {
                Ok(page) => page,
                Err(error) => {
                    document
                        .warnings
                        .push(stop(WarningCode::PartialFetch, format!("{url} could not be read: {error}")));
                    break;
                }
            };
            let met = self.cursor.meets(&page.items);
            next = next_of(&page).cloned();
            document.items.extend(page.items);
            if met {
                document.warnings.push(stop(WarningCode::WindowsMet, format!("{url} has items that are known")));
                break;
            }
        }
        requests
    }

    async fn page(&self, url: &PrivateUrl, read: &mut HashSet<String>) -> (Result<FeedDocument, Error>, u32) {
        let request = self.request.at(url.clone(), &Validators::default(), self.access.limits.fetch);
        let exchange = self.access.exchange(request, self.now).await;
        let page = match exchange.outcome {
            Err(error) => Err(error),
            Ok(response) => match judge(&response, &Validators::default(), self.now) {
                Answer::Failed(error) => Err(error),
                Answer::Body { .. } | Answer::NotModified => {
                    read.insert(page_key(response.final_url.expose()));
                    self.access.parse(&response).await
                }
            },
        };
        (page, exchange.requests)
    }
}

/// The next page of a paged feed, else the previous document of an archived one (RFC 5005).
fn next_of(document: &FeedDocument) -> Option<&PrivateUrl> {
    let link = document.next_url.as_ref().or(document.prev_archive_url.as_ref())?;
    matches!(link.expose().scheme(), "http" | "https").then_some(link)
}

/// Pages are told apart by their whole URL; a fragment is never sent.
fn page_key(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.into()
}

fn stop(code: WarningCode, detail: String) -> Warning {
    Warning { code, detail, item: None }
}

/// So many items are gathered in one walk.
const MAX_ITEMS: usize = 10_000;
