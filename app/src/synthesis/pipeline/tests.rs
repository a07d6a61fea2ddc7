//! What `synthesis::pipeline` is held to.

use std::sync::Mutex;

use async_trait::async_trait;
use bytes::Bytes;
use headwater_domain::feed::reader_policy::ReaderPolicy;
use headwater_domain::feed::{Content, ContentKind, FeedDocument, FeedFormat, FeedItem, LinkFrom};
use headwater_domain::synthesis::article::PageArticle;
use headwater_domain::synthesis::candidate::PageLink;
use headwater_domain::synthesis::history::{Fate, RunRecord};
use headwater_domain::synthesis::policy::RunPolicy;
use headwater_domain::synthesis::source::{FeedLocation, SourceId, TenantId};
use headwater_domain::synthesis::topic::Topic;
use headwater_ports::{
    ArticleStore, Error, Exchange, FeedInput, FetchRequest, FetchResponse, Headers, MockClock, MockFeedParser,
    MockFetcher, MockPageReader, MockSanitiser, MockSourceStore, PageInput,
};
use tokio::sync::Notify;

use super::*;
use crate::progress::Silent;
use crate::synthesis::classify::OfflineClassifier;
use crate::synthesis::summarise::ExtractiveSummariser;

/// A history in memory.
#[derive(Default)]
struct Memory {
    entries: Mutex<BTreeMap<ArticleKey, HistoryEntry>>,
    runs: Mutex<Vec<RunRecord>>,
}

#[async_trait]
impl ArticleStore for Memory {
    async fn known(&self, _tenant: &TenantId, keys: &[ArticleKey]) -> Result<Vec<HistoryEntry>> {
        let entries = self.entries.lock().unwrap();
        Ok(keys.iter().filter_map(|key| entries.get(key).cloned()).collect())
    }

    async fn near(&self, _tenant: &TenantId, prints: &[Fingerprint], _since: Timestamp) -> Result<Vec<HistoryEntry>> {
        let entries = self.entries.lock().unwrap();
        let is_near = |entry: &&HistoryEntry| {
            entry.fingerprint.is_some_and(|known| prints.iter().any(|print| print.is_near(known)))
        };
        Ok(entries.values().filter(is_near).cloned().collect())
    }

    async fn settle(&self, _tenant: &TenantId, run: &RunRecord, entries: &[HistoryEntry]) -> Result<Vec<ArticleKey>> {
        self.runs.lock().unwrap().push(run.clone());
        let mut known = self.entries.lock().unwrap();
        let fresh = entries.iter().filter(|entry| known.get(&entry.key).is_none_or(|known| !known.is_settled()));
        let fresh: Vec<HistoryEntry> = fresh.cloned().collect();
        known.extend(fresh.iter().map(|entry| (entry.key.clone(), entry.clone())));
        Ok(fresh.into_iter().map(|entry| entry.key).collect())
    }

    async fn runs(&self, _tenant: &TenantId, _limit: usize) -> Result<Vec<RunRecord>> {
        Ok(self.runs.lock().unwrap().clone())
    }

    async fn run<'a>(&self, _tenant: &TenantId, _run_id: &'a str) -> Result<Option<RunRecord>> {
        Ok(None)
    }
}

/// A page of the little web: `feed NAME COUNT`, `site FEED-PATH…`, `page TEXT`, or a status.
fn body(url: &url::Url) -> (u16, String) {
    let host = url.host_str().unwrap().trim_end_matches(".example").to_owned();
    match (host.as_str(), url.path()) {
        ("down", _) => (503, "down".to_owned()),
        ("lost", "/") => (404, "lost".to_owned()),
        ("sparse", "/feed") => (200, "feed 2".to_owned()),
        ("bare", "/") => (200, "<html> links 4".to_owned()),
        ("sparse", "/") => (200, "<html> announces links 5".to_owned()),
        ("direct", "/") => (200, "feed 4".to_owned()),
        (_, "/feed") => (200, "feed 4".to_owned()),
        (_, "/") => (200, "<html> announces links 9".to_owned()),
        (_, "/3") => (500, "broken".to_owned()),
        (host, path) => (200, format!("<html> article {host}{path} about the grid")),
    }
}

fn fetcher(requests: Arc<Mutex<Vec<String>>>) -> MockFetcher {
    let mut fetcher = MockFetcher::new();
    fetcher.expect_fetch().returning(move |request: FetchRequest| {
        requests.lock().unwrap().push(request.url.redacted());
        let (status, body) = body(request.url.expose());
        let response = FetchResponse {
            status,
            final_url: request.url,
            permanent_url: None,
            headers: Headers::default(),
            body: Bytes::from(body),
            body_cut: false,
        };
        Exchange { requests: 1, outcome: Ok(response) }
    });
    fetcher
}

fn parse(input: &FeedInput<'_>) -> Result<FeedDocument> {
    let text = std::str::from_utf8(input.bytes).unwrap();
    let Some(count) = text.strip_prefix("feed ") else {
        return Err(Error::new(ErrorKind::NotAFeed, "parse feed", "no feed"));
    };
    let base = input.base_url.unwrap();
    let item = |number: usize| FeedItem {
        title: Some(format!("Item {number} of {}", base.host_str().unwrap())),
        link: Some(PrivateUrl::new(base.join(&format!("/{number}")).unwrap())),
        link_from: Some(LinkFrom::Link),
        published_at: Some(Timestamp::from_second(1_700_000_000 + number as i64).unwrap()),
        content: Some(Content { raw: "short".to_owned(), kind: ContentKind::Text, base: None }),
        ..FeedItem::default()
    };
    let items = (1..=count.parse::<usize>().unwrap()).map(item).collect();
    Ok(FeedDocument { items, ..FeedDocument::empty(FeedFormat::Rss20) })
}

fn pages() -> MockPageReader {
    let mut pages = MockPageReader::new();
    let text = |page: &PageInput<'_>| String::from_utf8(page.bytes.to_vec()).unwrap();
    pages.expect_feeds().returning(move |page| {
        let link = headwater_domain::feed::discovery::FeedLink {
            url: PrivateUrl::new(page.url.join("/feed").unwrap()),
            kind: headwater_domain::feed::discovery::FeedKind::Rss,
            title: None,
            role: headwater_domain::feed::discovery::FeedRole::Main,
            via: headwater_domain::feed::discovery::FoundVia::Link,
        };
        Ok(if text(page).contains("announces") { vec![link] } else { Vec::new() })
    });
    pages.expect_links().returning(move |page, max| {
        let count: usize = text(page).rsplit(' ').next().unwrap().parse().unwrap();
        let link = |number: usize| PageLink {
            url: PrivateUrl::new(page.url.join(&format!("/{}", 10 + number)).unwrap()),
            text: Some(format!("Link {number} of {}", page.url.host_str().unwrap())),
            published_at: None,
        };
        Ok((1..=count.min(max)).map(link).collect())
    });
    pages.expect_article().returning(move |page| {
        let content_markdown = text(page);
        Ok(PageArticle { text_length: content_markdown.len(), content_markdown, ..PageArticle::default() })
    });
    pages
}

/// Which source's feed was set to what.
type Changes = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// A little web with the memory of what was asked of it.
struct World {
    ports: Ports,
    history: Arc<Memory>,
    requests: Arc<Mutex<Vec<String>>>,
    changes: Changes,
}

fn world() -> World {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let changes: Changes = Arc::default();
    let history = Arc::new(Memory::default());
    let mut parser = MockFeedParser::new();
    parser.expect_recognises().returning(|input| input.bytes.starts_with(b"feed"));
    parser.expect_parse().returning(parse);
    let mut sources = MockSourceStore::new();
    let seen = Arc::clone(&changes);
    sources.expect_update_source_rss().returning(move |_, id, _, new| {
        seen.lock().unwrap().push((id.0.clone(), new.map(|new| new.rss_url.redacted())));
        Ok(true)
    });
    let mut clock = MockClock::new();
    clock.expect_now().returning(|| "2026-05-20T12:00:00Z".parse().unwrap());
    let ports = Ports {
        fetcher: Arc::new(fetcher(Arc::clone(&requests))),
        parser: Arc::new(parser),
        pages: Arc::new(pages()),
        sanitiser: Arc::new(MockSanitiser::new()),
        sources: Arc::new(sources),
        feeds: Arc::new(headwater_tests::fakes::MemoryStore::default()),
        articles: Arc::clone(&history) as Arc<dyn ArticleStore>,
        deliveries: Arc::new(headwater_tests::fakes::MemoryStore::default()),
        classifier: Arc::new(OfflineClassifier::new(0.3)),
        summariser: Arc::new(ExtractiveSummariser::new(2, 3)),
        meter: None,
        clock: Arc::new(clock),
    };
    World { ports, history, requests, changes }
}

fn source(name: &str) -> Source {
    Source {
        id: SourceId(name.to_owned()),
        url: PrivateUrl::new(format!("https://{name}.example/").parse().unwrap()),
        url_redacted: false,
        title: None,
        preferred: false,
        feed: None,
    }
}

fn order(names: &[&str]) -> Order {
    Order {
        tenant: TenantId::default(),
        run_id: "run".to_owned(),
        sources: names.iter().map(|name| Wanted::Source(source(name))).collect(),
        topics: Vec::new(),
        by_hand: names.iter().map(|name| SourceId((*name).to_owned())).collect(),
        reader: ReaderPolicy::default(),
        policy: RunPolicy::default(),
        sinks: Vec::new(),
    }
}

impl World {
    async fn run(&self, order: &Order) -> Digest {
        let (_switch, stop) = Stop::new();
        run(&self.ports, order, &Silent, &stop).await.unwrap()
    }
}

fn outcomes(digest: &Digest) -> Vec<(&str, SourceOutcome, usize)> {
    digest.sources.iter().map(|source| (source.url.as_str(), source.outcome, source.links)).collect()
}

fn titles(digest: &Digest) -> Vec<&str> {
    digest.articles.iter().map(|known| known.article.title.as_str()).collect()
}

#[tokio::test]
async fn every_source_is_accounted_for_and_one_that_fails_disturbs_nobody() {
    let world = world();
    let digest = world.run(&order(&["news", "down", "bare", "sparse", "lost", "direct"])).await;
    assert_eq!(
        outcomes(&digest),
        [
            ("https://news.example/", SourceOutcome::Feed, 4),
            ("https://down.example/", SourceOutcome::Failed, 0),
            ("https://bare.example/", SourceOutcome::Html, 4),
            ("https://sparse.example/", SourceOutcome::Html, 5),
            ("https://lost.example/", SourceOutcome::Failed, 0),
            ("https://direct.example/", SourceOutcome::Feed, 4),
        ]
    );
    assert_eq!(digest.sources[1].error.as_ref().unwrap().code, ErrorKind::HttpStatus);
    assert_eq!(digest.sources[3].fallback_reason.as_deref(), Some("the feed has only 2 usable entries"));
    let counts = digest.counts;
    assert_eq!(counts.links, counts.known + counts.repeated + counts.deferred + counts.scraped + counts.failed);
    assert_eq!(counts.scraped, counts.merged + counts.classified);
    assert_eq!((counts.failed, counts.kept), (2, 15));
}

#[tokio::test]
async fn the_next_run_shows_only_what_is_new_and_retries_what_failed() {
    let world = world();
    let first = world.run(&order(&["news"])).await;
    assert_eq!(titles(&first), ["Item 4 of news.example", "Item 2 of news.example", "Item 1 of news.example"]);
    for attempt in 2..=3 {
        let next = world.run(&order(&["news"])).await;
        assert!(next.articles.is_empty());
        assert_eq!((next.counts.known, next.failures[0].attempts), (3, attempt));
    }
    let last = world.run(&order(&["news"])).await;
    assert_eq!((last.counts.known, last.failures.len()), (4, 0), "after three tries it is given up");
}

#[tokio::test]
async fn a_source_that_is_a_feed_costs_one_request_and_a_fresh_feed_url_too() {
    let world = world();
    let policy = RunPolicy { max_links: 0, ..RunPolicy::default() };
    world.run(&Order { policy: policy.clone(), ..order(&["direct"]) }).await;
    assert_eq!(*world.requests.lock().unwrap(), ["https://direct.example/"]);
    world.requests.lock().unwrap().clear();
    let feed = FeedLocation {
        rss_url: PrivateUrl::new("https://news.example/feed".parse().unwrap()),
        rss_discovered_at: Some("2026-05-10T00:00:00Z".parse().unwrap()),
    };
    let fresh = Source { feed: Some(feed), ..source("news") };
    world.run(&Order { sources: vec![Wanted::Source(fresh)], policy, ..order(&[]) }).await;
    assert_eq!(*world.requests.lock().unwrap(), ["https://news.example/feed"]);
}

#[tokio::test]
async fn what_was_found_is_stored_and_a_passing_failure_changes_nothing() {
    let world = world();
    world.run(&order(&["news", "down", "bare"])).await;
    let expected = ("news".to_owned(), Some("https://news.example/feed".to_owned()));
    assert_eq!(*world.changes.lock().unwrap(), [expected]);
}

#[tokio::test]
async fn preferred_sources_are_read_first_and_full_quotas_end_the_run() {
    let world = world();
    let topics =
        vec![Topic { name: "Grid".to_owned(), terms: vec!["grid".to_owned()], exclude: Vec::new(), quota: Some(2) }];
    let preferred = Source { preferred: true, ..source("direct") };
    let mut order = order(&["news", "bare"]);
    order.sources.push(Wanted::Source(preferred));
    let policy = RunPolicy { wave_size: 1, ..RunPolicy::default() };
    let digest = world.run(&Order { topics, policy, ..order }).await;
    assert_eq!(
        outcomes(&digest),
        [
            ("https://direct.example/", SourceOutcome::Feed, 4),
            ("https://news.example/", SourceOutcome::Skipped, 0),
            ("https://bare.example/", SourceOutcome::Skipped, 0),
        ]
    );
    assert_eq!((digest.articles.len(), digest.unmet_topics.len()), (2, 0));
    assert!(digest.articles[0].reason.starts_with("“grid”"), "{}", digest.articles[0].reason);
}

#[tokio::test]
async fn a_stop_keeps_what_is_done_and_leaves_the_rest_for_the_next_run() {
    let mut world = world();
    let (switch, stop) = Stop::new();
    let asked = Arc::new(Notify::new());
    let inner = Arc::clone(&world.ports.fetcher);
    world.ports.fetcher = Arc::new(StopsAt { inner, path: "/2", asked: Arc::clone(&asked) });
    let policy = RunPolicy { wave_size: 1, scrape_concurrency: 1, ..RunPolicy::default() };
    let order = Order { policy, ..order(&["news", "bare"]) };
    let stopper = async {
        asked.notified().await;
        switch.stop();
    };
    let (digest, ()) = tokio::join!(run(&world.ports, &order, &Silent, &stop), stopper);
    let digest = digest.unwrap();
    assert!(digest.interrupted);
    assert_eq!(titles(&digest), ["Item 4 of news.example"]);
    assert_eq!(digest.sources[1].error.as_ref().unwrap().code, ErrorKind::Interrupted);
    assert_eq!(digest.counts.deferred, 2);
    let kept = world.history.entries.lock().unwrap().values().filter(|entry| entry.fate == Fate::Kept).count();
    assert_eq!(kept, 1);
}

/// Never answers one path, and says when it was asked.
struct StopsAt {
    inner: Arc<dyn headwater_ports::Fetcher>,
    path: &'static str,
    asked: Arc<Notify>,
}

#[async_trait]
impl headwater_ports::Fetcher for StopsAt {
    async fn fetch(&self, request: FetchRequest) -> Exchange {
        if request.url.expose().path() == self.path {
            self.asked.notify_one();
            std::future::pending::<()>().await;
        }
        self.inner.fetch(request).await
    }
}
