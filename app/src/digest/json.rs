//! A digest as the contract's JSON.

use std::io;

use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::digest::{Counts, Digest, DigestArticle, FailedArticle, Failure, SourceReport};
use headwater_domain::synthesis::model_use::ModelUse;
use headwater_domain::synthesis::summary::{Overview, Summary};
use jiff::Timestamp;
use serde::Serialize;

use crate::deliver::Delivered;

/// Writes a digest as one JSON document on one line.
pub(crate) fn write(digest: &Digest, deliveries: &[Delivered], out: &mut dyn io::Write) -> io::Result<()> {
    Ok(serde_json::to_writer(out, &document(digest, deliveries))?)
}

/// A digest as one JSON document on one line, as the store keeps it.
pub(crate) fn to_string(digest: &Digest) -> serde_json::Result<String> {
    let text = |one: &DigestArticle| one.article.content_markdown.len() * 17 / 16 + 2048;
    // A text that grew by doubling would take half as much again, just when the store needs room for its own copy.
    let mut json = Vec::with_capacity(digest.articles.iter().map(text).sum());
    serde_json::to_writer(&mut json, &document(digest, &[]))?;
    Ok(String::from_utf8(json).expect("JSON is UTF-8"))
}

#[derive(Serialize)]
struct Document<'a> {
    run_id: &'a str,
    started_at: Timestamp,
    finished_at: Timestamp,
    interrupted: bool,
    topics: &'a [String],
    sources: Vec<Source<'a>>,
    counts: CountsDocument,
    articles: Vec<Article<'a>>,
    failed_articles: Vec<Failed<'a>>,
    unmet_topics: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summaries: Vec<OverviewDocument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<ModelDocument<'a>>,
    #[serde(skip_serializing_if = "<[Delivered]>::is_empty")]
    deliveries: &'a [Delivered],
    /// Stands there where no source could be read: then the whole run failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorDocument<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_url: Option<&'a PrivateUrl>,
    links: usize,
    kept: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback_reason: Option<&'a str>,
    /// Its feed is as it was the last time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unchanged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_attempt_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorDocument<'a>>,
}

#[derive(Serialize)]
struct ErrorDocument<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

#[derive(Serialize)]
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

#[derive(Serialize)]
struct Article<'a> {
    url: &'a PrivateUrl,
    source_url: &'a PrivateUrl,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    also_in: &'a [String],
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    topic: Option<&'a str>,
    score: f64,
    reason: &'a str,
    found_via: &'static str,
    excerpt: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summary: Vec<Sentence<'a>>,
    content_markdown: Option<&'a str>,
}

/// A sentence with the URLs of the articles that say so.
#[derive(Serialize)]
struct Sentence<'a> {
    text: &'a str,
    cites: Vec<&'a PrivateUrl>,
}

#[derive(Serialize)]
struct OverviewDocument<'a> {
    topic: Option<&'a str>,
    written_by: &'static str,
    sentences: Vec<Sentence<'a>>,
}

#[derive(Serialize)]
struct ModelDocument<'a> {
    name: &'a str,
    requests: u64,
    cached: u64,
    fallbacks: u64,
    input_tokens: u64,
    output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Failed<'a> {
    url: &'a PrivateUrl,
    source_url: &'a PrivateUrl,
    error: ErrorDocument<'a>,
    attempts: u32,
    retried: bool,
}

fn document<'a>(digest: &'a Digest, deliveries: &'a [Delivered]) -> Document<'a> {
    Document {
        run_id: &digest.run_id,
        started_at: digest.started_at,
        finished_at: digest.finished_at,
        interrupted: digest.interrupted,
        topics: &digest.topics,
        sources: digest.sources.iter().map(source).collect(),
        counts: counts(digest.counts),
        articles: digest.articles.iter().map(|one| article(one, digest)).collect(),
        failed_articles: digest.failures.iter().map(failed).collect(),
        unmet_topics: &digest.unmet_topics,
        summaries: digest.overviews.iter().map(|one| overview(one, digest)).collect(),
        model: digest.model.as_ref().map(model),
        deliveries,
        error: digest
            .sources
            .iter()
            .find_map(|source| source.error.as_ref())
            .filter(|_| digest.is_total_failure())
            .map(error),
    }
}

fn source(report: &SourceReport) -> Source<'_> {
    Source {
        url: &report.url,
        title: report.title.as_deref().and_then(filled),
        outcome: report.outcome.as_str(),
        feed_url: report.feed_url.as_ref(),
        links: report.links,
        kept: report.kept,
        fallback_reason: report.fallback_reason.as_deref().and_then(filled),
        unchanged: report.unchanged,
        next_attempt_at: report.next_attempt_at,
        error: report.error.as_ref().map(error),
    }
}

fn error(failure: &Failure) -> ErrorDocument<'_> {
    ErrorDocument {
        code: failure.code.code(),
        message: &failure.message,
        hint: failure.hint.as_deref().and_then(filled),
    }
}

fn counts(counts: Counts) -> CountsDocument {
    let Counts { links, known, repeated, deferred, scraped, failed, merged, classified, kept } = counts;
    CountsDocument { links, known, repeated, deferred, scraped, failed, merged, classified, kept }
}

fn overview<'a>(overview: &'a Overview, digest: &'a Digest) -> OverviewDocument<'a> {
    OverviewDocument {
        topic: overview.topic.and_then(|topic| digest.topics.get(topic)).map(String::as_str),
        written_by: overview.written_by.as_str(),
        sentences: sentences(&overview.summary, digest),
    }
}

fn sentences<'a>(summary: &'a Summary, digest: &'a Digest) -> Vec<Sentence<'a>> {
    let urls = |cites: &[usize]| {
        cites.iter().filter_map(|place| digest.articles.get(*place)).map(|cited| &cited.article.url).collect()
    };
    summary.sentences.iter().map(|one| Sentence { text: &one.text, cites: urls(&one.cites) }).collect()
}

fn model(used: &ModelUse) -> ModelDocument<'_> {
    let ModelUse { model, requests, cached, fallbacks, input_tokens, output_tokens, cost, notes } = used;
    ModelDocument {
        name: model,
        requests: *requests,
        cached: *cached,
        fallbacks: *fallbacks,
        input_tokens: *input_tokens,
        output_tokens: *output_tokens,
        cost: *cost,
        notes,
    }
}

fn article<'a>(kept: &'a DigestArticle, digest: &'a Digest) -> Article<'a> {
    let article = &kept.article;
    Article {
        url: &article.url,
        source_url: &article.source_url,
        also_in: &kept.also_in,
        title: filled(&article.title),
        published_at: article.published_at,
        language: article.language.as_deref().and_then(filled),
        topic: kept.topic.and_then(|topic| digest.topics.get(topic)).map(String::as_str),
        score: (kept.score * 1000.0).round() / 1000.0,
        reason: &kept.reason,
        found_via: article.found_via.as_str(),
        excerpt: article.excerpt.as_deref().and_then(filled),
        summary: sentences(&kept.summary, digest),
        content_markdown: filled(&article.content_markdown),
    }
}

fn failed(article: &FailedArticle) -> Failed<'_> {
    Failed {
        url: &article.url,
        source_url: &article.source_url,
        error: error(&article.failure),
        attempts: article.attempts,
        retried: article.retried,
    }
}

/// A text, unless it is empty: a field without a value is absent or null.
fn filled(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
