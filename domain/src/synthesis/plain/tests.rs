//! What `synthesis::plain` is held to.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(markdown: &str, expected: &str) {
    assert_eq!(plain_text(markdown), expected);
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

#[test]
fn a_long_text_is_cut_behind_a_sentence_or_a_word() {
    assert_eq!(excerpt("short", 10), "short");
    assert_eq!(excerpt("One sentence here. Another one follows it.", 25), "One sentence here.");
    assert_eq!(excerpt("No sentence ends, in this text at all", 18), "No sentence ends…");
    assert_eq!(excerpt("第一句话。第二句话很长很长", 7), "第一句话。");
    assert_eq!(excerpt("aaaaaaaaaaaaaaaaaaaa", 5), "aaaaa…");
    assert_eq!(excerpt("version 1.5 of it is here to stay", 12), "version 1.5…");
}

proptest! {
    #[test]
    fn an_excerpt_is_never_longer_than_asked_for(text in "\\PC{0,80}", max in 1usize..40) {
        prop_assert!(excerpt(&text, max).chars().count() <= max + 1);
    }

    #[test]
    fn any_text_can_be_read(text in "[\\[\\]()!*\\\\`#>| a-z\n]{0,200}") {
        let plain = plain_text(&text);
        prop_assert!(!plain.contains('\n') && !plain.contains("  "));
    }
}
