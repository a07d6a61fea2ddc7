//! What `synthesis::accumulate` is held to.

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::LinkVia;
use headwater_domain::synthesis::near_duplicate::Fingerprint;
use headwater_domain::synthesis::quota::Limits;
use headwater_ports::Error;

use super::*;

const NOW: &str = "2026-05-20T12:00:00Z";

fn url(path: &str) -> PrivateUrl {
    PrivateUrl::new(format!("https://a.example/{path}").parse().unwrap())
}

fn key(path: &str) -> ArticleKey {
    ArticleKey::of(&url(path))
}

fn text(seed: usize) -> String {
    (0..120).map(|word| format!("word{} ", seed * 1000 + word)).collect()
}

fn read(source: usize, path: &str, title: &str, text: &str, other_keys: &[&str]) -> Scraped {
    let article = Article {
        url: url(path),
        source_url: url(""),
        title: title.to_owned(),
        published_at: None,
        language: None,
        found_via: LinkVia::Feed,
        excerpt: None,
        content_markdown: text.to_owned(),
    };
    let other_keys = other_keys.iter().map(|path| key(path)).collect();
    let outcome = Ok(Reading { article, other_keys, fingerprint: Fingerprint::of(text) });
    Scraped { source, key: key(path), url: url(path), source_url: url(""), failures: 0, outcome }
}

fn failed(path: &str, failures: u32) -> Scraped {
    let outcome = Err(Error::new(ErrorKind::Timeout, "fetch", "no answer"));
    Scraped { source: 0, key: key(path), url: url(path), source_url: url(""), failures, outcome }
}

/// Runs waves without topics: everything that is no copy finds room.
fn run(waves: Vec<Vec<Scraped>>, known: &[HistoryEntry]) -> Accumulated {
    let near = known.iter().filter(|entry| entry.fingerprint.is_some()).cloned().collect();
    let known = known.iter().map(|entry| (entry.key.clone(), entry.clone())).collect();
    let earlier = Earlier::new(known, near);
    let mut accumulator = Accumulator::new(Quotas::new(Limits::default()));
    for wave in waves {
        let (fresh, articles) = accumulator.on_wave(wave, &earlier, NOW.parse().unwrap());
        let verdict = |_: &Article| Verdict { topic: None, score: 1.0, reason: "all".to_owned() };
        let verdicts = articles.iter().map(verdict).collect();
        accumulator.on_verdicts(fresh, articles, verdicts, false);
    }
    accumulator.finish()
}

fn fate(accumulated: &Accumulated, path: &str) -> Option<(Fate, u32)> {
    let entry = accumulated.history.iter().find(|entry| entry.key == key(path))?;
    Some((entry.fate, entry.failures))
}

#[test]
fn a_failure_is_counted_on_and_given_up_after_the_third() {
    let outcome = run(vec![vec![failed("1", 0), failed("2", 2)]], &[]);
    assert_eq!(fate(&outcome, "1"), Some((Fate::Failed, 1)));
    assert_eq!(fate(&outcome, "2"), Some((Fate::Failed, 3)));
    let retried: Vec<bool> = outcome.failures.iter().map(|one| one.retried).collect();
    assert_eq!(retried, [true, false]);
    assert_eq!(outcome.counts, Counts { failed: 2, ..Counts::default() });
}

#[test]
fn the_same_text_elsewhere_is_one_article_with_several_sources() {
    let first = vec![read(0, "1", "News", &text(1), &[]), read(1, "2", "News, again", &text(1), &[])];
    let outcome = run(vec![first, vec![read(2, "3", "More news", &text(1), &[])]], &[]);
    assert_eq!(outcome.kept.len(), 1);
    assert_eq!(outcome.kept[0].1, BTreeSet::from([1, 2]));
    assert_eq!(outcome.counts, Counts { scraped: 3, merged: 2, classified: 1, kept: 1, ..Counts::default() });
    assert!(["1", "2", "3"].iter().all(|path| fate(&outcome, path) == Some((Fate::Kept, 0))));
}

#[test]
fn a_canonical_url_merges_only_what_has_the_same_title() {
    let wave = vec![
        read(0, "1", "News", &text(1), &["canonical"]),
        read(1, "2", "NEWS!", &text(2), &["canonical"]),
        read(2, "3", "Something else", &text(3), &["canonical"]),
    ];
    let outcome = run(vec![wave], &[]);
    let titles: Vec<&str> = outcome.kept.iter().map(|(kept, _)| kept.article.article.title.as_str()).collect();
    assert_eq!(titles, ["News", "Something else"]);
    assert_eq!(fate(&outcome, "canonical"), Some((Fate::Kept, 0)));
}

#[test]
fn an_article_that_history_knows_by_another_url_does_not_come_back() {
    let entry = HistoryEntry {
        key: key("canonical"),
        url: url("canonical").redacted(),
        title: Some("News".to_owned()),
        source_url: url("").redacted(),
        fate: Fate::Rejected,
        failures: 0,
        seen_at: NOW.parse().unwrap(),
        fingerprint: None,
    };
    let wave = || vec![read(0, "1", "News", &text(1), &["canonical"])];
    let outcome = run(vec![wave()], std::slice::from_ref(&entry));
    assert!(outcome.kept.is_empty());
    assert_eq!(fate(&outcome, "1"), Some((Fate::Rejected, 0)));
    let other = HistoryEntry { title: Some("Another".to_owned()), ..entry };
    assert_eq!(run(vec![wave()], &[other]).kept.len(), 1);
}

#[test]
fn a_text_that_an_earlier_run_judged_does_not_come_back_under_another_url() {
    let before = run(vec![vec![read(0, "1", "News", &text(1), &[])]], &[]);
    let wave = || vec![read(1, "copy", "The same news", &text(1), &[]), read(1, "2", "Other", &text(2), &[])];
    let after = run(vec![wave()], &before.history);
    assert_eq!((after.kept.len(), after.counts.merged), (1, 1));
    assert_eq!(fate(&after, "copy"), Some((Fate::Kept, 0)), "it shares the fate of what it copies");
    let print = |path: &str| after.history.iter().find(|entry| entry.key == key(path)).unwrap().fingerprint;
    assert!(print("2").is_some(), "history learns by what the next copy is recognised");
}

#[test]
fn what_finds_no_room_is_rejected() {
    let mut accumulator = Accumulator::new(Quotas::new(Limits { run: Some(1), ..Limits::default() }));
    let wave = vec![read(0, "1", "One", &text(1), &[]), read(0, "2", "Two", &text(2), &[])];
    let (fresh, articles) = accumulator.on_wave(wave, &Earlier::default(), NOW.parse().unwrap());
    let verdict = |score| Verdict { topic: None, score, reason: String::new() };
    accumulator.on_verdicts(fresh, articles, vec![verdict(0.2), verdict(0.8)], false);
    assert!(accumulator.is_complete());
    let outcome = accumulator.finish();
    assert_eq!(fate(&outcome, "1"), Some((Fate::Rejected, 0)));
    assert_eq!(fate(&outcome, "2"), Some((Fate::Kept, 0)));
}
