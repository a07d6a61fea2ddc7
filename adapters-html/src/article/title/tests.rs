//! Tests of the choice of a title.

use super::*;

#[track_caller]
fn check(head: &str, expected: &str) {
    let document = crate::tree::build(&format!("<head>{head}</head><body><h1>Heading</h1>")).expect("a small page");
    let metas = Metas::read(&document);
    let url = Url::parse("https://www.example-news.com/a").unwrap();
    let site = metas.first(&["og:site_name"]);
    assert_eq!(title(&document, &metas, None, site.as_deref(), &url).as_deref(), Some(expected), "of {head}");
}

#[test]
fn takes_the_name_of_the_site_away() {
    check("<meta property=og:title content='A story | Site'><meta property=og:site_name content=Site>", "A story");
    check("<title>A long enough story - Example News</title>", "A long enough story");
    check("<title>Example-news.com: A long enough story</title>", "Example-news.com: A long enough story");
    check("<title>A story of 5 - 3 things | Example News</title>", "A story of 5 - 3 things");
    check("<title>短い話-新華</title><meta property=og:site_name content=新華>", "短い話");
}

#[test]
fn falls_back_to_headings() {
    check("", "Heading");
    check("<title> </title>", "Heading");
}
