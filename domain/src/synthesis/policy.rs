//! How a run of phase 1 behaves: every number that can be configured, with its default.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits;

/// The configuration keys under `run.`, for example `run.max_links`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunPolicy {
    /// New links taken from one source in one run. Default: 20.
    pub max_links: usize,
    /// Fewer distinct usable feed entries than this send a source to its HTML links. Default: 3.
    pub min_feed_entries: usize,
    /// Links looked at in a source's HTML before the known ones are dropped. Default: 100.
    pub max_page_links: usize,
    /// Days for which a discovered feed URL is trusted without asking the site again. Default: 30.
    pub feed_fresh_days: i64,
    /// Announced feeds that are tried before a site counts as one without a feed. Default: 3.
    pub feed_candidates: usize,
    /// Sources that make a wave: articles are judged, and the quotas looked at, after each. Default: 16.
    pub wave_size: usize,
    /// Sources that are read at the same time. Default: 8.
    pub concurrency: usize,
    /// Articles that are fetched at the same time. Default: 8.
    pub scrape_concurrency: usize,
    /// Requests that one host is sent at the same time. Default: 2.
    pub host_concurrency: usize,
    /// Seconds for one feed or source page. Default: 30.
    pub source_timeout_s: u64,
    /// Seconds for one article. Default: 20.
    pub article_timeout_s: u64,
    /// Bytes of one decoded page. Default: 5242880.
    pub max_page_bytes: u64,
    /// Articles kept in one run. Default: no limit.
    pub max_articles: Option<usize>,
    /// Articles of one source kept in one run. Default: 10 where there are topics, else no limit.
    pub max_articles_per_source: Option<usize>,
    /// Articles kept for a topic that names no quota of its own. Default: no limit.
    pub topic_quota: Option<usize>,
    /// The least score, from 0 to 1, with which an article belongs to a topic. Default: 0.3.
    pub min_score: f64,
    /// Days for which an article is recognised by its text wherever else it turns up; 0: within one run only. Default: 30.
    pub near_duplicate_days: u32,
    /// Characters of text from which the feed's own content stands in for a page that cannot be read. Default: 250.
    pub substantial_chars: usize,
    /// Sentences of its own that an article is summed up with. Default: 2.
    pub summary_sentences: usize,
    /// Sentences that sum up a topic with several articles. Default: 3.
    pub overview_sentences: usize,
}

impl RunPolicy {
    /// The time for one feed or source page.
    pub fn source_timeout(&self) -> Duration {
        Duration::from_secs(self.source_timeout_s)
    }

    /// The time for one article.
    pub fn article_timeout(&self) -> Duration {
        Duration::from_secs(self.article_timeout_s)
    }

    /// For how long an article is recognised by its text; none where it is only within a run.
    pub fn near_duplicate_window(&self) -> Option<Duration> {
        let days = u64::from(self.near_duplicate_days);
        (days > 0).then(|| Duration::from_secs(days * 86_400))
    }

    /// How many articles of one source are kept, given whether there are topics to judge them by.
    pub fn source_cap(&self, topics: usize) -> Option<usize> {
        let default = (topics > 0).then_some(DEFAULT_SOURCE_CAP);
        self.max_articles_per_source.or(default)
    }
}

impl Default for RunPolicy {
    fn default() -> Self {
        Self {
            max_links: limits::MAX_LINKS,
            min_feed_entries: limits::MIN_FEED_ENTRIES,
            max_page_links: 100,
            feed_fresh_days: limits::FEED_URL_FRESH_DAYS,
            feed_candidates: 3,
            wave_size: 16,
            concurrency: 8,
            scrape_concurrency: 8,
            host_concurrency: 2,
            source_timeout_s: limits::FETCH_TIMEOUT.as_secs(),
            article_timeout_s: 20,
            max_page_bytes: limits::MAX_PAGE_BYTES,
            max_articles: None,
            max_articles_per_source: None,
            topic_quota: None,
            min_score: 0.3,
            near_duplicate_days: 30,
            substantial_chars: 250,
            summary_sentences: 2,
            overview_sentences: 3,
        }
    }
}

/// Articles of one source in a run with topics: enough to be useful, too few to crowd out the rest.
const DEFAULT_SOURCE_CAP: usize = 10;

#[cfg(test)]
mod tests;
