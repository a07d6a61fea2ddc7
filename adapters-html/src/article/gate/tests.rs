//! Tests of telling articles from notices.

use super::*;

fn check(plain: &str, page: &str) -> bool {
    is_article(plain, &Metadata::default(), || page.to_owned())
}

const TEXT: &str = "The committee kept the rate at four percent on Thursday. It will meet again in June.";

#[test]
fn takes_short_articles() {
    assert!(check(TEXT, TEXT));
    assert!(check("日本銀行は金利を据え置くことを決めた。", ""));
}

#[test]
fn refuses_labels_and_notices() {
    assert!(!check("My App", ""));
    assert!(!check("You need to enable JavaScript to run this app, which is a very good one.", ""));
    assert!(!check("Just a moment... we are checking your browser before you can go on.", ""));
}

#[test]
fn refuses_the_lines_in_front_of_a_paywall() {
    assert!(!check(TEXT, &format!("{TEXT} Subscribe  to continue reading. Already a subscriber? Log in.")));
    let metadata = Metadata { paywalled: true, ..Metadata::default() };
    assert!(!is_article(TEXT, &metadata, String::new));
    assert!(is_article(&TEXT.repeat(20), &metadata, String::new));
}
