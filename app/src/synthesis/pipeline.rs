//! How the stages of a run follow each other, wave by wave.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream;
use headwater_connectors::rss::{FeedReader, ReadLimits};
use headwater_domain::ErrorKind;
use headwater_domain::feed::fetch_state::Occasion;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::digest::{Counts, Digest, DigestArticle, Failure, SourceOutcome, SourceReport};
use headwater_domain::synthesis::history::{ArticleKey, HistoryEntry, MAX_FAILURES};
use headwater_domain::synthesis::near_duplicate::Fingerprint;
use headwater_domain::synthesis::quota::{Limits, Quotas};
use headwater_domain::synthesis::source::Source;
use headwater_domain::synthesis::wave::waves;
use headwater_ports::{FetchLimits, Result};
use jiff::Timestamp;
use tracing::warn;

use super::accumulate::{Accumulated, Accumulator, Earlier};
use super::collect::{Collected, Collector, report};
use super::cpu::Cpu;
use super::discover::Discoverer;
use super::feeds::{Feeds, Remembered};
use super::fetch::{Web, Wish};
use super::scrape::{Scraped, Scraper};
use super::select::{Links, Selector, known};
use super::stop::Stop;
use super::{Order, Ports, Wanted, classify, settle, summarise};
use crate::progress::Progress;

/// Carries out a run and makes its outcome lasting.
///
/// A source or article that fails is reported and does not disturb the others. When `stop` is uttered, what was read
/// until then is judged, settled and given back, and the digest says that it was interrupted.
///
/// # Errors
/// Those of the store, and of the classifier; then nothing is settled, and the next run starts where this one did.
pub(crate) async fn run(ports: &Ports, order: &Order, progress: &dyn Progress, stop: &Stop) -> Result<Digest> {
    let mut run = Run::new(ports, order, progress, stop);
    // What a run before used, and did not tell since it failed, is not this run's.
    ports.meter.iter().for_each(|meter| drop(meter.take()));
    progress.on_start(order.sources.len());
    for wave in waves(order.sources.clone(), order.policy.wave_size, Wanted::is_preferred) {
        run.wave(wave).await?;
    }
    let outcome = run.finish().await;
    progress.on_end();
    outcome
}

/// A run under way.
struct Run<'a> {
    ports: &'a Ports,
    order: &'a Order,
    progress: &'a dyn Progress,
    stop: &'a Stop,
    started_at: Timestamp,
    collector: Collector,
    scraper: Scraper,
    selector: Selector,
    accumulator: Accumulator,
    /// Of the links only; the rest is counted by the accumulator.
    counts: Counts,
    reports: Vec<SourceReport>,
    urls: Vec<Option<PrivateUrl>>,
    /// What was read of feeds, with the number of the source: made lasting once its articles are.
    memories: Vec<(usize, Remembered)>,
    /// Articles that the next run is to come back to, with the number of their source.
    undone: BTreeMap<ArticleKey, usize>,
}

impl<'a> Run<'a> {
    fn new(ports: &'a Ports, order: &'a Order, progress: &'a dyn Progress, stop: &'a Stop) -> Self {
        let (collector, scraper) = stages(ports, order);
        Self {
            ports,
            order,
            progress,
            stop,
            started_at: ports.clock.now(),
            collector,
            scraper,
            selector: Selector::default(),
            accumulator: Accumulator::new(Quotas::new(limits(order))),
            counts: Counts::default(),
            reports: Vec::new(),
            urls: Vec::new(),
            memories: Vec::new(),
            undone: BTreeMap::new(),
        }
    }

    /// Reads one wave of sources and their articles, judges them and keeps what finds room.
    async fn wave(&mut self, wave: Vec<Wanted>) -> Result<()> {
        if self.accumulator.is_complete() {
            self.skip(wave);
            return Ok(());
        }
        let links = self.read_sources(wave).await;
        let history = (self.ports.articles.as_ref(), &self.order.tenant);
        let selected = self.selector.select(links, self.order.policy.max_links, history, &mut self.counts).await?;
        for links in &selected {
            self.undone.extend(links.candidates.iter().map(|candidate| (candidate.key.clone(), links.source)));
        }
        let articles = selected.iter().map(|links| links.candidates.len()).sum::<usize>();
        self.progress.on_articles(articles);
        let urls = &self.urls;
        let source_url = |source: usize| urls[source].clone().expect("only a source with a URL has links");
        let scraped = self.scraper.scrape(selected, source_url, self.stop, self.progress).await;
        self.counts.deferred += articles - scraped.len();
        for done in scraped.iter().filter(|one| one.outcome.is_ok() || one.failures + 1 >= MAX_FAILURES) {
            self.undone.remove(&done.key);
        }
        self.judge(scraped).await
    }

    async fn judge(&mut self, scraped: Vec<Scraped>) -> Result<()> {
        let other_keys: Vec<ArticleKey> = scraped
            .iter()
            .filter_map(|one| one.outcome.as_ref().ok())
            .flat_map(|read| read.other_keys.clone())
            .collect();
        let known = known(&other_keys, (self.ports.articles.as_ref(), &self.order.tenant)).await?;
        let earlier = Earlier::new(known, self.near(&scraped).await?);
        let (fresh, articles) = self.accumulator.on_wave(scraped, &earlier, self.ports.clock.now());
        let topics = &self.order.topics;
        let verdicts = classify::judge(self.ports.classifier.as_ref(), &articles, topics).await?;
        self.accumulator.on_verdicts(fresh, articles, verdicts, !topics.is_empty());
        Ok(())
    }

    /// What earlier runs judged, not too long ago, that has nearly the same text as one of these.
    async fn near(&self, scraped: &[Scraped]) -> Result<Vec<HistoryEntry>> {
        let read = scraped.iter().filter_map(|one| one.outcome.as_ref().ok());
        let prints: Vec<Fingerprint> = read.filter_map(|reading| reading.fingerprint).collect();
        let window = self.order.policy.near_duplicate_window();
        let Some(since) = window.and_then(|window| self.started_at.checked_sub(window).ok()) else {
            return Ok(Vec::new());
        };
        if prints.is_empty() {
            return Ok(Vec::new());
        }
        self.ports.articles.near(&self.order.tenant, &prints, since).await
    }

    /// Reads the sources of a wave at the same time, and gives their links in source order.
    async fn read_sources(&mut self, wave: Vec<Wanted>) -> Vec<Links> {
        let now = self.ports.clock.now();
        let mut collected = self.collect(&wave, now).await;
        let mut links = Vec::new();
        let mut lasting = Vec::new();
        for (place, wanted) in wave.into_iter().enumerate() {
            let number = self.reports.len();
            match wanted {
                Wanted::Unusable { text, failure } => {
                    self.report(unusable(text, failure), None);
                }
                Wanted::Source(source) => match collected.remove(&place) {
                    Some(Collected { candidates, report, action, memories }) => {
                        let (read, other): (Vec<_>, Vec<_>) = memories.into_iter().partition(|one| one.was_read);
                        self.memories.extend(read.into_iter().map(|one| (number, one)));
                        lasting.extend(other);
                        self.remember(&source, action.change(source.feed.as_ref())).await;
                        self.reports.push(report);
                        self.urls.push(Some(source.url));
                        links.push(Links { source: number, candidates });
                    }
                    None => self.report(interrupted(&source), Some(source.url)),
                },
            }
        }
        // A host that asked to be left alone is, even if this run comes to nothing.
        self.collector.discoverer.feeds.remember(lasting).await;
        links
    }

    /// Collects the links of each source of a wave, by its place; those not reached before the stop are missing.
    async fn collect(&self, wave: &[Wanted], now: Timestamp) -> BTreeMap<usize, Collected> {
        let sources = wave.iter().enumerate().filter_map(|(place, wanted)| match wanted {
            Wanted::Source(source) => Some((place, source)),
            Wanted::Unusable { .. } => None,
        });
        let collect = async |(place, source): (usize, &Source)| {
            let by_hand = self.order.by_hand.contains(&source.id);
            let occasion = if by_hand { Occasion::ByHand } else { Occasion::Round };
            (place, self.collector.collect(source, occasion, now).await)
        };
        let mut running = stream::iter(sources).map(collect).buffer_unordered(self.order.policy.concurrency.max(1));
        let mut collected = BTreeMap::new();
        loop {
            tokio::select! {
                biased;
                () = self.stop.requested() => break,
                next = running.next() => match next {
                    Some((place, one)) => {
                        self.progress.on_source(&one.report);
                        collected.insert(place, one);
                    }
                    None => break,
                },
            }
        }
        collected
    }

    /// Stores where a source's feed is. A store that cannot do so costs the next run a request or two, no more.
    async fn remember(
        &self,
        source: &Source,
        change: Option<Option<headwater_domain::synthesis::source::FeedLocation>>,
    ) {
        let Some(new) = change else { return };
        let sources = &self.ports.sources;
        let stored =
            sources.update_source_rss(&self.order.tenant, &source.id, source.feed.as_ref(), new.as_ref()).await;
        if let Err(error) = stored {
            warn!(source.id = %source.id.0, %error, "could not store where the feed is");
        }
    }

    fn report(&mut self, report: SourceReport, url: Option<PrivateUrl>) {
        self.progress.on_source(&report);
        self.reports.push(report);
        self.urls.push(url);
    }

    /// Names the sources that are not read, since all that was asked for was found.
    fn skip(&mut self, wave: Vec<Wanted>) {
        for wanted in wave {
            match wanted {
                Wanted::Unusable { text, failure } => self.report(unusable(text, failure), None),
                Wanted::Source(source) => {
                    let reason = "every topic has its quota".to_owned();
                    let report = report(&source, SourceOutcome::Skipped);
                    self.report(SourceReport { fallback_reason: Some(reason), ..report }, Some(source.url));
                }
            }
        }
    }

    async fn finish(self) -> Result<Digest> {
        let undone = self.undone();
        let Accumulated { kept, failures, history, counts, unmet } = self.accumulator.finish();
        let mut reports = self.reports;
        let mut memories = self.memories;
        revisit(&mut memories, &mut reports, &undone);
        let mut articles = Vec::with_capacity(kept.len());
        for (article, mut others) in kept {
            reports[article.source].kept += 1;
            others.extend(self.selector.also_in(&article.key));
            others.remove(&article.source);
            let also_in = others.iter().map(|source| reports[*source].url.clone()).collect();
            articles.push(DigestArticle { also_in, ..article.article });
        }
        let Counts { links, known, repeated, deferred, .. } = self.counts;
        let topics: Vec<String> = self.order.topics.iter().map(|topic| topic.name.clone()).collect();
        let mut digest = Digest {
            run_id: self.order.run_id.clone(),
            started_at: self.started_at,
            finished_at: self.started_at,
            interrupted: self.stop.is_requested(),
            unmet_topics: unmet.into_iter().filter_map(|topic| topics.get(topic).cloned()).collect(),
            topics,
            sources: reports,
            counts: Counts { links, known, repeated, deferred, ..counts },
            articles,
            failures,
            overviews: Vec::new(),
            model: None,
        };
        digest.sort_articles();
        summarise::summarise(self.ports.summariser.as_ref(), &mut digest).await;
        digest.model = self.ports.meter.as_ref().map(|meter| meter.take());
        digest.finished_at = self.ports.clock.now();
        // Before the run is settled: a crash after that must leave the digest owed.
        let deliveries = &self.ports.deliveries;
        deliveries.owe(&self.order.tenant, &digest.run_id, &self.order.sinks, digest.finished_at).await?;
        settle::settle(self.ports.articles.as_ref(), &self.order.tenant, &mut digest, &history).await?;
        // Only now: were the run to end between the two, the feeds would be asked for nothing but what came since.
        self.collector.discoverer.feeds.remember(memories.into_iter().map(|(_, one)| one).collect()).await;
        Ok(digest)
    }

    /// The sources of which something is left for the next run.
    fn undone(&self) -> BTreeSet<usize> {
        let cut = self.selector.cut().iter().copied();
        let left = self.undone.iter().flat_map(|(key, source)| self.selector.also_in(key).iter().chain([source]));
        cut.chain(left.copied()).collect()
    }
}

/// Has the feeds of sources of which something is left asked for all that they hold, whether or not it changed.
fn revisit(memories: &mut [(usize, Remembered)], reports: &mut [SourceReport], undone: &BTreeSet<usize>) {
    for (source, remembered) in memories.iter_mut().filter(|(source, _)| undone.contains(source)) {
        remembered.memory.state.revisit();
        reports[*source].next_attempt_at = None;
    }
}

fn stages(ports: &Ports, order: &Order) -> (Collector, Scraper) {
    let policy = &order.policy;
    let web = Web::new(Arc::clone(&ports.fetcher), policy.host_concurrency);
    let cpu = Cpu::new();
    let limits = ReadLimits::default();
    let limits = ReadLimits { fetch: FetchLimits { timeout: policy.source_timeout(), ..limits.fetch }, ..limits };
    let (parser, clock) = (Arc::clone(&ports.parser), Arc::clone(&ports.clock));
    let reader = FeedReader::new(Arc::clone(&ports.fetcher), parser, clock, order.reader.clone()).with_limits(limits);
    let feeds = Feeds {
        reader: Arc::new(reader),
        web: web.clone(),
        store: Arc::clone(&ports.feeds),
        tenant: order.tenant.clone(),
    };
    let discoverer = Discoverer {
        web: web.clone(),
        feeds,
        parser: Arc::clone(&ports.parser),
        pages: Arc::clone(&ports.pages),
        cpu: cpu.clone(),
        wish: Wish::source(policy.source_timeout()),
        fresh_days: policy.feed_fresh_days,
        candidates: policy.feed_candidates,
    };
    let collector = Collector {
        discoverer,
        min_entries: policy.min_feed_entries,
        max_page_links: policy.max_page_links.max(policy.max_links),
    };
    let scraper = Scraper {
        web,
        pages: Arc::clone(&ports.pages),
        sanitiser: Arc::clone(&ports.sanitiser),
        cpu,
        wish: Wish::article(policy.article_timeout(), policy.max_page_bytes),
        at_once: policy.scrape_concurrency,
        substantial_chars: policy.substantial_chars,
    };
    (collector, scraper)
}

fn limits(order: &Order) -> Limits {
    let policy = &order.policy;
    Limits {
        topics: order.topics.iter().map(|topic| topic.quota.or(policy.topic_quota)).collect(),
        source: policy.source_cap(order.topics.len()),
        run: policy.max_articles,
    }
}

fn unusable(text: String, failure: Failure) -> SourceReport {
    SourceReport {
        url: text,
        title: None,
        outcome: SourceOutcome::Failed,
        feed_url: None,
        links: 0,
        kept: 0,
        fallback_reason: None,
        unchanged: false,
        next_attempt_at: None,
        error: Some(failure),
    }
}

fn interrupted(source: &Source) -> SourceReport {
    let message = "the run was stopped before this source was read".to_owned();
    let hint = Some("the next run reads it".to_owned());
    let error = Failure { code: ErrorKind::Interrupted, message, hint };
    SourceReport { error: Some(error), ..report(source, SourceOutcome::Failed) }
}

#[cfg(test)]
mod tests;
