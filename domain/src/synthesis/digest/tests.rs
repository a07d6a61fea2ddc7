//! What `synthesis::digest` is held to.

use super::*;
use crate::synthesis::article::LinkVia;
use crate::synthesis::summary::{CitedSentence, Writer};

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
    DigestArticle { article, topic, score, reason: String::new(), also_in: Vec::new(), summary: Summary::default() }
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
        overviews: Vec::new(),
        model: None,
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

#[test]
fn citations_follow_the_articles_that_stay() {
    let cited = |text: &str, cites: &[usize]| CitedSentence { text: text.to_owned(), cites: cites.to_vec() };
    let mut articles: Vec<DigestArticle> =
        ["a", "b", "c"].map(|title| article(title, Some(0), 0.5, None)).into_iter().collect();
    for (place, article) in articles.iter_mut().enumerate() {
        article.summary = Summary { sentences: vec![cited("own", &[place])] };
    }
    let overview = |sentences| Overview { topic: Some(0), written_by: Writer::Model, summary: Summary { sentences } };
    let mut digest = digest(Vec::new(), articles);
    digest.overviews = vec![
        overview(vec![cited("both", &[0, 2]), cited("gone", &[1]), cited("last", &[2])]),
        overview(vec![cited("gone", &[1])]),
    ];
    digest.retain_articles(|article| article.article.title != "b");
    assert_eq!(digest.articles.iter().map(|kept| kept.summary.sentences[0].cites[0]).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(digest.overviews, [overview(vec![cited("both", &[0, 1]), cited("last", &[1])])]);
}
