//! What `feed::cursor` is held to.

use jiff::Timestamp;
use proptest::prelude::*;
use url::Url;

use super::*;
use crate::feed::FeedItem;

fn item(guid: &str, link: &str, title: &str, digest: &str) -> FeedItem {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    FeedItem {
        guid: text(guid),
        link: (!link.is_empty()).then(|| Url::parse(link).unwrap().into()),
        title: text(title),
        raw_digest: digest.to_owned(),
        ..FeedItem::default()
    }
}

fn now() -> Timestamp {
    Timestamp::from_second(1_714_644_000).unwrap()
}

/// Applies documents in turn; gives new, updated, aliased and unchanged of each.
fn run(documents: &[Vec<FeedItem>]) -> Vec<(usize, usize, usize, usize)> {
    let mut cursor = FeedCursor::default();
    let mut counts = Vec::new();
    for items in documents {
        let (next, applied) = apply_feed_items(&cursor, items, Batch::Whole, now());
        counts.push((applied.new.len(), applied.updated.len(), applied.aliased.len(), applied.unchanged));
        let text = serde_json::to_string(&next).unwrap();
        cursor = serde_json::from_str(&text).unwrap();
        assert_eq!(cursor, next, "the cursor survives storage");
    }
    counts
}

const A: &str = "https://e.example/a";
const B: &str = "https://e.example/b";
const C: &str = "https://e.example/c";

#[test]
fn the_same_batch_again_in_any_order_changes_nothing() {
    let items = vec![item("1", A, "A", "d1"), item("2", B, "B", "d2"), item("", C, "C", "d3")];
    let turned = items.iter().rev().cloned().collect();
    assert_eq!(run(&[items.clone(), items, turned]), [(3, 0, 0, 0), (0, 0, 0, 3), (0, 0, 0, 3)]);
}

#[test]
fn a_changed_digest_is_an_update_whatever_else_changed() {
    let documents = [vec![item("1", A, "7 tools", "d1")], vec![item("1", B, "10 tools", "d2")]];
    assert_eq!(run(&documents), [(1, 0, 0, 0), (0, 1, 0, 0)]);
}

#[test]
fn url_guids_compare_without_scheme() {
    let documents = [vec![item("http://e.example/1", A, "A", "d")], vec![item("HTTPS://e.example/1", B, "B", "d")]];
    assert_eq!(run(&documents)[1], (0, 0, 0, 1));
}

#[test]
fn a_repeated_guid_falls_back_to_the_link_and_stays_so() {
    let three = vec![item("0", A, "A", "d"), item("0", B, "B", "d"), item("0", C, "C", "d")];
    let one = vec![item("0", B, "B", "d")];
    let other = vec![item("0", "https://e.example/x", "X", "d")];
    assert_eq!(run(&[three, one, other]), [(3, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 0)]);
}

#[test]
fn a_guid_that_becomes_repeated_keeps_its_first_item() {
    let documents = [vec![item("0", A, "A", "d")], vec![item("0", B, "B", "d"), item("0", A, "A", "d")]];
    assert_eq!(run(&documents)[1], (1, 0, 0, 1));
}

#[test]
fn one_guid_and_link_for_all_falls_back_to_the_title() {
    let items = vec![item("N/A", A, "one", "d"), item("N/A", A, "two", "d"), item("N/A", A, "three", "d")];
    assert_eq!(run(&[items.clone(), items]), [(3, 0, 0, 0), (0, 0, 0, 3)]);
}

#[test]
fn an_item_that_stands_twice_counts_once() {
    let items = vec![item("1", A, "A", "d"), item("1", A, "A", "d"), item("", B, "B", "d"), item("", B, "B", "d")];
    assert_eq!(run(&[items.clone(), items]), [(2, 0, 0, 0), (0, 0, 0, 2)]);
}

#[test]
fn without_guid_the_link_identifies() {
    let documents = [vec![item("", A, "A", "d1")], vec![item("", A, "A changed", "d2")]];
    assert_eq!(run(&documents)[1], (0, 1, 0, 0));
}

#[test]
fn repeated_links_without_guid_need_the_title() {
    let first = vec![item("", A, "one", "d"), item("", A, "two", "d")];
    let second = vec![item("", A, "two", "d"), item("", A, "three", "d")];
    assert_eq!(run(&[first, second]), [(2, 0, 0, 0), (1, 0, 0, 1)]);
}

#[test]
fn fragments_and_other_pages_are_other_links_but_tracking_is_not() {
    let first = vec![item("", "https://e.example/log#a", "A", "d"), item("", "https://e.example/log#b", "B", "d")];
    let second = vec![
        item("", "http://E.example/log?utm_source=rss#a", "A", "d"),
        item("", "https://e.example/log#c", "A", "d"),
    ];
    assert_eq!(run(&[first, second])[1], (1, 0, 0, 1));
}

#[test]
fn neither_guid_nor_link_leaves_title_and_date_or_the_digest() {
    let first = vec![item("", "", "A", "d1"), item("", "", "", "d2"), item("", "", "", "d3")];
    assert_eq!(run(&[first.clone(), first]), [(3, 0, 0, 0), (0, 0, 0, 3)]);
}

#[test]
fn rotated_guids_are_aliases_again_and_again() {
    let round = |guid: &str| vec![item(&format!("{guid}1"), A, "A", "d"), item(&format!("{guid}2"), B, "B", "d")];
    let counts = run(&[round("x"), round("y"), round("z"), round("y")]);
    assert_eq!(counts, [(2, 0, 0, 0), (0, 0, 2, 0), (0, 0, 2, 0), (0, 0, 0, 2)]);
}

#[test]
fn no_alias_where_the_link_or_title_speaks_against_it() {
    let link = |guid: &str, title: &str| item(guid, A, title, "d");
    assert_eq!(run(&[vec![link("1", "A")], vec![link("2", "other")]])[1], (1, 0, 0, 0));
    assert_eq!(run(&[vec![link("1", "A")], vec![link("1", "A"), link("2", "A")]])[1], (1, 0, 0, 1));
    assert_eq!(run(&[vec![link("1", "A"), link("2", "A")], vec![link("3", "A")]])[1], (1, 0, 0, 0));
}

#[test]
fn distinct_guids_in_one_document_are_distinct_items() {
    assert_eq!(run(&[vec![item("1", A, "down", "d"), item("2", A, "down", "d")]]), [(2, 0, 0, 0)]);
}

#[test]
fn rotation_of_a_passkey_changes_nothing() {
    let with = |key: &str| {
        let guid = format!("https://t.example/dl?id=7&passkey={key}");
        vec![item(&guid, &format!("https://t.example/d?id=7&passkey={key}"), "T", "d"), item("", &guid, "U", "d")]
    };
    assert_eq!(run(&[with("AAAA1111"), with("BBBB2222")]), [(2, 0, 0, 0), (0, 0, 0, 2)]);
}

#[test]
fn a_gap_is_two_full_windows_that_share_nothing() {
    let apply = |cursor: &FeedCursor, items: &[FeedItem], batch| apply_feed_items(cursor, items, batch, now());
    let (cursor, first) = apply(&FeedCursor::default(), &[item("1", A, "A", "d")], Batch::Whole);
    assert!(!first.possible_gap, "the first time");
    let (same, empty) = apply(&cursor, &[], Batch::Whole);
    assert_eq!((same, empty), (cursor.clone(), Applied::default()), "an empty batch");
    assert!(!apply(&cursor, &[item("2", B, "B", "d")], Batch::Delta).1.possible_gap, "a delta");
    let (cursor, gap) = apply(&cursor, &[item("2", B, "B", "d")], Batch::Whole);
    assert!(gap.possible_gap && gap.new == [0]);
    let (_, bumped) = apply(&cursor, &[item("1", A, "A", "d")], Batch::Whole);
    assert!(bumped.possible_gap && bumped.new.is_empty() && bumped.unchanged == 1, "an old item is no overlap");
}

#[test]
fn a_delta_widens_the_window() {
    let (cursor, _) = apply_feed_items(&FeedCursor::default(), &[item("1", A, "A", "d")], Batch::Whole, now());
    let (cursor, _) = apply_feed_items(&cursor, &[item("2", B, "B", "d")], Batch::Delta, now());
    assert_eq!(cursor.window(), 2);
    assert!(cursor.meets(&[item("1", A, "A", "d")]) && !cursor.meets(&[item("3", C, "C", "d")]));
}

#[test]
fn what_rolled_off_is_bounded() {
    let mut cursor = FeedCursor::default();
    for round in 0..70 {
        let items: Vec<_> = (0..100).map(|n| item(&format!("{round}-{n}"), "", "T", "d")).collect();
        cursor = apply_feed_items(&cursor, &items, Batch::Whole, now()).0;
    }
    assert_eq!(cursor.known.len(), MAX_ROLLED_OFF + 100);
    let (_, applied) =
        apply_feed_items(&cursor, &[item("69-1", "", "T", "d"), item("0-1", "", "T", "d")], Batch::Whole, now());
    assert_eq!((applied.new, applied.unchanged), (vec![1], 1));
}

#[test]
fn a_stored_cursor_shows_nothing() {
    let items = [item("https://t.example/?passkey=AAAA1111", "https://t.example/secret-title", "T", "d")];
    let (cursor, _) = apply_feed_items(&FeedCursor::default(), &items, Batch::Whole, now());
    let text = serde_json::to_string(&cursor).unwrap();
    assert!(!text.contains("AAAA1111") && !text.contains("example"), "{text}");
}

prop_compose! {
    fn any_item()(guid in "[0-3]?", link in "[a-c]?", title in "[A-C]?", digest in "[x-z]") -> FeedItem {
        let link = if link.is_empty() { String::new() } else { format!("https://e.example/{link}") };
        item(&guid, &link, &title, &digest)
    }
}

proptest! {
    #[test]
    fn every_item_is_counted_at_most_once_and_a_second_time_nothing_is_new(
        documents in prop::collection::vec(prop::collection::vec(any_item(), 0..8), 1..6),
    ) {
        let mut cursor = FeedCursor::default();
        for items in &documents {
            let (next, applied) = apply_feed_items(&cursor, items, Batch::Whole, now());
            let counted = applied.new.len() + applied.updated.len() + applied.aliased.len() + applied.unchanged;
            prop_assert!(counted <= items.len());
            prop_assert_eq!(next.window(), if items.is_empty() { cursor.window() } else { counted });
            let (again, second) = apply_feed_items(&next, items, Batch::Whole, now());
            prop_assert_eq!(second.new.len(), 0, "{:?}", second);
            prop_assert!(!second.possible_gap);
            prop_assert_eq!(again.window(), next.window());
            cursor = next;
        }
    }
}
