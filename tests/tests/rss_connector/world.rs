//! Two feeds and the pages of their items, as a world of the conformance suite.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use headwater_adapters_html::{HtmlPageReader, HtmlSanitiser};
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_adapters_xml::XmlFeedParser;
use headwater_connectors::rss::{RssConnector, RssPorts};
use headwater_domain::feed::reader_policy::ReaderPolicy;
use headwater_domain::secret::Secret;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Clock, Connector, Fetcher};
use headwater_tests::contract::connector::{Abilities, Gate, GatedFetcher, World};
use headwater_tests::fakes::FakeClock;
use headwater_tests::server::{Received, Reply, StandIn};
use jiff::Timestamp;
use serde_json::json;

/// Two feeds on a server.
pub struct RssWorld {
    server: StandIn,
    web: Arc<Mutex<Web>>,
    gate: Arc<Gate>,
    clock: Arc<FakeClock>,
    fetcher: Arc<dyn Fetcher>,
}

/// What the server has.
#[derive(Default)]
pub struct Web {
    /// Items by feed, oldest first.
    pub feeds: [Vec<Item>; 2],
    /// Answers by path in place of the usual ones.
    pub instead: HashMap<String, (u16, String)>,
    empty: [bool; 2],
    is_refusing: bool,
    next_id: usize,
}

/// An item and its page.
#[derive(Clone)]
pub struct Item {
    pub id: usize,
    pub title: String,
    pub text: String,
    pub at: Timestamp,
    /// The body in the feed, as HTML.
    pub body: Option<String>,
}

impl RssWorld {
    pub async fn start() -> Self {
        let web: Arc<Mutex<Web>> = Arc::default();
        let shared = Arc::clone(&web);
        let server = StandIn::start(move |request| shared.lock().expect("nobody panics with it").answer(request)).await;
        let mut config = HttpConfig { requests_per_host: 64, ..HttpConfig::default() };
        config.exemptions.add("127.0.0.1").expect("an address");
        let fetcher = Arc::new(HyperFetcher::new(config).expect("a client"));
        Self { server, web, gate: Arc::default(), clock: Arc::default(), fetcher }
    }

    pub fn web(&self) -> MutexGuard<'_, Web> {
        self.web.lock().expect("nobody panics with it")
    }

    /// Paths that were asked for, in order.
    pub fn paths(&self) -> Vec<String> {
        self.server.requests().iter().map(|request| request.path().to_owned()).collect()
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Received> {
        self.server.requests()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address())
    }

    fn item(&self, branch: usize, name: &str, change: impl FnOnce(&mut Item)) {
        let now = self.clock.now();
        let mut web = self.web();
        let item = web.feeds[branch].iter_mut().find(|item| item.title == name).expect("the item is there");
        change(item);
        item.at = now;
    }
}

impl Web {
    pub fn add(&mut self, branch: usize, title: &str, text: &str, at: Timestamp) -> usize {
        self.next_id += 1;
        let item = Item { id: self.next_id, title: title.to_owned(), text: text.to_owned(), at, body: None };
        self.feeds[branch].push(item);
        self.next_id
    }

    fn answer(&self, request: &Received) -> Reply {
        let path = request.path();
        if let Some((status, body)) = self.instead.get(path) {
            return Reply::new(*status).header("Content-Type", "text/html").body(body.clone());
        }
        if let Some(branch) = FEEDS.iter().position(|feed| *feed == path) {
            if self.is_refusing || request.value("x-feed-key").as_deref() != Some(KEY) {
                return Reply::new(401);
            }
            let body = self.feed(branch, &request.value("host").unwrap_or_default());
            let etag = format!("\"{}-{}\"", body.len(), checksum(&body));
            if request.value("if-none-match") == Some(etag.clone()) {
                return Reply::new(304);
            }
            return Reply::new(200).header("Content-Type", "application/rss+xml").header("ETag", &etag).body(body);
        }
        let id = path.strip_prefix("/articles/").and_then(|id| id.parse().ok());
        let item = self.feeds.iter().flatten().find(|item| Some(item.id) == id);
        let Some(item) = item else { return Reply::new(404) };
        let page = format!(
            "<html><head><title>{0}</title></head><body><article><h1>{0}</h1><p>{1}</p></article></body></html>",
            item.title, item.text
        );
        Reply::new(200).header("Content-Type", "text/html; charset=utf-8").body(page)
    }

    fn feed(&self, branch: usize, host: &str) -> String {
        let items = if self.empty[branch] { &[][..] } else { &self.feeds[branch] };
        let items: String = items.iter().rev().map(|item| entry(item, host)).collect();
        format!("<rss version=\"2.0\"><channel><title>Feed {branch}</title>{items}</channel></rss>")
    }
}

fn entry(item: &Item, host: &str) -> String {
    let date =
        jiff::fmt::rfc2822::to_string(&item.at.to_zoned(jiff::tz::TimeZone::UTC)).expect("a date of this century");
    let body = item.body.as_ref().map(|body| format!("<description><![CDATA[{body}]]></description>"));
    format!(
        "<item><title>{}</title><link>http://{host}/articles/{}</link><guid isPermaLink=\"false\">urn:item:{}</guid>\
         <pubDate>{date}</pubDate>{}</item>",
        item.title,
        item.id,
        item.id,
        body.unwrap_or_default()
    )
}

fn checksum(text: &str) -> u64 {
    text.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

#[async_trait]
impl World for RssWorld {
    fn connector(&self) -> Arc<dyn Connector> {
        let ports = RssPorts {
            fetcher: Arc::new(GatedFetcher::new(Arc::clone(&self.fetcher), Arc::clone(&self.gate))),
            clock: Arc::clone(&self.clock) as _,
            parser: Arc::new(XmlFeedParser),
            pages: Arc::new(HtmlPageReader),
            sanitiser: Arc::new(HtmlSanitiser),
        };
        Arc::new(RssConnector::new(ports, ReaderPolicy::default()))
    }

    fn config(&self) -> DataSourceConfig {
        let urls = FEEDS.map(|path| self.url(path));
        DataSourceConfig {
            connector_type: "rss".to_owned(),
            credentials: [("auth_headers".to_owned(), Secret::new(format!("X-Feed-Key: {KEY}")))].into(),
            resource_ids: urls.to_vec(),
            settings: json!({ "feed_urls": urls }).as_object().cloned().unwrap_or_default(),
        }
    }

    fn resource(&self, branch: usize) -> String {
        self.url(FEEDS[branch])
    }

    fn unknown_resource(&self) -> String {
        self.url("/no-feed.xml")
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn clock(&self) -> &FakeClock {
        &self.clock
    }

    fn abilities(&self) -> Abilities {
        Abilities { deletions: false, caps: false, pages: false, credentials: true, levels: false, lookahead: 1 }
    }

    async fn add(&self, branch: usize, name: &str, text: &str) {
        let now = self.clock.now();
        self.web().add(branch, name, text, now);
    }

    async fn edit(&self, branch: usize, name: &str, text: &str) {
        self.item(branch, name, |item| item.text = text.to_owned());
    }

    async fn rename(&self, branch: usize, name: &str, new_name: &str) {
        self.item(branch, name, |item| item.title = new_name.to_owned());
    }

    async fn delete(&self, _branch: usize, _name: &str) {
        unreachable!("feeds forget items, they do not delete them");
    }

    fn content_of(&self, target: &str) -> Option<String> {
        target.strip_prefix("GET /articles/").map(str::to_owned)
    }

    async fn break_document(&self, branch: usize, name: &str) {
        let mut web = self.web();
        let id = web.feeds[branch].iter().find(|item| item.title == name).expect("the item is there").id;
        web.instead.insert(format!("/articles/{id}"), (500, "<h1>Internal server error</h1>".to_owned()));
    }

    async fn break_branch(&self, branch: usize) {
        self.web().instead.insert(FEEDS[branch].to_owned(), (500, String::new()));
    }

    async fn empty_branch(&self, branch: usize) {
        self.web().empty[branch] = true;
    }

    async fn refuse_credentials(&self) {
        self.web().is_refusing = true;
    }

    async fn heal(&self) {
        self.gate.heal();
        let mut web = self.web();
        web.instead.clear();
        (web.empty, web.is_refusing) = ([false; 2], false);
    }
}

/// The feeds.
pub const FEEDS: [&str; 2] = ["/a.xml", "/b.xml"];

/// What the feeds want to see.
pub const KEY: &str = "made-up-key";
