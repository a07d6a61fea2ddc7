//! Tests of the search for article links: pages of many kinds, in which each article's link is marked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;
use crate::scan::{Scanner, Token};

fn address() -> Url {
    Url::parse("https://www.courier.example/section/").unwrap()
}

fn found(html: &str, max_links: usize) -> Vec<PageLink> {
    let url = address();
    links(&PageInput { bytes: html.as_bytes(), url: &url, content_type: None, headers: None }, max_links).unwrap()
}

/// The addresses of the links that the page marks as its articles.
fn marked(html: &str) -> BTreeSet<String> {
    Scanner::new(html)
        .filter_map(|token| match token {
            Token::Start(tag) if tag.attributes.value("data-article").is_some() => tag.attributes.value("href"),
            _ => None,
        })
        .map(|href| address().join(&href).unwrap().to_string())
        .collect()
}

#[test]
fn finds_the_articles_of_pages_of_many_kinds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/links");
    let mut problems = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let html = fs::read_to_string(&path).unwrap();
        let got: BTreeSet<String> = found(&html, 50).iter().map(|link| link.url.expose().to_string()).collect();
        let want = marked(&html);
        if got != want {
            let (missing, extra): (Vec<_>, Vec<_>) = (want.difference(&got).collect(), got.difference(&want).collect());
            problems.push(format!("{}: missing {missing:?}, extra {extra:?}", path.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn gives_text_and_date() {
    let html = "<main><article><a href=/a/the-image-comes-first-here><img alt=Photo></a>\
        <h2><a href=/a/the-image-comes-first-here?utm_source=x>The image comes first here</a></h2><time datetime=2026-04-02>x</time>\
        </article></main>";
    let links = found(html, 5);
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].text.as_deref(), Some("The image comes first here"));
    assert_eq!(links[0].published_at.map(|at| at.to_string()).as_deref(), Some("2026-04-02T00:00:00Z"));
}

#[test]
fn keeps_to_the_number_and_puts_the_best_first() {
    let items: String = (0..30).map(|n| format!("<p><a href=/x/{n}>one more short label</a></p>")).collect();
    let html = format!(
        "<main>{items}<article><h2><a href=/2026/04/a-real-headline-of-the-day>A real headline of the day</a></h2></article></main>"
    );
    let links = found(&html, 3);
    assert!(links.len() <= 3);
    assert_eq!(links[0].url.expose().path(), "/2026/04/a-real-headline-of-the-day");
}

#[test]
fn finds_nothing_in_nothing() {
    assert!(found("", 5).is_empty());
    assert!(found("<a href='javascript:x'>A headline of several words</a>", 5).is_empty());
}
