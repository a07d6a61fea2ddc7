//! Tests of the judgement of addresses.

use super::*;

fn url(path: &str) -> Url {
    Url::parse("https://example.org/").unwrap().join(path).unwrap()
}

#[test]
fn leaves_out_what_is_no_article() {
    for path in [
        "/",
        "/tag/rust",
        "/category/x/",
        "/author/a",
        "/login",
        "/page/2/",
        "/blog/page/3",
        "/?page=2",
        "/a.pdf",
        "/i.jpg",
        "/feed/",
        "/about",
        "/privacy-policy",
        "/wp-content/x.html",
        "/x?replytocom=5",
        "/blog/page2.html",
        "/search?q=x",
    ] {
        assert!(!may_be_article(&url(path)), "{path}");
    }
}

#[test]
fn knows_addresses_of_articles() {
    for path in [
        "/2024/05/a-story",
        "/news/some-long-headline-here",
        "/?p=12",
        "/item?id=123",
        "/a/123456.html",
        "/blog/about-a-dog-i-met",
    ] {
        assert!(may_be_article(&url(path)), "{path}");
        assert!(score(&url(path)) > 0, "{path}");
    }
    assert!(score(&url("/sports")) < 0);
}

#[test]
fn tells_headlines_from_labels() {
    assert!(score_of_text("The committee kept the rate at four percent") > score_of_text("Three short words"));
    assert!(score_of_text("日本銀行は金利を据え置いた") > 0);
    for text in ["Read more", "Sports", "12 comments", "»", "3 hours ago"] {
        assert!(score_of_text(text) < 0, "{text}");
    }
}
