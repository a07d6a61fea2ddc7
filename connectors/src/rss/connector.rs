//! Feeds as a data source: one resource a feed, one document an item.

use std::sync::Arc;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::feed::fetch_state::Occasion;
use headwater_domain::feed::reader_policy::ReaderPolicy;
use headwater_domain::sync::{DataSourceConfig, Resource, SyncCursor};
use headwater_ports::connector::{ConfigField, FieldPlace};
use headwater_ports::{
    AuthType, Capability, Clock, Connector, ConnectorMetadata, Error, FeedParser, Fetcher, PageReader, Result,
    Sanitiser, StreamHandler,
};

use super::articles::Articles;
use super::feeds::{Feed, Feeds};
use super::sync::RssSync;
use super::{FeedMemory, FeedReader, FeedRequest};
use crate::Delivery;

/// What the connector is made from.
#[derive(Clone)]
pub struct RssPorts {
    /// The guarded client.
    pub fetcher: Arc<dyn Fetcher>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Reads feeds.
    pub parser: Arc<dyn FeedParser>,
    /// Reads articles.
    pub pages: Arc<dyn PageReader>,
    /// Makes the feeds' own bodies safe.
    pub sanitiser: Arc<dyn Sanitiser>,
}

/// Follows feeds: each item becomes a document with the full text of its page, or with the feed's own.
///
/// Items are told apart in two layers. While what the feed says of an item is the same, its page is not asked for; when its
/// page was read, it is handed over only if its text is another one. Items that roll off a feed are never deletions.
pub struct RssConnector {
    reader: FeedReader,
    articles: Articles,
    clock: Arc<dyn Clock>,
}

impl RssConnector {
    /// A connector with that patience.
    pub fn new(ports: RssPorts, policy: ReaderPolicy) -> Self {
        let clock = Arc::clone(&ports.clock);
        let reader = FeedReader::new(Arc::clone(&ports.fetcher), ports.parser, Arc::clone(&ports.clock), policy);
        Self { reader, articles: Articles::new(ports.fetcher, ports.pages, ports.sanitiser), clock }
    }

    /// Reads a feed for the first time.
    async fn look_at(&self, feeds: &Feeds, feed: &Feed) -> Result<(String, usize)> {
        let (reading, _) = self.reader.read(&request(feeds, feed), FeedMemory::default()).await;
        match (reading.document, reading.error) {
            (Some(document), _) => Ok((document.title.unwrap_or_else(|| feed.id.clone()), document.items.len())),
            (None, error) => {
                Err(error.unwrap_or_else(|| Error::new(ErrorKind::EmptyBody, "fetch feed", "no feed came")))
            }
        }
    }
}

/// How a feed of the data source is asked for: somebody wants it now, and its headers stay with its origin.
pub(super) fn request(feeds: &Feeds, feed: &Feed) -> FeedRequest {
    let request = FeedRequest::new(feed.url.clone()).on(Occasion::ByHand);
    feeds.headers.iter().fold(request, |request, (name, value)| request.with_header(name, value.expose()))
}

#[async_trait]
impl Connector for RssConnector {
    fn metadata(&self) -> ConnectorMetadata {
        ConnectorMetadata {
            connector_type: "rss",
            name: "RSS",
            description: "Items of RSS, Atom and JSON feeds, with the full text of their pages.",
            priority: 10,
            auth_type: AuthType::Custom,
            capabilities: &[Capability::Incremental],
            fields: FIELDS,
        }
    }

    async fn validate(&self, config: &DataSourceConfig) -> Result<()> {
        let feeds = Feeds::new(config)?;
        let mut failure = None;
        let mut readable = 0;
        for feed in &feeds.all {
            match self.look_at(&feeds, feed).await {
                Ok(_) => readable += 1,
                Err(error) if error.kind == ErrorKind::Auth => return Err(told_of(feed, error)),
                Err(error) => failure = failure.or(Some(told_of(feed, error))),
            }
        }
        match failure {
            Some(error) if readable == 0 => Err(error),
            _ => Ok(()),
        }
    }

    async fn list_resources<'a>(&self, config: &DataSourceConfig, parent: Option<&'a str>) -> Result<Vec<Resource>> {
        let feeds = Feeds::new(config)?;
        if parent.is_some() {
            return Ok(Vec::new());
        }
        let mut resources = Vec::new();
        for feed in &feeds.all {
            let (name, description) = match self.look_at(&feeds, feed).await {
                Ok((title, items)) => (title, format!("{items} items")),
                Err(error) => (feed.id.clone(), format!("could not be read: {error}")),
            };
            resources.push(Resource {
                external_id: feed.id.clone(),
                name,
                resource_type: "feed".to_owned(),
                description: Some(description),
                url: Some(feed.id.clone()),
                ..Resource::default()
            });
        }
        Ok(resources)
    }

    async fn resolve_resource_ancestors(&self, config: &DataSourceConfig, _ids: &[String]) -> Result<Vec<String>> {
        Feeds::new(config).map(|_| Vec::new())
    }

    async fn fetch_stream(
        &self,
        config: &DataSourceConfig,
        cursor: SyncCursor,
        handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor> {
        let feeds = Feeds::new(config)?;
        let delivery = Delivery::new(handler, cursor, Arc::clone(&self.clock));
        RssSync::new(&self.reader, &self.articles, &feeds, delivery).run().await
    }
}

fn told_of(feed: &Feed, error: Error) -> Error {
    let detail = format!("{}: {error}", feed.url);
    Error { detail, ..error }
}

const FIELDS: &[ConfigField] = &[
    ConfigField {
        name: "feed_urls",
        place: FieldPlace::Settings,
        required: true,
        description: "The feeds: a list, or a text with one a line or with commas between them.",
    },
    ConfigField {
        name: "auth_headers",
        place: FieldPlace::Credentials,
        required: false,
        description: "Headers for private feeds, one `Name: value` a line; sent to the origins of the feeds only.",
    },
    ConfigField {
        name: "full_text",
        place: FieldPlace::Settings,
        required: false,
        description: "Whether the pages of items are read; default: yes.",
    },
];
