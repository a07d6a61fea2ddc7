//! What `digest` is held to.

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::{Article, LinkVia};
use headwater_domain::synthesis::digest::{Counts, FailedArticle, Failure, SourceOutcome, SourceReport};
use headwater_domain::synthesis::model_use::ModelUse;
use headwater_domain::synthesis::summary::{CitedSentence, Summary, Writer};

use super::*;

fn url(text: &str) -> PrivateUrl {
    PrivateUrl::new(text.parse().unwrap())
}

pub(crate) fn article(title: &str, topic: Option<usize>) -> DigestArticle {
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
    DigestArticle {
        article,
        topic,
        score: 0.123_456,
        reason: "“grid” (title)".to_owned(),
        also_in: Vec::new(),
        summary: Summary { sentences: vec![cited("The grid held in the storm.", &[0])] },
    }
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

pub(crate) fn digest(articles: Vec<DigestArticle>) -> Digest {
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
        overviews: vec![Overview {
            topic: Some(0),
            written_by: Writer::Model,
            summary: Summary { sentences: vec![cited("Grids hold <in> storms.", &[0])] },
        }],
        model: Some(ModelUse {
            model: "small-model".to_owned(),
            requests: 2,
            fallbacks: 1,
            input_tokens: 900,
            output_tokens: 100,
            cost: Some(0.0125),
            notes: vec!["the model refused to answer".to_owned()],
            ..ModelUse::default()
        }),
    }
}

fn cited(text: &str, cites: &[usize]) -> CitedSentence {
    CitedSentence { text: text.to_owned(), cites: cites.to_vec() }
}

pub(super) fn render(digest: &Digest, format: Format) -> String {
    let mut page = Vec::new();
    Sheet::new(digest, format).write_to(&mut page).unwrap();
    String::from_utf8(page).unwrap()
}

#[test]
fn articles_stand_under_their_headings_and_empty_ones_are_left_out() {
    let digest = digest(vec![article("One", Some(0)), article("Two", None)]);
    let headings: Vec<&str> = sections(&digest).into_iter().map(|section| section.heading).collect();
    assert_eq!(headings, ["Energy & <grid>", "Everything new"]);
}

#[test]
fn every_form_names_articles_failures_and_unmet_topics() {
    let digest = digest(vec![article("The title", Some(0))]);
    for format in [Format::Text, Format::Markdown, Format::Html] {
        let page = render(&digest, format);
        for part in [
            "The title",
            "19 May 2026",
            "“grid” (title)",
            "no answer",
            "Too little was found for: Space",
            "1 new article",
            "The grid held in the storm.",
            "Model small-model: 2 requests, 1000 tokens, 0.0125 of money",
            "1 questions were settled without it: the model refused to answer",
        ] {
            assert!(page.contains(part), "{format:?} lacks {part:?}:\n{page}");
        }
        assert!(!page.contains("0123456789abcdef"), "{page}");
    }
}

#[test]
fn a_run_without_anything_new_says_so() {
    for format in [Format::Text, Format::Markdown, Format::Html] {
        assert!(render(&digest(Vec::new()), format).contains("Nothing new from 2 sources."), "{format:?}");
    }
}

#[test]
fn what_others_wrote_steers_neither_terminal_nor_markup() {
    let hostile = digest(vec![article("\u{1b}[31m\u{202e}# *a* [b](c) <script>alert(1)</script>\n\n# x", Some(0))]);
    let text = render(&hostile, Format::Text);
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
    let markdown = render(&hostile, Format::Markdown);
    assert!(markdown.contains(r"\[31m# \*a\* \[b\](c) \<script>"), "{markdown}");
    assert!(!markdown.contains("\n# x"));
}

#[test]
fn json_has_the_fields_of_the_contract_and_no_secret() {
    let text = render(&digest(vec![article("One", Some(0))]), Format::Json);
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
    assert_eq!(render(&back, Format::Html), render(&digest, Format::Html));
}

#[test]
fn every_sentence_of_an_overview_names_the_articles_that_say_so() {
    let digest = digest(vec![article("One", Some(0))]);
    for (format, expected) in [
        (Format::Text, "Grids hold <in> storms. [a.example, “One”]"),
        (Format::Markdown, "- Grids hold \\<in> storms. ([a.example](<https://www.a.example/1?a=1&b=%3C2%3E>))"),
        (Format::Html, "Grids hold &lt;in&gt; storms. <cite><a href="),
    ] {
        let page = render(&digest, format);
        assert!(page.contains(expected), "{format:?}:\n{page}");
    }
    let document: serde_json::Value = serde_json::from_str(&render(&digest, Format::Json)).unwrap();
    let overview = &document["summaries"][0];
    assert_eq!((overview["topic"].as_str(), overview["written_by"].as_str()), (Some("Energy & <grid>"), Some("model")));
    assert_eq!(overview["sentences"][0]["cites"][0], document["articles"][0]["url"]);
    assert_eq!(document["articles"][0]["summary"][0]["cites"][0], document["articles"][0]["url"]);
}
