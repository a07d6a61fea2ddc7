//! How feeds become documents, each item when it is new or says something else.

use std::collections::{BTreeMap, HashMap, HashSet};

use headwater_domain::ErrorKind;
use headwater_domain::feed::identity::item_name;
use headwater_domain::feed::{FeedDocument, FeedItem};
use headwater_domain::secret::PrivateUrl;
use headwater_domain::sync::{FailedItem, FetchedItem, Receipt, SkipReason, SkippedItem, SyncCursor, file_name};
use headwater_domain::text::{excerpt, plain_text_of_markdown};
use headwater_ports::{Error, Result};

use super::articles::{Articles, RestingHosts, Text};
use super::connector::request;
use super::feeds::{Feed, Feeds};
use super::version::Version;
use super::{FeedMemory, FeedReader, ReadingKind};
use crate::Delivery;

/// One run over the feeds of a data source.
pub(super) struct RssSync<'r> {
    reader: &'r FeedReader,
    articles: &'r Articles,
    feeds: &'r Feeds,
    delivery: Delivery<'r>,
    hosts: RestingHosts,
}

/// Whether everything of an item or a feed is done, so that a 304 may hide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    Whole,
    InPart,
}

impl<'r> RssSync<'r> {
    pub(super) fn new(
        reader: &'r FeedReader,
        articles: &'r Articles,
        feeds: &'r Feeds,
        delivery: Delivery<'r>,
    ) -> Self {
        Self { reader, articles, feeds, delivery, hosts: RestingHosts::default() }
    }

    pub(super) async fn run(mut self) -> Result<SyncCursor> {
        for unknown in &self.feeds.unknown {
            let error = Error::new(ErrorKind::InvalidConfig, "choose feeds", "the setting feed_urls has no such feed");
            self.delivery.fail(failure(&error, Some(unknown.clone()))).await?;
        }
        let (mut readable, mut first_error) = (0, None);
        for feed in &self.feeds.selected {
            match self.feed(feed).await? {
                Ok(()) => readable += 1,
                Err(error) => {
                    self.delivery.fail(failure(&error, Some(feed.id.clone()))).await?;
                    first_error = first_error.or(Some(error));
                }
            }
            self.delivery.checkpoint_if_due().await?;
        }
        match first_error {
            Some(error) if readable == 0 => {
                self.delivery.checkpoint().await?;
                Err(error)
            }
            _ => self.delivery.finish().await,
        }
    }

    /// Reads one feed. The outer error ends the run, the inner one is the feed's.
    async fn feed(&mut self, feed: &Feed) -> Result<Result<()>> {
        let note = format!("feed:{}", feed.id);
        let memory = self.delivery.cursor().state(&note).cloned();
        let memory = memory.and_then(|value| serde_json::from_value::<FeedMemory>(value).ok()).unwrap_or_default();
        let (reading, mut memory) = self.reader.read(&request(self.feeds, feed), memory).await;
        let outcome = match (reading.kind, reading.document) {
            (ReadingKind::NotModified, _) => {
                let known = self.delivery.cursor().known(&feed.id).count();
                self.delivery.unchanged(known as u64);
                Ok(())
            }
            (ReadingKind::Ok, Some(document)) => {
                if self.items(feed, &document).await? == Done::InPart {
                    memory.state.revisit();
                }
                Ok(())
            }
            _ => {
                let unknown = || Error::new(ErrorKind::EmptyBody, "fetch feed", "no feed came");
                Err(reading.error.unwrap_or_else(unknown))
            }
        };
        self.delivery.record_state(&note, serde_json::to_value(&memory).ok());
        Ok(outcome)
    }

    async fn items(&mut self, feed: &Feed, document: &FeedDocument) -> Result<Done> {
        let mut done = Done::Whole;
        let mut seen = HashSet::new();
        for (item, id) in document.items.iter().zip(ids(feed, &document.items)) {
            if seen.insert(id.clone()) && self.item(feed, document, item, id).await? == Done::InPart {
                done = Done::InPart;
            }
        }
        Ok(done)
    }

    async fn item(&mut self, feed: &Feed, document: &FeedDocument, item: &FeedItem, id: String) -> Result<Done> {
        let Some(known) = self.known(feed, &id) else {
            self.delivery.unchanged(1);
            return Ok(Done::Whole);
        };
        let signal = Version::signal_of(item, self.feeds.full_text);
        if known.is_settled(&signal) {
            self.delivery.unchanged(1);
            return Ok(Done::Whole);
        }
        let text = self.articles.text(item, self.feeds.full_text, &mut self.hosts).await;
        let Text { markdown: Some(markdown), page_title, is_full, missing } = text else {
            let error =
                text.missing.unwrap_or_else(|| Error::new(ErrorKind::NoReadableContent, "read item", "no text"));
            let failed = FailedItem { external_id: Some(id), title: item.title.clone(), ..failure(&error, None) };
            self.delivery.fail(failed).await?;
            return Ok(Done::InPart);
        };
        if markdown.is_empty() {
            let skipped = SkippedItem { external_id: id, title: item.title.clone(), reason: SkipReason::Empty };
            self.delivery.skip(skipped).await?;
            return Ok(Done::Whole);
        }
        let title = title_of(item, page_title, &markdown);
        let version = known.next(signal, &[&title, &markdown], missing.is_some());
        let done = if version.is_final() { Done::Whole } else { Done::InPart };
        if version.has_content_of(&known) {
            self.delivery.cursor_mut().record(&feed.id, &id, version.to_string());
            self.delivery.unchanged(1);
            return Ok(done);
        }
        let fetched = FetchedItem {
            file_name: file_name(&title, "md"),
            title,
            metadata: metadata(feed, document, item, is_full),
            content: markdown.into(),
            ..document_of(feed, item, id)
        };
        match self.delivery.emit(fetched, &version.to_string()).await? {
            Receipt::Kept => Ok(done),
            Receipt::NotKept => Ok(Done::InPart),
        }
    }

    /// What is known of an item; none where another feed of the list has it already.
    ///
    /// Where a feed got another URL, what was known under the old one moves along: nothing is read again.
    fn known(&mut self, feed: &Feed, id: &str) -> Option<Version> {
        let cursor = self.delivery.cursor_mut();
        if let Some(version) = cursor.version(&feed.id, id) {
            return Some(Version::parse(version));
        }
        let elsewhere = cursor.resources().find(|resource| cursor.version(resource, id).is_some()).map(str::to_owned);
        let Some(elsewhere) = elsewhere else {
            return Some(Version::default());
        };
        if self.feeds.all.iter().any(|other| other.id == elsewhere) {
            return None;
        }
        let version = cursor.version(&elsewhere, id).unwrap_or_default().to_owned();
        cursor.record(&feed.id, id, version.clone());
        cursor.forget(&elsewhere, id);
        Some(Version::parse(&version))
    }
}

/// The id of each item: what the publisher calls it, below the feed's address where that says nothing in the wide world.
fn ids(feed: &Feed, items: &[FeedItem]) -> Vec<String> {
    let names: Vec<String> = items.iter().map(item_name).collect();
    let mut counts = HashMap::new();
    names.iter().for_each(|name| *counts.entry(name.as_str()).or_insert(0) += 1);
    let is_doubled: Vec<bool> = names.iter().map(|name| counts[name.as_str()] > 1).collect();
    let address = feed.id.split_once("://").map_or(feed.id.as_str(), |(_, rest)| rest);
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let id = |((name, item), is_doubled): ((String, &FeedItem), bool)| {
        let link = item.link.as_ref().filter(|_| is_doubled).map(|link| format!(" {}", link.redacted()));
        let name = format!("{name}{}", link.unwrap_or_default());
        match name.strip_prefix("http://") {
            // A site that learns to speak https keeps its items.
            Some(rest) => format!("https://{rest}"),
            None if name.contains("://") || name.starts_with("tag:") || name.starts_with("urn:") => name,
            None => format!("{address}#{name}"),
        }
    };
    names.into_iter().zip(items).zip(is_doubled).map(id).collect()
}

fn title_of(item: &FeedItem, page_title: Option<String>, markdown: &str) -> String {
    let own = item.title.clone().filter(|title| !title.trim().is_empty());
    let made = || excerpt(&plain_text_of_markdown(markdown), TITLE_CHARS);
    own.or(page_title.filter(|title| !title.trim().is_empty())).unwrap_or_else(made)
}

fn document_of(feed: &Feed, item: &FeedItem, id: String) -> FetchedItem {
    FetchedItem {
        external_id: id,
        content_type: "text/markdown".to_owned(),
        url: item.link.as_ref().map(PrivateUrl::redacted),
        updated_at: item.updated_at.or(item.published_at),
        source_resource_id: feed.id.clone(),
        ..FetchedItem::default()
    }
}

fn metadata(feed: &Feed, document: &FeedDocument, item: &FeedItem, is_full: bool) -> BTreeMap<String, String> {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let facts = [
        ("channel", some("rss")),
        ("feed_url", some(&feed.id)),
        ("feed_title", document.title.clone()),
        ("guid", item.guid.clone()),
        ("link", item.link.as_ref().map(PrivateUrl::redacted)),
        ("author", some(&item.authors.join(", "))),
        ("categories", some(&item.categories.join(", "))),
        ("text_from", some(if is_full { "page" } else { "feed" })),
    ];
    facts.into_iter().filter_map(|(name, fact)| Some((name.to_owned(), fact?))).collect()
}

fn failure(error: &Error, resource_id: Option<String>) -> FailedItem {
    FailedItem {
        external_id: None,
        resource_id,
        title: None,
        kind: error.kind,
        params: BTreeMap::new(),
        message: error.to_string(),
    }
}

/// Characters of a title that has to be made of the text.
const TITLE_CHARS: usize = 80;
