//! How a digest comes back from the JSON that the store keeps of it.

use std::collections::HashMap;

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::{Article, LinkVia};
use headwater_domain::synthesis::digest::{
    Counts, Digest, DigestArticle, FailedArticle, Failure, SourceOutcome, SourceReport,
};
use headwater_domain::synthesis::model_use::ModelUse;
use headwater_domain::synthesis::summary::{CitedSentence, Overview, Summary, Writer};
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
    #[serde(default)]
    summaries: Vec<SummaryDocument>,
    model: Option<ModelDocument>,
}

#[derive(Deserialize)]
struct SummaryDocument {
    topic: Option<String>,
    written_by: String,
    sentences: Vec<SentenceDocument>,
}

#[derive(Deserialize)]
struct SentenceDocument {
    text: String,
    cites: Vec<Url>,
}

#[derive(Deserialize)]
struct ModelDocument {
    name: String,
    requests: u64,
    cached: u64,
    fallbacks: u64,
    input_tokens: u64,
    output_tokens: u64,
    cost: Option<f64>,
    notes: Vec<String>,
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
    #[serde(default)]
    summary: Vec<SentenceDocument>,
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
        let places = self.articles.iter().enumerate().map(|(place, one)| (one.url.as_str().to_owned(), place));
        let places: HashMap<String, usize> = places.collect();
        let overviews = self.summaries.into_iter().map(|one| one.into_overview(&topics, &places)).collect();
        Digest {
            run_id: self.run_id,
            started_at: self.started_at,
            finished_at: self.finished_at,
            interrupted: self.interrupted,
            sources: self.sources.into_iter().map(Source::into_report).collect(),
            counts: self.counts.into_counts(),
            articles: self.articles.into_iter().map(|kept| kept.into_article(&topics, &places)).collect(),
            failures: self.failed_articles.into_iter().map(Failed::into_article).collect(),
            unmet_topics: self.unmet_topics,
            overviews,
            model: self.model.map(ModelDocument::into_use),
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

impl SummaryDocument {
    fn into_overview(self, topics: &[String], places: &HashMap<String, usize>) -> Overview {
        let is_model = self.written_by == Writer::Model.as_str();
        Overview {
            topic: self.topic.and_then(|name| topics.iter().position(|known| *known == name)),
            written_by: if is_model { Writer::Model } else { Writer::Extract },
            summary: summary(self.sentences, places),
        }
    }
}

impl ModelDocument {
    fn into_use(self) -> ModelUse {
        let Self { name, requests, cached, fallbacks, input_tokens, output_tokens, cost, notes } = self;
        ModelUse { model: name, requests, cached, fallbacks, input_tokens, output_tokens, cost, notes }
    }
}

/// Sentences whose citations are places again.
fn summary(sentences: Vec<SentenceDocument>, places: &HashMap<String, usize>) -> Summary {
    let cited = |one: SentenceDocument| CitedSentence {
        text: one.text,
        cites: one.cites.iter().filter_map(|url| places.get(url.as_str()).copied()).collect(),
    };
    Summary { sentences: sentences.into_iter().map(cited).collect() }
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
    fn into_article(self, topics: &[String], places: &HashMap<String, usize>) -> DigestArticle {
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
        let summary = summary(self.summary, places);
        DigestArticle { article, topic, score: self.score, reason: self.reason, also_in: self.also_in, summary }
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
