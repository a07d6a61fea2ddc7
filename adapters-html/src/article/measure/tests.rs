//! Tests of the counting of text.

use super::*;

#[test]
fn counts_text_and_links_once() {
    let document =
        crate::tree::build("<div><p>ab <a href=x>cd</a></p><img><ul><li><a href=y>e f</a></ul></div>").unwrap();
    let measures = Measures::of(&document.root());
    let whole = measures.get(document.select_single("div").nodes().first().unwrap());
    assert_eq!(whole, Measure { chars: 6, link_chars: 4, links: 2, prose: 2, images: 1 });
    assert!((whole.link_density() - 4.0 / 6.0).abs() < 1e-9);
}
