//! How a digest comes back from the JSON that the store keeps of it.

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::{Article, LinkVia};
use headwater_domain::synthesis::digest::{
    Counts, Digest, DigestArticle, FailedArticle, Failure, SourceOutcome, SourceReport,
};
use jiff::Timestamp;
use serde::Deserialize;
use url::Url;

/// Reads a digest that [`to_string`](super::json::to_string) wrote. URLs come back as they were shown: without secrets.
pub(crate) fn parse(json: &str) -> serde_json::Result<Digest> {
    serde_json::from_str(json).map(Document::into_digest)
}

#[derive(Deserialize)]
struct Document {
    run_id: String,
    started_at: Timestamp,
    finished_at: Timestamp,
    interrupted: bool,
    topics: Vec<String>,
    sources: Vec<Source>,
    counts: CountsDocument,
    articles: Vec<Kept>,
    failed_articles: Vec<Failed>,
    unmet_topics: Vec<String>,
}

#[derive(Deserialize)]
struct Source {
    url: String,
    title: Option<String>,
    outcome: String,
    feed_url: Option<Url>,
    links: usize,
    kept: usize,
    fallback_reason: Option<String>,
    #[serde(default)]
    unchanged: bool,
    next_attempt_at: Option<Timestamp>,
    error: Option<Failing>,
}

#[derive(Deserialize)]
struct Failing {
    code: ErrorKind,
    message: String,
    hint: Option<String>,
}

#[derive(Deserialize)]
struct CountsDocument {
    links: usize,
    known: usize,
    repeated: usize,
    deferred: usize,
    scraped: usize,
    failed: usize,
    merged: usize,
    classified: usize,
    kept: usize,
}

#[derive(Deserialize)]
struct Kept {
    url: Url,
    source_url: Url,
    #[serde(default)]
    also_in: Vec<String>,
    title: Option<String>,
    published_at: Option<Timestamp>,
    language: Option<String>,
    topic: Option<String>,
    score: f64,
    reason: String,
    found_via: String,
    excerpt: Option<String>,
    content_markdown: Option<String>,
}

#[derive(Deserialize)]
struct Failed {
    url: Url,
    source_url: Url,
    error: Failing,
    attempts: u32,
    retried: bool,
}

impl Document {
    fn into_digest(self) -> Digest {
        let topics = self.topics;
        Digest {
            run_id: self.run_id,
            started_at: self.started_at,
            finished_at: self.finished_at,
            interrupted: self.interrupted,
            sources: self.sources.into_iter().map(Source::into_report).collect(),
            counts: self.counts.into_counts(),
            articles: self.articles.into_iter().map(|kept| kept.into_article(&topics)).collect(),
            failures: self.failed_articles.into_iter().map(Failed::into_article).collect(),
            unmet_topics: self.unmet_topics,
            topics,
        }
    }
}

impl Source {
    fn into_report(self) -> SourceReport {
        let outcomes = [SourceOutcome::Feed, SourceOutcome::Html, SourceOutcome::Skipped];
        let outcome = outcomes.into_iter().find(|known| known.as_str() == self.outcome);
        SourceReport {
            url: self.url,
            title: self.title,
            outcome: outcome.unwrap_or(SourceOutcome::Failed),
            feed_url: self.feed_url.map(PrivateUrl::new),
            links: self.links,
            kept: self.kept,
            fallback_reason: self.fallback_reason,
            unchanged: self.unchanged,
            next_attempt_at: self.next_attempt_at,
            error: self.error.map(Failing::into_failure),
        }
    }
}

impl Failing {
    fn into_failure(self) -> Failure {
        Failure { code: self.code, message: self.message, hint: self.hint }
    }
}

impl CountsDocument {
    fn into_counts(self) -> Counts {
        let Self { links, known, repeated, deferred, scraped, failed, merged, classified, kept } = self;
        Counts { links, known, repeated, deferred, scraped, failed, merged, classified, kept }
    }
}

impl Kept {
    fn into_article(self, topics: &[String]) -> DigestArticle {
        let article = Article {
            url: PrivateUrl::new(self.url),
            source_url: PrivateUrl::new(self.source_url),
            title: self.title.unwrap_or_default(),
            published_at: self.published_at,
            language: self.language,
            found_via: if self.found_via == LinkVia::Html.as_str() { LinkVia::Html } else { LinkVia::Feed },
            excerpt: self.excerpt,
            content_markdown: self.content_markdown.unwrap_or_default(),
        };
        let topic = self.topic.and_then(|name| topics.iter().position(|known| *known == name));
        DigestArticle { article, topic, score: self.score, reason: self.reason, also_in: self.also_in }
    }
}

impl Failed {
    fn into_article(self) -> FailedArticle {
        FailedArticle {
            url: PrivateUrl::new(self.url),
            source_url: PrivateUrl::new(self.source_url),
            failure: self.error.into_failure(),
            attempts: self.attempts,
            retried: self.retried,
        }
    }
}
