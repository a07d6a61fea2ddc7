//! Which links a source gives: its feed's entries, or the links of its page.

use std::sync::Arc;

use headwater_domain::feed::FeedDocument;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::candidate::Candidate;
use headwater_domain::synthesis::digest::{SourceOutcome, SourceReport};
use headwater_domain::synthesis::entries;
use headwater_domain::synthesis::rss_first::CacheAction;
use headwater_domain::synthesis::source::Source;
use headwater_domain::synthesis::threshold::{self, Choice, Fallback};
use headwater_ports::Result;
use jiff::Timestamp;

use super::discover::{Discoverer, Found, SourcePage};
use super::failure;
use super::fetch::{Fetched, Missing};

/// Collects the links of sources.
#[derive(Clone)]
pub(crate) struct Collector {
    /// Finds the feeds.
    pub(crate) discoverer: Discoverer,
    /// From so many entries a feed suffices.
    pub(crate) min_entries: usize,
    /// Links looked at in a page.
    pub(crate) max_page_links: usize,
}

/// The links of one source, and its report so far.
#[derive(Debug)]
pub(crate) struct Collected {
    /// Distinct, best first.
    pub(crate) candidates: Vec<Candidate>,
    /// What became of the source.
    pub(crate) report: SourceReport,
    /// What becomes of its stored feed URL.
    pub(crate) action: CacheAction,
}

impl Collector {
    /// Reads a source. It never fails: a source that cannot be read is reported so.
    pub(crate) async fn collect(&self, source: &Source, now: Timestamp) -> Collected {
        let discovery = self.discoverer.discover(source, now).await;
        let (candidates, report) = match discovery.found {
            Found::Feed { url, document, page } => self.feed_links(source, url, document, page, now).await,
            Found::Page(page, missing) => self.page_links(source, *page, missing, now).await,
            Found::Nothing(missing) => (Vec::new(), failed(source, &missing)),
        };
        let report = SourceReport { links: candidates.len(), ..report };
        Collected { candidates, report, action: discovery.action }
    }

    async fn feed_links(
        &self,
        source: &Source,
        url: PrivateUrl,
        document: Box<FeedDocument>,
        page: SourcePage,
        now: Timestamp,
    ) -> (Vec<Candidate>, SourceReport) {
        let entries = entries::from_feed(*document, now);
        let report = SourceReport { feed_url: Some(url), ..report(source, SourceOutcome::Feed) };
        if threshold::suffices(entries.len(), self.min_entries) {
            return (entries, report);
        }
        let page = match page {
            SourcePage::Read(page) => Some(*page),
            SourcePage::Unread => self.discoverer.page(source).await.ok().filter(Fetched::looks_like_html),
            SourcePage::None => None,
        };
        let Some(page) = page else { return (entries, report) };
        let links = self.links_in(page, now).await.unwrap_or_default();
        match threshold::choose(entries.len(), links.len()) {
            Choice::Feed => (entries, report),
            Choice::Html(fallback) => (
                links,
                SourceReport { outcome: SourceOutcome::Html, fallback_reason: Some(fallback.to_string()), ..report },
            ),
        }
    }

    async fn page_links(
        &self,
        source: &Source,
        page: Fetched,
        missing: Option<Missing>,
        now: Timestamp,
    ) -> (Vec<Candidate>, SourceReport) {
        let links = match self.links_in(page, now).await {
            Ok(links) => links,
            Err(error) => return (Vec::new(), failed(source, &missing.unwrap_or_else(|| error.into()))),
        };
        match missing {
            Some(missing) if links.is_empty() => (links, failed(source, &missing)),
            missing => (links, html(source, missing.as_ref())),
        }
    }

    async fn links_in(&self, page: Fetched, now: Timestamp) -> Result<Vec<Candidate>> {
        let pages = Arc::clone(&self.discoverer.pages);
        let max_links = self.max_page_links;
        let links = self.discoverer.cpu.run(move || pages.links(&page.page(), max_links)).await?;
        Ok(entries::from_links(links, now))
    }
}

/// A report that says where the links came from, and nothing else yet.
pub(crate) fn report(source: &Source, outcome: SourceOutcome) -> SourceReport {
    SourceReport {
        url: source.url.redacted(),
        title: source.title.clone(),
        outcome,
        feed_url: None,
        links: 0,
        kept: 0,
        fallback_reason: None,
        error: None,
    }
}

fn failed(source: &Source, missing: &Missing) -> SourceReport {
    SourceReport { error: Some(failure(&missing.error)), ..report(source, SourceOutcome::Failed) }
}

fn html(source: &Source, missing: Option<&Missing>) -> SourceReport {
    let reason = match missing {
        Some(missing) => format!("{}: {}", Fallback::Unavailable, missing.error),
        None => Fallback::NoFeed.to_string(),
    };
    SourceReport { fallback_reason: Some(reason), ..report(source, SourceOutcome::Html) }
}
