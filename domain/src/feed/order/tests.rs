//! What `feed::order` is held to.

use proptest::prelude::*;

use super::*;

fn at(hours: i64) -> Timestamp {
    Timestamp::from_second(1_714_644_000 + hours * 3600).unwrap()
}

#[track_caller]
fn check(dates: &[Option<i64>], expected: &[usize]) {
    let mut items: Vec<_> = dates.iter().map(|date| date.map(at)).enumerate().collect();
    newest_first(&mut items, at(0), |(_, date)| *date);
    assert_eq!(items.iter().map(|(place, _)| *place).collect::<Vec<_>>(), expected);
}

#[test]
fn newest_first_and_undated_last() {
    check(&[Some(-3), None, Some(-1), Some(-2)], &[2, 3, 0, 1]);
}

#[test]
fn more_than_a_day_ahead_is_undated() {
    check(&[Some(25), Some(-1), Some(24), None], &[2, 1, 0, 3]);
}

#[test]
fn ties_stay_in_document_order() {
    check(&[None, Some(-1), None, Some(-1)], &[1, 3, 0, 2]);
}

proptest! {
    #[test]
    fn the_order_is_total_and_stable(dates in prop::collection::vec(prop::option::of(-50_i64..50), 0..60)) {
        let mut items: Vec<_> = dates.iter().map(|date| date.map(at)).enumerate().collect();
        newest_first(&mut items, at(0), |(_, date)| *date);
        for pair in items.windows(2) {
            let (first, second) = (credible(pair[0].1, at(0)), credible(pair[1].1, at(0)));
            prop_assert!(first > second || (first == second && pair[0].0 < pair[1].0));
        }
    }
}
