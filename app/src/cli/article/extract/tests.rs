//! Tests of the document of an article.

use super::*;

fn article() -> PageArticle {
    PageArticle {
        title: Some("T".to_owned()),
        published_at: Some("2024-05-02T10:00:00Z".parse().unwrap()),
        byline: Some("A".to_owned()),
        content_html: "<p>x</p>".to_owned(),
        content_markdown: "x".to_owned(),
        text_length: 1,
        ..PageArticle::default()
    }
}

#[test]
fn leaves_out_what_has_no_value() {
    let document = document(&article());
    assert_eq!(document["published_at"], "2024-05-02T10:00:00Z");
    assert_eq!(document["text_length"], 1);
    assert!(document.get("lead_image").is_none() && document.get("language").is_none());
}

#[test]
fn reads_well() {
    assert_eq!(reading(&article()), "# T\n\nA · 2024-05-02\n\nx");
}
