//! Which text an item gets: its page's, its feed's own, or none for now.

use std::collections::HashMap;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::feed::{ContentKind, FeedItem, LinkFrom};
use headwater_domain::limits::MAX_PAGE_BYTES;
use headwater_domain::net::essence_of;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::PageArticle;
use headwater_domain::text::plain_text_of_markdown;
use headwater_ports::{
    Advice, Error, FetchLimits, FetchRequest, FetchResponse, Fetcher, PageInput, PageReader, Result, Sanitiser,
};

use super::challenge::challenge;
use super::quality::Page;

/// Reads the pages of items.
pub(super) struct Articles {
    fetcher: Arc<dyn Fetcher>,
    pages: Arc<dyn PageReader>,
    sanitiser: Arc<dyn Sanitiser>,
}

/// The text of an item.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// As Markdown; none: it is not to be had now.
    pub(super) markdown: Option<String>,
    /// The headline of the page, where it was read.
    pub(super) page_title: Option<String>,
    /// Whether it is that of the page.
    pub(super) is_full: bool,
    /// Why the page could not be read, if that may pass.
    pub(super) missing: Option<Error>,
}

/// Hosts that are left alone for the rest of a run: failures in a row, by host.
#[derive(Debug, Default)]
pub(super) struct RestingHosts(HashMap<String, u32>);

impl Articles {
    pub(super) fn new(fetcher: Arc<dyn Fetcher>, pages: Arc<dyn PageReader>, sanitiser: Arc<dyn Sanitiser>) -> Self {
        Self { fetcher, pages, sanitiser }
    }

    /// The text of an item. A page that is an error, a wall or another page is never taken for it.
    pub(super) async fn text(&self, item: &FeedItem, full_text: bool, hosts: &mut RestingHosts) -> Text {
        let own = self.own(item);
        let link = item.link.as_ref().filter(|link| full_text && is_page(item, link));
        let Some(link) = link else {
            return Text { markdown: Some(own.unwrap_or_else(|| headline(item))), ..Text::default() };
        };
        match self.page(item, link, own.as_deref().unwrap_or_default(), hosts).await {
            Ok(page) => {
                Text { markdown: Some(page.content_markdown), page_title: page.title, is_full: true, missing: None }
            }
            Err(error) if is_settled(&error) => {
                Text { markdown: Some(own.unwrap_or_else(|| headline(item))), ..Text::default() }
            }
            Err(error) => Text { markdown: own, missing: Some(error), ..Text::default() },
        }
    }

    async fn page(
        &self,
        item: &FeedItem,
        link: &PrivateUrl,
        own: &str,
        hosts: &mut RestingHosts,
    ) -> Result<PageArticle> {
        let host = link.expose().host_str().unwrap_or_default().to_owned();
        if hosts.0.get(&host).is_some_and(|failures| *failures >= MOST_FAILURES) {
            return Err(Error::new(ErrorKind::Throttled, OPERATION, "the host is left alone for the rest of this run"));
        }
        let limits = FetchLimits { max_body_bytes: MAX_PAGE_BYTES, ..FetchLimits::default() };
        let request = FetchRequest { limits, ..FetchRequest::get(link.clone()) }.header("accept", ACCEPT);
        let outcome = self.fetcher.fetch(request).await.outcome.and_then(judged);
        match &outcome {
            Ok(_) => drop(hosts.0.remove(&host)),
            Err(error) if error.kind == ErrorKind::Throttled => drop(hosts.0.insert(host, MOST_FAILURES)),
            Err(error) if is_settled(error) => drop(hosts.0.remove(&host)),
            Err(_) => *hosts.0.entry(host).or_default() += 1,
        }
        let response = outcome?;
        let came = path_of(&response.final_url);
        let page = self.read(response).await?;
        let judged = Page {
            item_title: item.title.as_deref().unwrap_or_default(),
            item_text: &plain_text_of_markdown(own),
            title: page.title.as_deref().unwrap_or_default(),
            text: &plain_text_of_markdown(&page.content_markdown),
            asked: &path_of(link),
            came: &came,
        };
        match judged.fault() {
            None => Ok(page),
            Some(fault) => {
                Err(Error::new(ErrorKind::NoReadableContent, OPERATION, format!("not the article: {fault}")))
            }
        }
    }

    /// Reads a page on a thread for work that takes long.
    async fn read(&self, response: FetchResponse) -> Result<PageArticle> {
        let pages = Arc::clone(&self.pages);
        let read = tokio::task::spawn_blocking(move || {
            pages.article(&PageInput {
                bytes: &response.body,
                url: response.final_url.expose(),
                content_type: response.headers.text("content-type"),
                headers: Some(&response.headers),
            })
        });
        read.await.unwrap_or_else(|_| Err(Error::new(ErrorKind::NoReadableContent, OPERATION, "the reader failed")))
    }

    /// The feed's own body as Markdown, if it says anything.
    fn own(&self, item: &FeedItem) -> Option<String> {
        let content = item.content.as_ref().or(item.description.as_ref())?;
        let markdown = match content.kind {
            ContentKind::Text => content.raw.trim().to_owned(),
            ContentKind::Html => {
                self.sanitiser.markdown(&self.sanitiser.sanitise(content), content.base.as_ref()).trim().to_owned()
            }
        };
        Some(markdown).filter(|markdown| !markdown.is_empty())
    }
}

/// Whether the item's link leads to a page, and not to a file.
fn is_page(item: &FeedItem, link: &PrivateUrl) -> bool {
    item.link_from != Some(LinkFrom::Enclosure) && matches!(link.expose().scheme(), "http" | "https")
}

/// The page, if the answer is one.
fn judged(response: FetchResponse) -> Result<FetchResponse> {
    let fail = |kind, detail: String| Err(Error::new(kind, OPERATION, detail));
    if let Some(detail) = challenge(&response) {
        return fail(ErrorKind::BlockedByChallenge, detail);
    }
    let media_type = essence_of(response.headers.text("content-type").unwrap_or_default());
    match response.status {
        200..=299 if response.body_cut => fail(ErrorKind::Connect, "the page broke off".to_owned()),
        200..=299 if !READABLE.contains(&media_type.as_str()) => {
            fail(ErrorKind::NoReadableContent, format!("{media_type} is no web page"))
        }
        200..=299 => Ok(response),
        404 | 410 => fail(ErrorKind::Gone, "the page is not there".to_owned()),
        401 => fail(ErrorKind::Auth, "the page is not for everybody".to_owned()),
        429 => fail(ErrorKind::Throttled, "the server asked for fewer requests".to_owned()),
        status => fail(ErrorKind::HttpStatus, format!("the server answered {status}")),
    }
}

/// Whether asking again leads to the same.
fn is_settled(error: &Error) -> bool {
    error.kind != ErrorKind::Auth && error.advice() == Advice::Skip
}

/// What is left of an item without a text: where it leads.
fn headline(item: &FeedItem) -> String {
    let title = item.title.as_deref().unwrap_or_default().replace(['[', ']'], " ");
    let link = item.link.as_ref().or_else(|| item.enclosures.first().map(|file| &file.url)).map(PrivateUrl::redacted);
    match link {
        Some(link) if title.trim().is_empty() => format!("<{link}>"),
        Some(link) => format!("[{}](<{link}>)", title.trim()),
        None => title.trim().to_owned(),
    }
}

fn path_of(url: &PrivateUrl) -> String {
    let url = url.expose();
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{query}", url.path())
}

const OPERATION: &str = "read the page of an item";

const ACCEPT: &str = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1";

const READABLE: [&str; 4] = ["", "text/html", "application/xhtml+xml", "text/plain"];

/// After so many failures in a row a host is left alone for the rest of a run.
const MOST_FAILURES: u32 = 3;
