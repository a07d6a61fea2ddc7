//! What `text::markdown` is held to.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(markdown: &str, expected: &str) {
    assert_eq!(plain_text_of_markdown(markdown), expected);
}

#[test]
fn marks_and_targets_are_left_out() {
    check("# A *bold* heading\n\nSome `code`.", "A bold heading Some code.");
    check("See [the page](https://a.example/x(1)?q=solar) now", "See the page now");
    check("![a picture](https://a.example/p.png) after", "a picture after");
    check("> quoted\n> twice\n\n- one\n- two", "quoted twice one two");
    check("| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2");
    check(r"2 \* 3 and \[not a link\](x)", "2 * 3 and [not a link](x)");
    check("#hashtag stays", "#hashtag stays");
    check("an open ](link", "an open (link");
    check("", "");
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in "[\\[\\]()!*\\\\`#>| a-z\n]{0,200}") {
        let plain = plain_text_of_markdown(&text);
        prop_assert!(!plain.contains('\n') && !plain.contains("  "));
    }
}
