//! What a run of phase 1 brought together, as plain data: articles, counts, and what became of each source.

use jiff::Timestamp;

use super::article::Article;
use super::model_use::ModelUse;
use super::summary::{Overview, Summary};
use crate::ErrorKind;
use crate::secret::PrivateUrl;

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    /// A UUID as text; later runs sort after earlier ones.
    pub run_id: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// It was stopped before its end; what was done until then is here.
    pub interrupted: bool,
    /// The names of the topics, in their order; empty where everything new is kept.
    pub topics: Vec<String>,
    /// What became of each source, in the order in which they were read.
    pub sources: Vec<SourceReport>,
    /// How many of everything.
    pub counts: Counts,
    /// What was kept: by topic, best first.
    pub articles: Vec<DigestArticle>,
    /// What could not be read, in source order.
    pub failures: Vec<FailedArticle>,
    /// The topics that found fewer articles than were asked for, or none.
    pub unmet_topics: Vec<String>,
    /// What the articles of a topic say together, in the order of the topics.
    pub overviews: Vec<Overview>,
    /// What a language model was used for; none: there is no model.
    pub model: Option<ModelUse>,
}

/// How many of everything. `links` = `known` + `repeated` + `deferred` + `scraped` + `failed`, and `scraped` = `merged` +
/// `classified`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Distinct links that each source gave.
    pub links: usize,
    /// Of these, settled in earlier runs.
    pub known: usize,
    /// Of these, given by an earlier source of the run too.
    pub repeated: usize,
    /// Of these, left for the next run: over `max_links`, or the run ended first.
    pub deferred: usize,
    /// Of these, read.
    pub scraped: usize,
    /// Of these, not readable.
    pub failed: usize,
    /// Read, and found to be an article that is known or stands in the digest already.
    pub merged: usize,
    /// Read and judged.
    pub classified: usize,
    /// Kept.
    pub kept: usize,
}

/// What became of one source.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceReport {
    /// The source, redacted; or the text that is no URL.
    pub url: String,
    /// What the user calls it.
    pub title: Option<String>,
    /// Where its links came from.
    pub outcome: SourceOutcome,
    /// Its feed, where one was found.
    pub feed_url: Option<PrivateUrl>,
    /// Distinct links that it gave.
    pub links: usize,
    /// Articles of it that were kept.
    pub kept: usize,
    /// Why its links came from the HTML, or why it was not read.
    pub fallback_reason: Option<String>,
    /// Its feed said that it is as it was the last time.
    pub unchanged: bool,
    /// When it is asked again, where that is known; without it: in the next run.
    pub next_attempt_at: Option<Timestamp>,
    /// Why it failed.
    pub error: Option<Failure>,
}

/// Where a source's links came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceOutcome {
    /// From its feed.
    Feed,
    /// From its HTML.
    Html,
    /// From nowhere.
    Failed,
    /// It was not read: it is not due, it is to be left alone, or all that was asked for was found before.
    Skipped,
}

/// A failure, as users and programs see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The stable kind.
    pub code: ErrorKind,
    /// For people; without secrets.
    pub message: String,
    /// What the user can do next.
    pub hint: Option<String>,
}

/// An article of the digest.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestArticle {
    /// The article.
    pub article: Article,
    /// The index of its topic; none where there are no topics.
    pub topic: Option<usize>,
    /// How well it fits, from 0 to 1.
    pub score: f64,
    /// Why it was kept.
    pub reason: String,
    /// Other sources that carry it, redacted, in source order.
    pub also_in: Vec<String>,
    /// What it says, in sentences of its own.
    pub summary: Summary,
}

/// An article that could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedArticle {
    /// Where it is.
    pub url: PrivateUrl,
    /// The source that led to it.
    pub source_url: PrivateUrl,
    /// What went wrong.
    pub failure: Failure,
    /// How often it was tried, this time included.
    pub attempts: u32,
    /// Whether the next run tries it again.
    pub retried: bool,
}

impl Digest {
    /// The sources that failed.
    pub fn failed_sources(&self) -> usize {
        self.sources.iter().filter(|source| source.outcome == SourceOutcome::Failed).count()
    }

    /// Whether no source could be read at all.
    pub fn is_total_failure(&self) -> bool {
        !self.sources.is_empty() && self.failed_sources() == self.sources.len()
    }

    /// Lets go of the articles that do not fit, and of the sentences that cite nothing else.
    pub fn retain_articles(&mut self, fits: impl Fn(&DigestArticle) -> bool) {
        let stays: Vec<bool> = self.articles.iter().map(fits).collect();
        let mut next = 0;
        let places: Vec<Option<usize>> = stays
            .iter()
            .map(|stays| {
                let place = stays.then_some(next);
                next += usize::from(*stays);
                place
            })
            .collect();
        let mut stay = stays.into_iter();
        self.articles.retain(|_| stay.next().unwrap_or(true));
        let own = self.articles.iter_mut().map(|article| &mut article.summary);
        for summary in own.chain(self.overviews.iter_mut().map(|overview| &mut overview.summary)) {
            for sentence in &mut summary.sentences {
                sentence.cites = sentence.cites.iter().filter_map(|place| *places.get(*place)?).collect();
            }
            summary.sentences.retain(|sentence| !sentence.cites.is_empty());
        }
        self.overviews.retain(|overview| !overview.summary.sentences.is_empty());
    }

    /// Puts the articles in the order in which they are shown: by topic, then by score, then newest first.
    ///
    /// What ties stays as it was, in source order.
    pub fn sort_articles(&mut self) {
        self.articles.sort_by(|a, b| {
            let topic = a.topic.unwrap_or(usize::MAX).cmp(&b.topic.unwrap_or(usize::MAX));
            let newest = b.article.published_at.cmp(&a.article.published_at);
            topic.then(b.score.total_cmp(&a.score)).then(newest)
        });
    }
}

impl SourceOutcome {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Html => "html",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

#[cfg(test)]
mod tests;
