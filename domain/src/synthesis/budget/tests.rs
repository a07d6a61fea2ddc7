//! What `synthesis::budget` is held to.

use super::*;

fn tokens(input: u64, output: u64) -> Tokens {
    Tokens { input, output }
}

#[test]
fn what_is_reserved_counts_until_it_is_settled() {
    let mut budget = Budget::new(Some(1_000), None, Prices::default());
    budget.reserve(tokens(500, 100)).unwrap();
    assert_eq!(budget.reserve(tokens(400, 100)), Err(Exhausted::Tokens));
    budget.settle(tokens(500, 100), tokens(300, 50));
    assert_eq!((budget.spent(), budget.cost()), (tokens(300, 50), None));
    budget.reserve(tokens(400, 100)).unwrap();
    assert_eq!(budget.reserve(tokens(151, 0)), Err(Exhausted::Tokens));
    budget.reserve(tokens(150, 0)).unwrap();
}

#[test]
fn money_is_counted_by_the_prices_of_both_directions() {
    let mut budget = Budget::new(None, Some(0.01), Prices { input: 2.0, output: 10.0 });
    budget.reserve(tokens(1_000, 700)).unwrap();
    assert_eq!(budget.reserve(tokens(0, 101)), Err(Exhausted::Cost));
    budget.settle(tokens(1_000, 700), tokens(1_000, 100));
    assert!((budget.cost().unwrap() - 0.003).abs() < 1e-12);
    budget.reserve(tokens(0, 700)).unwrap();
}

#[test]
fn more_may_come_back_than_was_expected() {
    let mut budget = Budget::new(Some(1_000), None, Prices::default());
    budget.reserve(tokens(100, 100)).unwrap();
    budget.settle(tokens(100, 100), tokens(100, u64::MAX));
    assert_eq!(budget.reserve(tokens(1, 0)), Err(Exhausted::Tokens));
}

#[test]
fn a_limit_of_nothing_lets_nothing_through() {
    assert_eq!(Budget::new(Some(0), None, Prices::default()).reserve(tokens(1, 0)), Err(Exhausted::Tokens));
    assert!(Budget::new(None, None, Prices::default()).reserve(tokens(u64::MAX, u64::MAX)).is_ok());
}

#[test]
fn estimates_are_rather_too_high() {
    assert_eq!(estimated_tokens(""), 0);
    assert_eq!(estimated_tokens("The grid holds."), 5);
    assert_eq!(estimated_tokens("新しい電池"), 8);
}
