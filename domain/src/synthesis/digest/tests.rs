//! What `synthesis::digest` is held to.

use super::*;
use crate::synthesis::article::LinkVia;

fn article(title: &str, topic: Option<usize>, score: f64, at: Option<&str>) -> DigestArticle {
    let url = PrivateUrl::new("https://a.example/1".parse().unwrap());
    let article = Article {
        url: url.clone(),
        source_url: url,
        title: title.to_owned(),
        published_at: at.map(|at| at.parse().unwrap()),
        language: None,
        found_via: LinkVia::Feed,
        excerpt: None,
        content_markdown: String::new(),
    };
    DigestArticle { article, topic, score, reason: String::new(), also_in: Vec::new() }
}

fn source(outcome: SourceOutcome) -> SourceReport {
    SourceReport {
        url: "https://a.example/".to_owned(),
        title: None,
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

fn digest(sources: Vec<SourceReport>, articles: Vec<DigestArticle>) -> Digest {
    Digest {
        run_id: "r".to_owned(),
        started_at: Timestamp::UNIX_EPOCH,
        finished_at: Timestamp::UNIX_EPOCH,
        interrupted: false,
        topics: Vec::new(),
        sources,
        counts: Counts::default(),
        articles,
        failures: Vec::new(),
        unmet_topics: Vec::new(),
    }
}

#[test]
fn articles_stand_by_topic_then_score_then_newest() {
    let mut digest = digest(
        Vec::new(),
        vec![
            article("undated", Some(1), 0.5, None),
            article("old", Some(1), 0.5, Some("2026-01-01T00:00:00Z")),
            article("new", Some(1), 0.5, Some("2026-05-01T00:00:00Z")),
            article("best", Some(1), 0.9, None),
            article("first topic", Some(0), 0.3, None),
            article("no topic", None, 1.0, None),
        ],
    );
    digest.sort_articles();
    let titles: Vec<&str> = digest.articles.iter().map(|known| known.article.title.as_str()).collect();
    assert_eq!(titles, ["first topic", "best", "new", "old", "undated", "no topic"]);
}

#[test]
fn only_a_run_in_which_every_source_failed_failed() {
    let outcomes =
        |outcomes: &[SourceOutcome]| digest(outcomes.iter().map(|known| source(*known)).collect(), Vec::new());
    assert!(outcomes(&[SourceOutcome::Failed, SourceOutcome::Failed]).is_total_failure());
    assert!(!outcomes(&[SourceOutcome::Failed, SourceOutcome::Html]).is_total_failure());
    assert!(!outcomes(&[]).is_total_failure());
    assert_eq!(outcomes(&[SourceOutcome::Failed, SourceOutcome::Feed]).failed_sources(), 1);
}
