//! Tests of the search for the element that holds the article.

use super::*;

fn find(html: &str) -> Option<String> {
    let document = crate::tree::build(html).expect("a small page");
    let measures = Measures::of(&document.body().expect("a body"));
    container(&document, &measures).and_then(|(node, _)| node.attr("id")).map(|id| id.to_string())
}

#[test]
fn believes_the_plainest_claim() {
    let text = format!("<p>{}</p>", "some words of text ".repeat(20));
    let html = format!("<main id=a><article id=b><div class=entry-content id=c>{text}</div></article></main>");
    assert_eq!(find(&html).as_deref(), Some("c"));
    assert_eq!(find(&html.replace("entry-content", "x")).as_deref(), Some("b"));
    assert_eq!(find(&format!("<article id=a>{text}</article><article id=b>{text}</article>")), None);
    assert_eq!(find(&format!("<article id=a>{text}</article>{}", text.repeat(3))), None);
}
