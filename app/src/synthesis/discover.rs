//! Where a source's feed is: the RSS-first rule, carried out.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::feed::FeedDocument;
use headwater_domain::feed::discovery::FeedLink;
use headwater_domain::feed::fetch_state::Occasion;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::rss_first::{self, Approach, CacheAction, Finding};
use headwater_domain::synthesis::source::Source;
use headwater_ports::{FeedInput, FeedParser, PageReader};
use jiff::Timestamp;

use super::cpu::Cpu;
use super::feeds::{FeedAnswer, Feeds, Remembered};
use super::fetch::{Fetched, Missing, Scope, Web, Wish, refusal};

/// Finds and reads the feeds of sources.
#[derive(Clone)]
pub(crate) struct Discoverer {
    /// Fetches.
    pub(crate) web: Web,
    /// Asks feeds.
    pub(crate) feeds: Feeds,
    /// Recognises feeds.
    pub(crate) parser: Arc<dyn FeedParser>,
    /// Reads pages.
    pub(crate) pages: Arc<dyn PageReader>,
    /// Where they are read.
    pub(crate) cpu: Cpu,
    /// What is asked for.
    pub(crate) wish: Wish,
    /// How long a feed URL is trusted.
    pub(crate) fresh_days: i64,
    /// Announced feeds that are tried.
    pub(crate) candidates: usize,
}

/// What looking at a source gave.
#[derive(Debug)]
pub(crate) struct Discovery {
    /// What was found.
    pub(crate) found: Found,
    /// What becomes of the stored feed URL.
    pub(crate) action: CacheAction,
    /// What is to be remembered of the feeds that were asked.
    pub(crate) memories: Vec<Remembered>,
}

/// What was found at a source.
#[derive(Debug)]
pub(crate) enum Found {
    /// A feed.
    Feed {
        /// Where.
        url: PrivateUrl,
        /// The feed.
        document: Box<FeedDocument>,
        /// The source's page.
        page: SourcePage,
    },
    /// A feed that is as it was the last time.
    Unchanged(PrivateUrl),
    /// A page, and no feed; with the failure of the feed where there should have been one.
    Page(Box<Fetched>, Option<Missing>),
    /// Neither.
    Nothing(Missing),
}

/// The page of a source that has a feed.
#[derive(Debug)]
pub(crate) enum SourcePage {
    /// It was read on the way.
    Read(Box<Fetched>),
    /// It was not read.
    Unread,
    /// There is none: the source is the feed.
    None,
}

/// What the source's own URL gave.
enum Site {
    Feed(FeedAnswer),
    Page(Box<Fetched>),
    Nothing(Missing),
}

/// A source under discovery.
struct Search<'a> {
    discoverer: &'a Discoverer,
    source: &'a Source,
    occasion: Occasion,
    now: Timestamp,
    memories: Vec<Remembered>,
}

impl Discoverer {
    /// Looks at a source. A source that is a feed costs one request, and one that is not due costs none.
    pub(crate) async fn discover(&self, source: &Source, occasion: Occasion, now: Timestamp) -> Discovery {
        let mut search = Search { discoverer: self, source, occasion, now, memories: Vec::new() };
        let (found, action) = search.run().await;
        Discovery { found, action, memories: search.memories }
    }

    /// Fetches the page of a source.
    pub(crate) async fn page(&self, source: &Source) -> Result<Fetched, Missing> {
        self.web.document(&source.url, self.wish).await
    }

    fn recognises(&self, fetched: &Fetched) -> bool {
        self.parser.recognises(&input(fetched))
    }

    /// The feeds that a page announces; a page that cannot be read announces none.
    async fn announced(&self, page: Box<Fetched>) -> (Box<Fetched>, Vec<FeedLink>) {
        let pages = Arc::clone(&self.pages);
        let copy = page.clone();
        let links = self.cpu.run(move || pages.feeds(&copy.page())).await;
        (page, links.unwrap_or_default())
    }
}

impl Search<'_> {
    async fn run(&mut self) -> (Found, CacheAction) {
        match rss_first::approach(self.source.feed.as_ref(), self.now, self.discoverer.fresh_days) {
            Approach::ParseCached(url) => self.known(url).await,
            Approach::Rediscover(old) => self.rediscover(old).await,
            // Where a URL with a secret may not be stored as that of a feed, the memory still says that it is one.
            Approach::Discover if self.discoverer.feeds.memory(&self.source.url).await.knows_a_feed() => {
                self.known(self.source.url.clone()).await
            }
            Approach::Discover => self.ask_site(None).await,
        }
    }

    /// It is known where the feed is.
    async fn known(&mut self, url: PrivateUrl) -> (Found, CacheAction) {
        let is_source = url == self.source.url;
        match self.feed(&url).await {
            Ok(answer) => {
                let page = if is_source { SourcePage::None } else { SourcePage::Unread };
                (found(url, answer.document, page), CacheAction::Keep)
            }
            Err(missing) if leaves_source_alone(&missing) => (Found::Nothing(missing), CacheAction::Keep),
            // What was a feed may be the page of a site by now.
            Err(missing) if is_source && missing.error.kind == ErrorKind::NotAFeed => self.ask_site(None).await,
            Err(missing) if is_source => self.nothing(missing),
            Err(missing) if missing.definite => self.ask_site(Some(&url)).await,
            Err(missing) => self.page_only(missing).await,
        }
    }

    async fn feed(&mut self, url: &PrivateUrl) -> Result<FeedAnswer, Missing> {
        self.discoverer.feeds.ask(url, self.occasion, &mut self.memories).await
    }

    fn act(&self, finding: Finding) -> CacheAction {
        rss_first::after_discovery(self.source.feed.as_ref(), finding, self.now)
    }

    /// Neither feed nor page can be had.
    fn nothing(&self, missing: Missing) -> (Found, CacheAction) {
        let finding = if missing.definite { Finding::Absent } else { Finding::Unknown };
        (Found::Nothing(missing), self.act(finding))
    }

    /// The stored feed does not answer this time: its URL is kept, and the page's links stand in.
    async fn page_only(&mut self, missing: Missing) -> (Found, CacheAction) {
        let found = match self.site().await {
            Site::Feed(answer) => found(answer.lasting_url, answer.document, SourcePage::None),
            Site::Page(page) => Found::Page(page, Some(missing)),
            Site::Nothing(_) => Found::Nothing(missing),
        };
        (found, CacheAction::Keep)
    }

    /// The stored URL is stale: the site is asked again, and where it does not say, the old URL is tried.
    async fn rediscover(&mut self, old: PrivateUrl) -> (Found, CacheAction) {
        let feeds = &self.discoverer.feeds;
        let early = feeds.skip(&old, self.occasion, &feeds.memory(&old).await).filter(leaves_source_alone);
        if let Some(missing) = early {
            return (Found::Nothing(missing), CacheAction::Keep);
        }
        let (found_now, action) = self.ask_site(None).await;
        let unsure = action == CacheAction::Keep && !matches!(found_now, Found::Feed { .. } | Found::Unchanged(_));
        if !unsure || old == self.source.url {
            return (found_now, action);
        }
        match self.feed(&old).await {
            Ok(answer) => (found(old, answer.document, SourcePage::Unread), CacheAction::Keep),
            Err(_) => (found_now, action),
        }
    }

    /// Asks the source itself where its feed is; `except` was tried already.
    async fn ask_site(&mut self, except: Option<&PrivateUrl>) -> (Found, CacheAction) {
        let page = match self.site().await {
            Site::Feed(FeedAnswer { lasting_url, document }) => {
                let action = self.act(Finding::Found(lasting_url.clone()));
                return (found(lasting_url, document, SourcePage::None), action);
            }
            Site::Nothing(missing) => return self.nothing(missing),
            Site::Page(page) => page,
        };
        let (page, links) = self.discoverer.announced(page).await;
        let mut failure: Option<Missing> = None;
        let source_url = self.source.url.clone();
        let links = links.into_iter().map(|link| link.url).filter(|url| Some(url) != except && *url != source_url);
        for url in links.take(self.discoverer.candidates) {
            match self.feed(&url).await {
                Ok(FeedAnswer { lasting_url, document }) => {
                    let action = self.act(Finding::Found(lasting_url.clone()));
                    return (found(lasting_url, document, SourcePage::Read(page)), action);
                }
                // Of several failures the one that may pass counts: the feed may be there tomorrow.
                Err(missing) if failure.as_ref().is_none_or(|known| known.definite) => failure = Some(missing),
                Err(_) => {}
            }
        }
        // Of a page that was cut nobody knows what else it announces.
        let unknown = page.body_cut || failure.as_ref().is_some_and(|missing| !missing.definite);
        let action = self.act(if unknown { Finding::Unknown } else { Finding::Absent });
        (Found::Page(page, failure), action)
    }

    /// Fetches the source's own URL and says what it is.
    async fn site(&mut self) -> Site {
        let (feeds, url, occasion) = (&self.discoverer.feeds, &self.source.url, self.occasion);
        if let Some(missing) = feeds.skip(url, occasion, &feeds.memory(url).await) {
            return Site::Nothing(missing);
        }
        let response = match self.discoverer.web.response(url, self.discoverer.wish).await {
            Ok(response) => response,
            Err(missing) if missing.wait.is_some() => return Site::Nothing(missing),
            Err(missing) => {
                return Site::Nothing(feeds.take_failure(url, occasion, *missing.error, &mut self.memories).await);
            }
        };
        if refusal(&response).is_some() {
            return match feeds.take(url, occasion, response, &mut self.memories).await {
                Ok(answer) => Site::Feed(answer),
                Err(missing) => Site::Nothing(missing),
            };
        }
        let fetched = Fetched::new(url, response);
        let (looks_like_html, is_cut) = (fetched.looks_like_html(), fetched.body_cut);
        let page = Box::new(fetched.clone());
        if looks_like_html && !self.discoverer.recognises(&fetched) {
            feeds.take_page(url, occasion, &mut self.memories).await;
            return Site::Page(page);
        }
        let before = self.memories.len();
        match feeds.take(url, occasion, fetched.into_response(url), &mut self.memories).await {
            Ok(answer) => Site::Feed(answer),
            Err(missing) if looks_like_html && (is_cut || missing.error.kind == ErrorKind::NotAFeed) => {
                self.memories.truncate(before);
                feeds.take_page(url, occasion, &mut self.memories).await;
                Site::Page(page)
            }
            Err(missing) => Site::Nothing(missing),
        }
    }
}

/// A feed that answered, with or without a document.
fn found(url: PrivateUrl, document: Option<Box<FeedDocument>>, page: SourcePage) -> Found {
    match document {
        Some(document) => Found::Feed { url, document, page },
        None => Found::Unchanged(url),
    }
}

/// Whether it is too early for anything of the source: its page is no way around that.
fn leaves_source_alone(missing: &Missing) -> bool {
    missing.error.kind == ErrorKind::Throttled || missing.wait.as_ref().is_some_and(|wait| wait.scope == Scope::Source)
}

fn input(fetched: &Fetched) -> FeedInput<'_> {
    FeedInput {
        base_url: Some(&fetched.url),
        content_type: fetched.content_type(),
        body_cut: fetched.body_cut,
        ..FeedInput::new(&fetched.body)
    }
}
