//! What `digest` is held to.

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::{Article, LinkVia};
use headwater_domain::synthesis::digest::{Counts, FailedArticle, Failure, SourceOutcome, SourceReport};

use super::*;

fn url(text: &str) -> PrivateUrl {
    PrivateUrl::new(text.parse().unwrap())
}

fn article(title: &str, topic: Option<usize>) -> DigestArticle {
    let article = Article {
        url: url("https://www.a.example/1?a=1&b=<2>"),
        source_url: url("https://a.example/"),
        title: title.to_owned(),
        published_at: Some("2026-05-19T08:00:00Z".parse().unwrap()),
        language: Some("en\" onclick=\"x".to_owned()),
        found_via: LinkVia::Feed,
        excerpt: Some("An <b>excerpt</b> & *more*.".to_owned()),
        content_markdown: "# Text\n".to_owned(),
    };
    DigestArticle { article, topic, score: 0.123_456, reason: "“grid” (title)".to_owned(), also_in: Vec::new() }
}

fn source(outcome: SourceOutcome, error: Option<Failure>) -> SourceReport {
    SourceReport {
        url: "https://a.example/".to_owned(),
        title: None,
        outcome,
        feed_url: Some(url("https://a.example/feed?passkey=0123456789abcdef0123456789abcdef")),
        links: 2,
        kept: 1,
        fallback_reason: None,
        unchanged: false,
        next_attempt_at: None,
        error,
    }
}

pub(super) fn digest(articles: Vec<DigestArticle>) -> Digest {
    let failure = Failure { code: ErrorKind::Timeout, message: "no answer".to_owned(), hint: None };
    Digest {
        run_id: "0196e000-0000-7000-8000-000000000000".to_owned(),
        started_at: "2026-05-20T12:00:00Z".parse().unwrap(),
        finished_at: "2026-05-20T12:01:00Z".parse().unwrap(),
        interrupted: false,
        topics: vec!["Energy & <grid>".to_owned(), "Space".to_owned()],
        sources: vec![source(SourceOutcome::Feed, None), source(SourceOutcome::Failed, Some(failure.clone()))],
        counts: Counts { links: 2, scraped: 1, failed: 1, classified: 1, kept: articles.len(), ..Counts::default() },
        articles,
        failures: vec![FailedArticle {
            url: url("https://a.example/2"),
            source_url: url("https://a.example/"),
            failure,
            attempts: 1,
            retried: true,
        }],
        unmet_topics: vec!["Space".to_owned()],
    }
}

#[test]
fn articles_stand_under_their_headings_and_empty_ones_are_left_out() {
    let digest = digest(vec![article("One", Some(0)), article("Two", None)]);
    let headings: Vec<&str> = sections(&digest).into_iter().map(|(heading, _)| heading).collect();
    assert_eq!(headings, ["Energy & <grid>", "Everything new"]);
}

#[test]
fn every_form_names_articles_failures_and_unmet_topics() {
    let digest = digest(vec![article("The title", Some(0))]);
    for format in [Format::Text, Format::Markdown, Format::Html] {
        let page = render(&digest, format).unwrap();
        for part in [
            "The title",
            "19 May 2026",
            "“grid” (title)",
            "no answer",
            "Too little was found for: Space",
            "1 new article",
        ] {
            assert!(page.contains(part), "{format:?} lacks {part:?}:\n{page}");
        }
        assert!(!page.contains("0123456789abcdef"), "{page}");
    }
}

#[test]
fn a_run_without_anything_new_says_so() {
    for format in [Format::Text, Format::Markdown, Format::Html] {
        assert!(render(&digest(Vec::new()), format).unwrap().contains("Nothing new from 2 sources."), "{format:?}");
    }
}

#[test]
fn what_others_wrote_steers_neither_terminal_nor_markup() {
    let hostile = digest(vec![article("\u{1b}[31m\u{202e}# *a* [b](c) <script>alert(1)</script>\n\n# x", Some(0))]);
    let text = render(&hostile, Format::Text).unwrap();
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
    let markdown = render(&hostile, Format::Markdown).unwrap();
    assert!(markdown.contains(r"\[31m# \*a\* \[b\](c) \<script>"), "{markdown}");
    assert!(!markdown.contains("\n# x"));
}

#[test]
fn json_has_the_fields_of_the_contract_and_no_secret() {
    let text = render(&digest(vec![article("One", Some(0))]), Format::Json).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["started_at"], "2026-05-20T12:00:00Z");
    assert_eq!(document["articles"][0]["topic"], "Energy & <grid>");
    assert_eq!(document["articles"][0]["score"], 0.123);
    assert_eq!(document["articles"][0]["found_via"], "feed");
    assert_eq!(document["sources"][1]["outcome"], "failed");
    assert_eq!(document["sources"][1]["error"]["code"], "timeout");
    assert_eq!(document["counts"]["links"], 2);
    assert_eq!(document["unmet_topics"][0], "Space");
    assert!(!text.contains("0123456789abcdef"), "{text}");
}

#[test]
fn a_digest_comes_back_from_its_json() {
    let digest = digest(vec![article("One", Some(0)), article("Two", None)]);
    let json = json::to_string(&digest).unwrap();
    let back = stored::parse(&json).unwrap();
    assert_eq!(json::to_string(&back).unwrap(), json);
    assert_eq!(render(&back, Format::Html).unwrap(), render(&digest, Format::Html).unwrap());
}
