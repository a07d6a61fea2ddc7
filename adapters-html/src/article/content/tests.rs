//! Tests of the search for the text.

use super::*;

#[test]
fn finds_nothing_in_nothing() {
    let document = crate::tree::build("<div id=root></div>").expect("a small page");
    assert_eq!(content(&document, None), None);
}
