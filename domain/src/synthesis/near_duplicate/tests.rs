//! What `synthesis::near_duplicate` is held to.

use proptest::prelude::*;

use super::*;

/// Words that are all different, so that shingles are too.
fn text(from: usize, count: usize) -> String {
    (from..from + count).map(|number| format!("word{number} ")).collect()
}

#[test]
fn a_text_is_near_itself_with_small_changes() {
    let original = text(0, 400);
    let print = Fingerprint::of(&original).unwrap();
    assert!(print.is_near(Fingerprint::of(&original.to_uppercase()).unwrap()));
    assert!(print.is_near(Fingerprint::of(&format!("{original} Source: the agency")).unwrap()));
}

#[test]
fn other_texts_are_not_near() {
    let print = Fingerprint::of(&text(0, 400)).unwrap();
    assert!(!print.is_near(Fingerprint::of(&text(1000, 400)).unwrap()));
    assert!(!print.is_near(Fingerprint::of(&text(0, 250)).unwrap()));
}

#[test]
fn a_short_text_has_no_fingerprint() {
    assert_eq!(Fingerprint::of("Please subscribe to read this article."), None);
    assert_eq!(Fingerprint::of(""), None);
    assert!(Fingerprint::of(&text(0, SHINGLE_WORDS + MIN_SHINGLES - 1)).is_some());
    assert!(Fingerprint::of(&text(0, SHINGLE_WORDS + MIN_SHINGLES - 2)).is_none());
}

#[test]
fn a_fingerprint_is_the_same_on_every_machine() {
    assert_eq!(Fingerprint::of(&text(0, 100)).unwrap().bits, 8_979_004_175_546_300_692);
}

#[test]
fn the_first_of_several_is_found() {
    let mut prints = Fingerprints::default();
    for number in 0..20 {
        prints.add(Fingerprint::of(&text(number * 1000, 200)).unwrap(), number);
    }
    prints.add(Fingerprint::of(&text(3000, 200)).unwrap(), 20);
    assert_eq!(prints.find(Fingerprint::of(&text(3000, 200)).unwrap()), Some(3));
    assert_eq!(prints.find(Fingerprint::of(&text(99_000, 200)).unwrap()), None);
}

proptest! {
    #[test]
    fn up_to_three_changed_bits_are_always_found(bits: u64, flips in proptest::collection::vec(0u32..64, 0..=3)) {
        let mut prints = Fingerprints::default();
        prints.add(Fingerprint { bits, shingles: 100 }, 7);
        let changed = flips.iter().fold(bits, |bits, flip| bits ^ 1 << flip);
        prop_assert_eq!(prints.find(Fingerprint { bits: changed, shingles: 100 }), Some(7));
    }
}
