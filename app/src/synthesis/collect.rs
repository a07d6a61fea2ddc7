//! Which links a source gives: its feed's entries, or the links of its page.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::feed::FeedDocument;
use headwater_domain::feed::fetch_state::Occasion;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::candidate::Candidate;
use headwater_domain::synthesis::digest::{SourceOutcome, SourceReport};
use headwater_domain::synthesis::entries;
use headwater_domain::synthesis::rss_first::CacheAction;
use headwater_domain::synthesis::source::Source;
use headwater_domain::synthesis::threshold::{self, Choice, Fallback};
use headwater_ports::{Error, Result};
use jiff::Timestamp;

use super::discover::{Discoverer, Discovery, Found, SourcePage};
use super::failure;
use super::feeds::Remembered;
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
    /// What is to be remembered of its feeds.
    pub(crate) memories: Vec<Remembered>,
}

impl Collector {
    /// Reads a source. It never fails: a source that cannot be read is reported so.
    pub(crate) async fn collect(&self, source: &Source, occasion: Occasion, now: Timestamp) -> Collected {
        let Discovery { found, action, mut memories } = self.discoverer.discover(source, occasion, now).await;
        // A feed that says nothing for itself is no place to ask whether there is something new.
        let mut suffices = true;
        let (candidates, report) = match found {
            Found::Feed { url, document, page } => {
                let (candidates, report, sufficient) = self.feed_links(source, url, document, page, now).await;
                suffices = sufficient;
                (candidates, report)
            }
            Found::Unchanged(url) => (Vec::new(), unchanged(source, url)),
            Found::Page(page, missing) => self.page_links(source, *page, missing, now).await,
            Found::Nothing(missing) => (Vec::new(), failed(source, missing)),
        };
        if !suffices {
            memories.iter_mut().filter(|one| one.was_read).for_each(|one| one.memory.state.revisit());
        }
        let known = report.next_attempt_at;
        let next_attempt_at = known.or_else(|| memories.last().and_then(|one| one.memory.state.next_attempt_at()));
        let report = SourceReport { links: candidates.len(), next_attempt_at, ..report };
        Collected { candidates, report, action, memories }
    }

    async fn feed_links(
        &self,
        source: &Source,
        url: PrivateUrl,
        document: Box<FeedDocument>,
        page: SourcePage,
        now: Timestamp,
    ) -> (Vec<Candidate>, SourceReport, bool) {
        let entries = entries::from_feed(*document, now);
        let report = SourceReport { feed_url: Some(url), ..report(source, SourceOutcome::Feed) };
        if threshold::suffices(entries.len(), self.min_entries) || matches!(page, SourcePage::None) {
            return (entries, report, true);
        }
        let page = match page {
            SourcePage::Read(page) => Some(*page),
            SourcePage::Unread => self.discoverer.page(source).await.ok().filter(Fetched::looks_like_html),
            SourcePage::None => None,
        };
        let Some(page) = page else { return (entries, report, false) };
        let links = self.links_in(page, now).await.unwrap_or_default();
        match threshold::choose(entries.len(), links.len()) {
            Choice::Feed => (entries, report, false),
            Choice::Html(fallback) => {
                let reason = Some(fallback.to_string());
                (links, SourceReport { outcome: SourceOutcome::Html, fallback_reason: reason, ..report }, false)
            }
        }
    }

    async fn page_links(
        &self,
        source: &Source,
        page: Fetched,
        missing: Option<Missing>,
        now: Timestamp,
    ) -> (Vec<Candidate>, SourceReport) {
        let is_cut = page.body_cut;
        let links = match self.links_in(page, now).await {
            Ok(links) => links,
            Err(error) => return (Vec::new(), failed(source, missing.unwrap_or_else(|| error.into()))),
        };
        match missing {
            Some(missing) if links.is_empty() => (links, failed(source, missing)),
            None if links.is_empty() && is_cut => (links, failed(source, broken_off().into())),
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
        unchanged: false,
        next_attempt_at: None,
        error: None,
    }
}

/// A source whose feed said that nothing is new.
fn unchanged(source: &Source, feed_url: PrivateUrl) -> SourceReport {
    SourceReport { feed_url: Some(feed_url), unchanged: true, ..report(source, SourceOutcome::Feed) }
}

/// A source that gave nothing: it failed, or it is to be left alone for a while, which is no failure.
fn failed(source: &Source, missing: Missing) -> SourceReport {
    let Missing { error, wait, next_attempt_at, .. } = missing;
    let asked_for_less = error.kind == ErrorKind::Throttled;
    let reason = wait.map(|wait| wait.reason).or_else(|| asked_for_less.then(|| error.to_string()));
    match reason {
        Some(reason) => {
            SourceReport { fallback_reason: Some(reason), next_attempt_at, ..report(source, SourceOutcome::Skipped) }
        }
        None => SourceReport { error: Some(failure(&error)), next_attempt_at, ..report(source, SourceOutcome::Failed) },
    }
}

fn broken_off() -> Error {
    Error::new(ErrorKind::Connect, "read the page", "the transfer of the page broke off before its first link")
}

fn html(source: &Source, missing: Option<&Missing>) -> SourceReport {
    let reason = match missing {
        Some(Missing { wait: Some(wait), .. }) => format!("{}: {}", Fallback::Unavailable, wait.reason),
        Some(missing) => format!("{}: {}", Fallback::Unavailable, missing.error),
        None => Fallback::NoFeed.to_string(),
    };
    let next_attempt_at = missing.and_then(|missing| missing.next_attempt_at);
    SourceReport { fallback_reason: Some(reason), next_attempt_at, ..report(source, SourceOutcome::Html) }
}
