//! What `synthesis::wave` is held to.

use proptest::prelude::*;

use super::*;

#[test]
fn preferred_sources_come_first_and_keep_their_order() {
    let sources = vec![("a", false), ("b", true), ("c", false), ("d", true), ("e", false)];
    let waves = waves(sources, 2, |source| source.1);
    let names: Vec<Vec<&str>> = waves.iter().map(|wave| wave.iter().map(|source| source.0).collect()).collect();
    assert_eq!(names, [vec!["b", "d"], vec!["a", "c"], vec!["e"]]);
}

#[test]
fn nothing_makes_no_wave_and_size_zero_is_one() {
    assert!(waves(Vec::<u8>::new(), 4, |_| true).is_empty());
    assert_eq!(waves(vec![1, 2], 0, |_| false), [vec![1], vec![2]]);
}

#[test]
fn lists_take_turns() {
    assert_eq!(interleave(vec![vec![1, 2, 3], vec![], vec![4], vec![5, 6]]), [1, 4, 5, 2, 6, 3]);
}

proptest! {
    #[test]
    fn every_source_is_in_exactly_one_wave(flags in proptest::collection::vec(any::<bool>(), 0..60), size in 0usize..9) {
        let sources: Vec<(usize, bool)> = flags.into_iter().enumerate().collect();
        let waves = waves(sources.clone(), size, |source| source.1);
        prop_assert!(waves.iter().all(|wave| !wave.is_empty() && wave.len() <= size.max(1)));
        let flat: Vec<(usize, bool)> = waves.into_iter().flatten().collect();
        let mut expected = sources;
        expected.sort_by_key(|source| (!source.1, source.0));
        prop_assert_eq!(flat, expected);
    }

    #[test]
    fn interleaving_loses_and_reorders_nothing_within_a_list(lens in proptest::collection::vec(0usize..6, 0..6)) {
        let lists: Vec<Vec<(usize, usize)>> =
            lens.iter().enumerate().map(|(list, len)| (0..*len).map(|place| (list, place)).collect()).collect();
        let mut mixed = interleave(lists.clone());
        let turns: Vec<usize> = mixed.iter().map(|element| element.1).collect();
        prop_assert!(turns.is_sorted());
        mixed.sort();
        prop_assert_eq!(mixed, lists.concat());
    }
}
