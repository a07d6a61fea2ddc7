//! Where a source's feed is: the RSS-first rule, carried out.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::feed::FeedDocument;
use headwater_domain::feed::discovery::FeedLink;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::rss_first::{self, Approach, CacheAction, Finding};
use headwater_domain::synthesis::source::{FeedLocation, Source};
use headwater_ports::{FeedInput, FeedParser, PageReader};
use jiff::Timestamp;

use super::cpu::Cpu;
use super::fetch::{Fetched, Missing, Web, Wish};

/// Finds and reads the feeds of sources.
#[derive(Clone)]
pub(crate) struct Discoverer {
    /// Fetches.
    pub(crate) web: Web,
    /// Reads feeds.
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
    Feed(PrivateUrl, Box<FeedDocument>),
    Page(Box<Fetched>),
    Nothing(Missing),
}

impl Discoverer {
    /// Looks at a source. A source that is a feed costs one request.
    pub(crate) async fn discover(&self, source: &Source, now: Timestamp) -> Discovery {
        let stored = source.feed.as_ref();
        match rss_first::approach(stored, now, self.fresh_days) {
            Approach::ParseCached(url) => match self.feed(&url).await {
                Ok((_, document)) => {
                    let page = if url == source.url { SourcePage::None } else { SourcePage::Unread };
                    Discovery { found: Found::Feed { url, document, page }, action: CacheAction::Keep }
                }
                Err(missing) if url == source.url => Self::failed_direct(missing, stored, now),
                Err(missing) if missing.definite => self.ask_site(source, Some(&url), now).await,
                Err(missing) => self.page_only(source, missing).await,
            },
            Approach::Rediscover(old) => self.rediscover(source, old, now).await,
            Approach::Discover => self.ask_site(source, None, now).await,
        }
    }

    /// Fetches and reads one feed; gives also where it is to be asked for in future.
    pub(crate) async fn feed(&self, url: &PrivateUrl) -> Result<(PrivateUrl, Box<FeedDocument>), Missing> {
        let fetched = self.web.document(url, self.wish).await?;
        let lasting_url = fetched.lasting_url.clone();
        Ok((lasting_url, self.parse(fetched).await?))
    }

    /// Fetches the page of a source.
    pub(crate) async fn page(&self, source: &Source) -> Result<Fetched, Missing> {
        self.web.document(&source.url, self.wish).await
    }

    /// The source is the feed, and the feed cannot be had.
    fn failed_direct(missing: Missing, stored: Option<&FeedLocation>, now: Timestamp) -> Discovery {
        let finding = if missing.definite { Finding::Absent } else { Finding::Unknown };
        Discovery { action: rss_first::after_discovery(stored, finding, now), found: Found::Nothing(missing) }
    }

    /// The stored feed does not answer this time: its URL is kept, and the page's links stand in.
    async fn page_only(&self, source: &Source, missing: Missing) -> Discovery {
        let found = match self.site(source).await {
            Site::Feed(url, document) => Found::Feed { url, document, page: SourcePage::None },
            Site::Page(page) => Found::Page(page, Some(missing)),
            Site::Nothing(_) => Found::Nothing(missing),
        };
        Discovery { found, action: CacheAction::Keep }
    }

    /// The stored URL is stale: the site is asked again, and where it does not say, the old URL is tried.
    async fn rediscover(&self, source: &Source, old: PrivateUrl, now: Timestamp) -> Discovery {
        let discovery = self.ask_site(source, None, now).await;
        let unsure = discovery.action == CacheAction::Keep && !matches!(discovery.found, Found::Feed { .. });
        if !unsure || old == source.url {
            return discovery;
        }
        match self.feed(&old).await {
            Ok((_, document)) => {
                let found = Found::Feed { url: old, document, page: SourcePage::Unread };
                Discovery { found, action: CacheAction::Keep }
            }
            Err(_) => discovery,
        }
    }

    /// Asks the source itself where its feed is; `except` was tried already.
    async fn ask_site(&self, source: &Source, except: Option<&PrivateUrl>, now: Timestamp) -> Discovery {
        let stored = source.feed.as_ref();
        let act = |finding| rss_first::after_discovery(stored, finding, now);
        let page = match self.site(source).await {
            Site::Feed(url, document) => {
                let action = act(Finding::Found(url.clone()));
                return Discovery { found: Found::Feed { url, document, page: SourcePage::None }, action };
            }
            Site::Nothing(missing) => return Self::failed_direct(missing, stored, now),
            Site::Page(page) => page,
        };
        let (page, links) = self.announced(page).await;
        let mut failure: Option<Missing> = None;
        let links = links.into_iter().map(|link| link.url).filter(|url| Some(url) != except && *url != source.url);
        for url in links.take(self.candidates) {
            match self.feed(&url).await {
                Ok((lasting_url, document)) => {
                    let action = act(Finding::Found(lasting_url.clone()));
                    let page = SourcePage::Read(page);
                    return Discovery { found: Found::Feed { url: lasting_url, document, page }, action };
                }
                // Of several failures the one that may pass counts: the feed may be there tomorrow.
                Err(missing) if failure.as_ref().is_none_or(|known| known.definite) => failure = Some(missing),
                Err(_) => {}
            }
        }
        let unknown = failure.as_ref().is_some_and(|missing| !missing.definite);
        let action = act(if unknown { Finding::Unknown } else { Finding::Absent });
        Discovery { found: Found::Page(page, failure), action }
    }

    /// Fetches the source's own URL and says what it is.
    async fn site(&self, source: &Source) -> Site {
        let fetched = match self.page(source).await {
            Ok(fetched) => fetched,
            Err(missing) => return Site::Nothing(missing),
        };
        let looks_like_html = fetched.looks_like_html();
        let page = fetched.clone();
        let lasting_url = fetched.lasting_url.clone();
        if looks_like_html && !self.recognises(&fetched) {
            return Site::Page(Box::new(page));
        }
        match self.parse(fetched).await {
            Ok(document) => Site::Feed(lasting_url, document),
            Err(missing) if looks_like_html && missing.error.kind == ErrorKind::NotAFeed => Site::Page(Box::new(page)),
            Err(missing) => Site::Nothing(missing),
        }
    }

    fn recognises(&self, fetched: &Fetched) -> bool {
        self.parser.recognises(&input(fetched))
    }

    async fn parse(&self, fetched: Fetched) -> Result<Box<FeedDocument>, Missing> {
        let parser = Arc::clone(&self.parser);
        let parsed = self.cpu.run(move || parser.parse(&input(&fetched))).await;
        Ok(parsed.map(Box::new)?)
    }

    /// The feeds that a page announces; a page that cannot be read announces none.
    async fn announced(&self, page: Box<Fetched>) -> (Box<Fetched>, Vec<FeedLink>) {
        let pages = Arc::clone(&self.pages);
        let copy = page.clone();
        let links = self.cpu.run(move || pages.feeds(&copy.page())).await;
        (page, links.unwrap_or_default())
    }
}

fn input(fetched: &Fetched) -> FeedInput<'_> {
    FeedInput {
        base_url: Some(&fetched.url),
        content_type: fetched.content_type(),
        body_cut: fetched.body_cut,
        ..FeedInput::new(&fetched.body)
    }
}
