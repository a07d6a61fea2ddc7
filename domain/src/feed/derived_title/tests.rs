//! What `feed::derived_title` is held to.

use super::*;

fn item(description: Option<(&str, ContentKind)>, content: Option<(&str, ContentKind)>) -> FeedItem {
    let body =
        |body: Option<(&str, ContentKind)>| body.map(|(raw, kind)| Content { raw: raw.to_owned(), kind, base: None });
    FeedItem { description: body(description), content: body(content), ..FeedItem::default() }
}

#[test]
fn the_first_words_of_the_body_make_a_title() {
    use ContentKind::{Html, Text};
    let title = |description, content| derived_title(&item(description, content));
    assert_eq!(title(None, Some(("<p>Hello <b>you</b></p>", Html))).as_deref(), Some("Hello you"));
    assert_eq!(title(Some(("a <b> c", Text)), None).as_deref(), Some("a <b> c"));
    assert_eq!(title(Some(("summary", Text)), Some(("<img src=x>", Html))).as_deref(), Some("summary"));
    assert_eq!(title(None, Some((" <br> -- ", Html))), None);
    assert_eq!(title(None, None), None);
    let long = title(None, Some((&"word ".repeat(10_000), Text))).expect("there are words");
    assert!(long.ends_with("word…") && long.chars().count() <= 80);
}
