//! What `synthesis::scrape` is held to.

use std::time::Duration;

use bytes::Bytes;
use headwater_ports::{Exchange, FetchResponse, Headers, MockFetcher, MockPageReader, MockSanitiser};

use super::*;
use crate::progress::Silent;

fn url(text: &str) -> PrivateUrl {
    PrivateUrl::new(text.parse().unwrap())
}

fn candidate(path: &str, body: Option<&str>) -> Candidate {
    let url = url(&format!("https://a.example/{path}"));
    Candidate {
        key: ArticleKey::of(&url),
        url,
        title: Some(format!("Title of {path}")),
        published_at: None,
        language: None,
        found_via: LinkVia::Feed,
        content: body.map(|raw| Content { raw: raw.to_owned(), kind: ContentKind::Html, base: None }),
        failures: 0,
    }
}

/// Answers `/404` with 404, `/pdf` with a PDF, everything else with its own path as a page.
fn answer(request: headwater_ports::FetchRequest) -> Exchange {
    let path = request.url.expose().path().trim_start_matches('/').to_owned();
    let mut headers = Headers::default();
    headers.append("content-type", if path == "pdf" { "application/pdf" } else { "text/html; charset=utf-8" });
    let response = FetchResponse {
        status: if path == "404" { 404 } else { 200 },
        final_url: request.url,
        permanent_url: None,
        headers,
        body: Bytes::from(path),
        body_cut: false,
    };
    Exchange { requests: 1, outcome: Ok(response) }
}

/// Reads a page as its path, twenty times over; `/empty` has nothing to read.
fn article(page: &headwater_ports::PageInput<'_>) -> Result<PageArticle> {
    let text = String::from_utf8(page.bytes.to_vec()).unwrap();
    if text == "empty" {
        return Err(Error::new(ErrorKind::NoReadableContent, "read article", "nothing there"));
    }
    let content_markdown = format!("{text} is what it says. ").repeat(if text == "stub" { 1 } else { 20 });
    Ok(PageArticle { text_length: content_markdown.chars().count(), content_markdown, ..PageArticle::default() })
}

fn scraper() -> Scraper {
    let mut fetcher = MockFetcher::new();
    fetcher.expect_fetch().returning(answer);
    let mut pages = MockPageReader::new();
    pages.expect_article().returning(article);
    let mut sanitiser = MockSanitiser::new();
    sanitiser.expect_sanitise().returning(|content| content.raw.clone());
    sanitiser.expect_markdown().returning(|html, _| html.to_owned());
    Scraper {
        web: Web::new(Arc::new(fetcher), 2),
        pages: Arc::new(pages),
        sanitiser: Arc::new(sanitiser),
        cpu: Cpu::new(),
        wish: Wish::article(Duration::from_secs(5), 1_000_000),
        at_once: 4,
        substantial_chars: 100,
    }
}

async fn scrape(candidates: Vec<Candidate>) -> Vec<Result<Reading>> {
    let (_switch, stop) = Stop::new();
    let wave = vec![Links { source: 0, candidates }];
    let scraped = scraper().scrape(wave, |_| url("https://a.example/"), &stop, &Silent).await;
    scraped.into_iter().map(|one| one.outcome).collect()
}

#[tokio::test]
async fn articles_come_in_the_order_of_the_links() {
    let (_switch, stop) = Stop::new();
    let links =
        |source, paths: &[&str]| Links { source, candidates: paths.iter().map(|path| candidate(path, None)).collect() };
    let wave = vec![links(0, &["a", "b", "c"]), links(1, &["d"]), links(2, &["e", "f"])];
    let scraped = scraper().scrape(wave, |_| url("https://a.example/"), &stop, &Silent).await;
    let paths: Vec<&str> = scraped.iter().map(|one| one.url.expose().path()).collect();
    assert_eq!(paths, ["/a", "/b", "/c", "/d", "/e", "/f"]);
    assert_eq!(scraped.iter().map(|one| one.source).collect::<Vec<_>>(), [0, 0, 0, 1, 2, 2]);
}

#[tokio::test]
async fn a_page_that_cannot_be_read_gives_way_to_a_substantial_body_of_the_feed() {
    let own = "The feed has it in full. ".repeat(10);
    for path in ["404", "pdf", "empty"] {
        let outcomes =
            scrape(vec![candidate(path, Some(&own)), candidate(path, Some("too short")), candidate(path, None)]).await;
        let reading = outcomes[0].as_ref().unwrap();
        assert!(reading.article.content_markdown.starts_with("The feed has it"), "{path}");
        assert!(outcomes[1].is_err() && outcomes[2].is_err(), "{path}");
    }
}

#[tokio::test]
async fn a_page_that_gives_only_the_beginning_gives_way_too() {
    let own = "The feed has it in full. ".repeat(10);
    let outcomes = scrape(vec![candidate("stub", Some(&own)), candidate("whole", Some(&own))]).await;
    assert!(outcomes[0].as_ref().unwrap().article.content_markdown.starts_with("The feed"));
    assert!(outcomes[1].as_ref().unwrap().article.content_markdown.starts_with("whole"));
}

#[tokio::test]
async fn an_article_has_the_feeds_title_and_an_excerpt() {
    let outcomes = scrape(vec![candidate("page", None)]).await;
    let article = &outcomes[0].as_ref().unwrap().article;
    assert_eq!(article.title, "Title of page");
    assert!(article.excerpt.as_deref().unwrap().starts_with("page is what it says. page"));
    assert!(article.excerpt.as_deref().unwrap().chars().count() <= EXCERPT_CHARS + 1);
}

#[tokio::test]
async fn nothing_is_fetched_after_the_stop() {
    let (switch, stop) = Stop::new();
    switch.stop();
    let wave = vec![Links { source: 0, candidates: vec![candidate("a", None)] }];
    assert!(scraper().scrape(wave, |_| url("https://a.example/"), &stop, &Silent).await.is_empty());
}

#[test]
fn only_a_canonical_url_of_the_same_host_and_of_one_page_counts() {
    let page = url("https://a.example/1");
    assert!(names_one_page(&url("https://a.example/one"), &page));
    assert!(names_one_page(&url("https://a.example/?p=1"), &page));
    assert!(!names_one_page(&url("https://a.example/"), &page));
    assert!(!names_one_page(&url("https://b.example/1"), &page));
}
