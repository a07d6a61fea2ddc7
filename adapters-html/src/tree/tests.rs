//! Tests of the guarded tree builder.

use super::*;

#[test]
fn builds_ordinary_documents() {
    let document = build("<html><body><p>a</p></body></html>").expect("a small document");
    assert_eq!(&*document.text(), "a");
}

#[test]
fn stops_at_the_depth() {
    assert_eq!(build(&"<div>".repeat(20_000)).err(), Some(TreeError::TooDeep));
    assert_eq!(build(&format!("{}x{}", "<i>".repeat(600), "</i>".repeat(600))).err(), Some(TreeError::TooDeep));
    assert!(build(&"<div>".repeat(MAX_HTML_DEPTH - 10)).is_ok());
}

#[test]
fn stops_at_the_number_of_nodes() {
    let formatting: String = (0..400).map(|n| format!("<b id={n}>")).collect();
    let html = format!("<div>{formatting}</div>{}", "<div>x</div>".repeat(20_000));
    assert!(build(&html).is_err());
}

#[test]
fn cuts_at_character_boundaries() {
    let text = "日本語".repeat(5_000);
    let document = build(&format!("<p>{text}</p>")).expect("a flat document");
    assert_eq!(&*document.text(), text);
}

#[test]
fn no_text_node_is_long() {
    for text in ["&".repeat(100_000), "\u{a0}".repeat(50_000), "日本語 ".repeat(20_000)] {
        let document = build(&format!("<p>a<b>b</b>{text}<i>c</i></p>")).expect("a flat document");
        let longest =
            document.root().descendants_it().filter(|node| node.is_text()).map(|node| node.text().len()).max();
        assert!(longest.is_some_and(|bytes| (1..=MAX_TEXT_BYTES).contains(&bytes)), "{longest:?}");
        assert_eq!(&*document.text(), format!("ab{text}c"), "order and content stay");
    }
}
