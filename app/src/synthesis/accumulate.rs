//! What is kept of what was read, wave after wave, and what history is told of the rest.

use std::collections::{BTreeMap, BTreeSet};

use headwater_domain::synthesis::article::Article;
use headwater_domain::synthesis::digest::{Counts, DigestArticle, FailedArticle};
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, MAX_FAILURES};
use headwater_domain::synthesis::near_duplicate::{Fingerprint, Fingerprints};
use headwater_domain::synthesis::quota::{Admission, Contender, Quotas};
use headwater_domain::synthesis::summary::Summary;
use headwater_domain::synthesis::topic::Verdict;
use headwater_domain::synthesis::words::words;
use jiff::Timestamp;

use super::failure;
use super::scrape::{Reading, Scraped};

/// Brings the waves together.
///
/// A wave goes in with [`on_wave`](Self::on_wave), which gives the articles to be judged, and then with
/// [`on_verdicts`](Self::on_verdicts). Only what is kept stays in memory.
#[derive(Debug)]
pub(crate) struct Accumulator {
    quotas: Quotas,
    groups: Vec<Group>,
    by_key: BTreeMap<ArticleKey, usize>,
    prints: Fingerprints,
    kept: Vec<Kept>,
    failures: Vec<FailedArticle>,
    history: Vec<HistoryEntry>,
    counts: Counts,
}

/// An article with all that turned out to be copies of it.
#[derive(Debug)]
struct Group {
    title: Vec<String>,
    entries: Vec<HistoryEntry>,
    fate: Fate,
    sources: BTreeSet<usize>,
}

/// An article that is kept.
#[derive(Debug)]
pub(crate) struct Kept {
    /// By what it is known.
    pub(crate) key: ArticleKey,
    /// The number of its source.
    pub(crate) source: usize,
    /// The article; the other sources are not named yet.
    pub(crate) article: DigestArticle,
    group: usize,
}

/// What earlier runs know of the articles of a wave.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// By the articles' other keys.
    pub(crate) known: BTreeMap<ArticleKey, HistoryEntry>,
    near: Vec<HistoryEntry>,
    prints: Fingerprints,
}

/// An article that is to be judged.
#[derive(Debug)]
pub(crate) struct Fresh {
    key: ArticleKey,
    source: usize,
    group: usize,
}

/// All that a run brought together.
#[derive(Debug)]
pub(crate) struct Accumulated {
    /// What is kept, in the order of the waves, with the numbers of the other sources that carry each.
    pub(crate) kept: Vec<(Kept, BTreeSet<usize>)>,
    /// What could not be read.
    pub(crate) failures: Vec<FailedArticle>,
    /// What history is told.
    pub(crate) history: Vec<HistoryEntry>,
    /// How many were read, failed, merged, judged and kept.
    pub(crate) counts: Counts,
    /// The topics that found too little.
    pub(crate) unmet: Vec<usize>,
}

impl Earlier {
    /// Puts together what is known by key and what has nearly the same text.
    pub(crate) fn new(known: BTreeMap<ArticleKey, HistoryEntry>, near: Vec<HistoryEntry>) -> Self {
        let mut prints = Fingerprints::default();
        let each = near.iter().enumerate().filter_map(|(number, entry)| Some((entry.fingerprint?, number)));
        each.for_each(|(print, number)| prints.add(print, number));
        Self { known, near, prints }
    }

    fn copy_of(&self, print: Fingerprint) -> Option<&HistoryEntry> {
        self.prints.find(print).map(|number| &self.near[number])
    }
}

impl Accumulator {
    /// Nothing was read yet.
    pub(crate) fn new(quotas: Quotas) -> Self {
        Self {
            quotas,
            groups: Vec::new(),
            by_key: BTreeMap::new(),
            prints: Fingerprints::default(),
            kept: Vec::new(),
            failures: Vec::new(),
            history: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Takes what was read of a wave. Failures and copies are settled here; the rest is given back, to be judged.
    ///
    pub(crate) fn on_wave(
        &mut self,
        wave: Vec<Scraped>,
        earlier: &Earlier,
        now: Timestamp,
    ) -> (Vec<Fresh>, Vec<Article>) {
        let (mut fresh, mut articles) = (Vec::new(), Vec::new());
        for scraped in wave {
            let Scraped { source, key, url, source_url, failures, outcome } = scraped;
            match outcome {
                Err(error) => self.on_failure(
                    FailedArticle {
                        url,
                        source_url,
                        failure: failure(&error),
                        attempts: failures + 1,
                        retried: failures + 1 < MAX_FAILURES,
                    },
                    key,
                    now,
                ),
                Ok(reading) => {
                    self.counts.scraped += 1;
                    if let Some(group) = self.group(source, &key, &reading, earlier, now) {
                        fresh.push(Fresh { key, source, group });
                        articles.push(reading.article);
                    }
                }
            }
        }
        (fresh, articles)
    }

    /// Takes the verdicts on what the wave gave, in the same order, and keeps what finds room.
    pub(crate) fn on_verdicts(
        &mut self,
        fresh: Vec<Fresh>,
        articles: Vec<Article>,
        verdicts: Vec<Verdict>,
        has_topics: bool,
    ) {
        self.counts.classified += fresh.len();
        let fits = |verdict: &Verdict| !has_topics || verdict.topic.is_some();
        let judged = fresh.into_iter().zip(articles).zip(verdicts);
        let fitting: Vec<_> = judged.filter(|(_, verdict)| fits(verdict)).collect();
        let contenders: Vec<Contender> = fitting
            .iter()
            .map(|((fresh, article), verdict)| Contender {
                topic: verdict.topic.unwrap_or(0),
                source: fresh.source,
                score: verdict.score,
                published_at: article.published_at,
            })
            .collect();
        let admissions = self.quotas.admit(&contenders);
        for (((fresh, article), verdict), admission) in fitting.into_iter().zip(admissions) {
            if admission == Admission::Kept {
                self.keep(fresh, article, verdict);
            }
        }
    }

    /// Whether no further wave is needed.
    pub(crate) fn is_complete(&self) -> bool {
        self.quotas.are_met()
    }

    /// Ends the run.
    pub(crate) fn finish(mut self) -> Accumulated {
        let mut kept = Vec::with_capacity(self.kept.len());
        for article in std::mem::take(&mut self.kept) {
            let mut sources = std::mem::take(&mut self.groups[article.group].sources);
            sources.remove(&article.source);
            kept.push((article, sources));
        }
        for group in self.groups {
            self.history.extend(group.entries.into_iter().map(|entry| HistoryEntry { fate: group.fate, ..entry }));
        }
        Accumulated {
            kept,
            failures: self.failures,
            history: self.history,
            counts: self.counts,
            unmet: self.quotas.unmet(),
        }
    }

    fn on_failure(&mut self, failed: FailedArticle, key: ArticleKey, now: Timestamp) {
        self.counts.failed += 1;
        self.history.push(HistoryEntry {
            key,
            url: failed.url.redacted(),
            title: None,
            source_url: failed.source_url.redacted(),
            fate: Fate::Failed,
            failures: failed.attempts,
            seen_at: now,
            fingerprint: None,
        });
        self.failures.push(failed);
    }

    /// Puts an article among its copies; gives the number of its group where it is the first of its kind.
    fn group(
        &mut self,
        source: usize,
        key: &ArticleKey,
        reading: &Reading,
        earlier: &Earlier,
        now: Timestamp,
    ) -> Option<usize> {
        let title = words(&reading.article.title);
        let entries = entries(key, reading, now);
        let keys = || std::iter::once(key).chain(&reading.other_keys);
        let same_title = |entry: &HistoryEntry| entry.title.as_deref().is_none_or(|known| words(known) == title);
        let known = keys().filter_map(|key| earlier.known.get(key));
        let settled = known.into_iter().find(|entry| entry.is_settled() && same_title(entry));
        let settled = settled.or_else(|| earlier.copy_of(reading.fingerprint?));
        if let Some(settled) = settled {
            self.counts.merged += 1;
            self.history.extend(entries.into_iter().map(|entry| HistoryEntry { fate: settled.fate, ..entry }));
            return None;
        }
        let by_key = keys().filter_map(|key| self.by_key.get(key)).find(|group| self.groups[**group].title == title);
        let copy_of = by_key.copied().or_else(|| reading.fingerprint.and_then(|print| self.prints.find(print)));
        let number = copy_of.unwrap_or(self.groups.len());
        for key in keys() {
            self.by_key.entry(key.clone()).or_insert(number);
        }
        if let Some(group) = copy_of {
            self.counts.merged += 1;
            self.groups[group].sources.insert(source);
            self.groups[group].entries.extend(entries);
            return None;
        }
        if let Some(print) = reading.fingerprint {
            self.prints.add(print, number);
        }
        self.groups.push(Group { title, entries, fate: Fate::Rejected, sources: BTreeSet::from([source]) });
        Some(number)
    }

    fn keep(&mut self, fresh: Fresh, article: Article, verdict: Verdict) {
        self.counts.kept += 1;
        self.groups[fresh.group].fate = Fate::Kept;
        let Verdict { topic, score, reason } = verdict;
        let summary = Summary::default();
        let article = DigestArticle { article, topic, score, reason, also_in: Vec::new(), summary };
        self.kept.push(Kept { key: fresh.key, source: fresh.source, article, group: fresh.group });
    }
}

/// What history is told of an article that was read: an entry for each of its keys. Its fate is not known yet.
fn entries(key: &ArticleKey, reading: &Reading, now: Timestamp) -> Vec<HistoryEntry> {
    let entry = |key: &ArticleKey| HistoryEntry {
        key: key.clone(),
        url: reading.article.url.redacted(),
        title: Some(reading.article.title.clone()),
        source_url: reading.article.source_url.redacted(),
        fate: Fate::Rejected,
        failures: 0,
        seen_at: now,
        fingerprint: reading.fingerprint,
    };
    std::iter::once(key).chain(&reading.other_keys).map(entry).collect()
}

#[cfg(test)]
mod tests;
