//! Tests of the reading of structured data.

use super::*;

#[test]
fn finds_the_article_in_a_graph() {
    let block = r#"{"@context":"https://schema.org","@graph":[
        {"@type":"WebPage","name":"Page","url":"https://example.org/p"},
        {"@type":["NewsArticle"],"headline":"H","author":[{"name":"A"},{"@type":"Person","name":["B"]}],
         "datePublished":"2024-05-02","image":{"url":"https://example.org/i.jpg"},"publisher":{"name":"P"},
         "isAccessibleForFree":"False"}]}"#;
    let article = structured_article(&["{}", block]).expect("an article");
    assert_eq!(article.headline.as_deref(), Some("H"));
    assert_eq!(article.authors, ["A", "B"]);
    assert_eq!(article.published.as_deref(), Some("2024-05-02"));
    assert_eq!(article.image.as_deref(), Some("https://example.org/i.jpg"));
    assert_eq!(article.publisher.as_deref(), Some("P"));
    assert!(article.paywalled);
}

#[test]
fn reads_json_as_pages_write_it() {
    let block = "//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"a\nb\"}\n//]]>";
    assert_eq!(structured_article(&[block]).and_then(|article| article.headline).as_deref(), Some("a b"));
}

#[test]
fn ignores_other_things() {
    for block in ["", "{", "[]", r#"{"@type":"Organization","name":"x"}"#, r#"{"@type":7}"#, &"[".repeat(100_000)] {
        assert_eq!(structured_article(&[block]), None);
    }
}
