//! The phrases that all forms of a digest share: dates, counts, what became of a source.

use headwater_domain::synthesis::article::{Article, LinkVia};
use headwater_domain::synthesis::digest::{Digest, DigestArticle, FailedArticle, SourceOutcome, SourceReport};
use headwater_domain::synthesis::summary::CitedSentence;
use jiff::Timestamp;

/// The day, for example `30 November 2026`.
pub(super) fn day(at: Timestamp) -> String {
    at.strftime("%-d %B %Y").to_string()
}

/// The minute, for example `30 November 2026, 19:41 UTC`.
pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%-d %B %Y, %H:%M UTC").to_string()
}

/// So many of a thing: `1 article`, `2 articles`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What the run brought, in one sentence.
pub(crate) fn summary(digest: &Digest) -> String {
    let sources = count(digest.sources.len(), "source", "sources");
    match digest.articles.len() {
        0 => format!("Nothing new from {sources}."),
        articles => format!("{} from {sources}.", count(articles, "new article", "new articles")),
    }
}

/// The topics that found too little; none is named where nothing was new at all, since that is said already.
pub(super) fn unmet_topics(digest: &Digest) -> Option<String> {
    let named = !digest.articles.is_empty() && !digest.unmet_topics.is_empty();
    named.then(|| format!("Too little was found for: {}", digest.unmet_topics.join(", ")))
}

/// What was looked at, in one sentence.
pub(super) fn counts(digest: &Digest) -> String {
    let counts = &digest.counts;
    let mut parts = vec![count(counts.links, "link", "links"), format!("{} known from earlier runs", counts.known)];
    let more = [
        (counts.repeated, "given twice"),
        (counts.deferred, "left for the next run"),
        (counts.scraped, "read"),
        (counts.merged, "copies merged"),
        (counts.failed, "not readable"),
        (counts.kept, "kept"),
    ];
    parts.extend(more.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")));
    parts.join(", ")
}

/// What a language model was used for, and why not, where that was so.
pub(super) fn model(digest: &Digest) -> Vec<String> {
    let Some(used) = digest.model.as_ref().filter(|used| !used.is_empty()) else { return Vec::new() };
    let tokens = used.input_tokens.saturating_add(used.output_tokens);
    let cost = used.cost.map(|cost| format!(", {cost:.4} of money")).unwrap_or_default();
    let mut lines = vec![format!(
        "Model {}: {} requests, {tokens} tokens{cost}, {} answers known from before.",
        used.model, used.requests, used.cached
    )];
    if used.fallbacks > 0 {
        lines.push(format!("{} questions were settled without it: {}.", used.fallbacks, used.notes.join("; ")));
    }
    lines
}

/// What an article says in sentences of its own, besides its excerpt.
pub(super) fn key_sentences(article: &DigestArticle) -> Option<String> {
    let excerpt = article.article.excerpt.as_deref().unwrap_or_default();
    let own = article.summary.sentences.iter().map(|sentence| sentence.text.as_str());
    let new: Vec<&str> = own.filter(|text| !excerpt.contains(text)).collect();
    (!new.is_empty()).then(|| new.join(" … "))
}

/// The hosts of the articles that say so, in brackets.
pub(super) fn citation(sentence: &CitedSentence, digest: &Digest) -> String {
    let articles = sentence.cites.iter().filter_map(|place| digest.articles.get(*place));
    let named: Vec<String> =
        articles.map(|cited| format!("{}, “{}”", host(&cited.article), cited.article.title)).collect();
    format!("[{}]", named.join("; "))
}

/// The host of an article, as people call it.
pub(super) fn host(article: &Article) -> String {
    let host = article.url.expose().host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}

/// Where an article comes from: its host, the way it was found, and the others that carry it.
pub(super) fn origin(article: &DigestArticle) -> String {
    let host = host(&article.article);
    match article.also_in.len() {
        0 => host,
        others => format!("{host} and {}", count(others, "other source", "other sources")),
    }
}

/// Why an article was kept and where its link stood.
pub(super) fn why(article: &DigestArticle) -> String {
    let place = match article.article.found_via {
        LinkVia::Feed => "in the feed of",
        LinkVia::Html => "on the page",
    };
    let found = format!("found {place} {}", article.article.source_url);
    let also = match article.also_in.as_slice() {
        [] => String::new(),
        others => format!(", also in {}", others.join(", ")),
    };
    format!("{}; {found}{also}", article.reason)
}

/// What became of a source.
pub(super) fn source(report: &SourceReport) -> String {
    let kept = format!("{}, {} kept", count(report.links, "link", "links"), report.kept);
    let reason = report.fallback_reason.as_deref();
    let again = report.next_attempt_at.map(|at| format!("; it is asked again from {} on", minute(at)));
    let again = again.unwrap_or_default();
    match report.outcome {
        SourceOutcome::Feed if report.unchanged => "nothing new (feed)".to_owned(),
        SourceOutcome::Feed => format!("{kept} (feed)"),
        SourceOutcome::Html => format!("{kept} (page; {})", reason.unwrap_or("no feed was found")),
        SourceOutcome::Skipped => format!("not read: {}{again}", reason.unwrap_or("it was not needed")),
        SourceOutcome::Failed => match &report.error {
            Some(error) => match &error.hint {
                Some(hint) => format!("failed: {} ({}); {hint}{again}", error.message, error.code),
                None if !again.is_empty() => format!("failed: {} ({}){again}", error.message, error.code),
                None => format!("failed: {} ({}); it is tried again in the next run", error.message, error.code),
            },
            None => "failed".to_owned(),
        },
    }
}

/// What became of an article that could not be read.
pub(super) fn failed(article: &FailedArticle) -> String {
    let then = if article.retried { "it is tried again in the next run" } else { "it is given up" };
    format!("{} ({}); {then}", article.failure.message, article.failure.code)
}

/// Text of others on one line, without what could steer a terminal or turn the direction of what follows.
pub(super) fn clean(text: &str) -> String {
    let visible =
        text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter }).filter(|letter| !steers(*letter));
    visible.collect::<String>().split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn steers(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}')
}
