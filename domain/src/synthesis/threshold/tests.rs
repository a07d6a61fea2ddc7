//! What `synthesis::threshold` is held to.

use super::*;

#[test]
fn three_entries_suffice_and_two_do_not() {
    assert!(suffices(3, 3));
    assert!(!suffices(2, 3));
    assert!(suffices(0, 0));
}

#[track_caller]
fn check(entries: usize, html_links: usize, expected: Choice) {
    assert_eq!(choose(entries, html_links), expected);
}

#[test]
fn a_sparse_feed_gives_way_unless_the_html_gives_fewer_still() {
    check(2, 7, Choice::Html(Fallback::Sparse(2)));
    check(2, 2, Choice::Html(Fallback::Sparse(2)));
    check(2, 1, Choice::Feed);
    check(0, 0, Choice::Html(Fallback::Sparse(0)));
    check(1, 0, Choice::Feed);
}

#[test]
fn the_reason_reads_as_a_sentence() {
    assert_eq!(Fallback::Sparse(0).to_string(), "the feed has no usable entries");
    assert_eq!(Fallback::Sparse(1).to_string(), "the feed has only 1 usable entry");
    assert_eq!(Fallback::Sparse(2).to_string(), "the feed has only 2 usable entries");
    assert_eq!(Fallback::NoFeed.to_string(), "no feed was found");
}
