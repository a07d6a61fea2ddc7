//! What `synthesis::quota` is held to.

use proptest::prelude::*;

use super::*;

fn contender(topic: usize, source: usize, score: f64) -> Contender {
    Contender { topic, source, score, published_at: None }
}

fn kept(admissions: &[Admission]) -> Vec<usize> {
    let kept = |(_, admission): &(usize, &Admission)| **admission == Admission::Kept;
    admissions.iter().enumerate().filter(kept).map(|(index, _)| index).collect()
}

#[test]
fn a_topic_keeps_its_best_up_to_the_quota() {
    let mut quotas = Quotas::new(Limits { topics: vec![Some(2), None], ..Limits::default() });
    let wave = [contender(0, 0, 0.4), contender(0, 1, 0.9), contender(0, 2, 0.6), contender(1, 3, 0.1)];
    assert_eq!(quotas.admit(&wave), [Admission::TopicFull, Admission::Kept, Admission::Kept, Admission::Kept]);
    assert!(!quotas.are_met(), "the second topic has no limit");
    assert_eq!(quotas.unmet(), [0usize; 0]);
}

#[test]
fn the_cap_of_a_source_counts_what_is_kept_over_all_waves_and_topics() {
    let mut quotas = Quotas::new(Limits { topics: vec![Some(1), None], source: Some(2), run: None });
    let first = [contender(0, 0, 0.9), contender(0, 0, 0.8), contender(1, 0, 0.5)];
    assert_eq!(quotas.admit(&first), [Admission::Kept, Admission::TopicFull, Admission::Kept]);
    assert_eq!(quotas.admit(&[contender(1, 0, 0.9), contender(1, 1, 0.2)]), [Admission::SourceFull, Admission::Kept]);
}

#[test]
fn of_articles_of_about_the_same_worth_other_sources_come_first() {
    let mut quotas = Quotas::new(Limits { topics: vec![Some(3)], ..Limits::default() });
    let wave = [
        contender(0, 0, 0.80),
        contender(0, 0, 0.79),
        contender(0, 0, 0.78),
        contender(0, 1, 0.75),
        contender(0, 2, 0.4),
    ];
    assert_eq!(kept(&quotas.admit(&wave)), [0, 1, 3]);
}

#[test]
fn ties_go_to_the_newer_then_to_the_earlier() {
    let mut quotas = Quotas::new(Limits { topics: vec![Some(2)], ..Limits::default() });
    let newer = Contender { published_at: Some("2026-05-20T12:00:00Z".parse().unwrap()), ..contender(0, 3, 0.5) };
    let wave = [contender(0, 1, 0.5), contender(0, 2, 0.5), newer];
    assert_eq!(kept(&quotas.admit(&wave)), [0, 2]);
}

#[test]
fn a_full_run_ends_it_all() {
    let mut quotas = Quotas::new(Limits { run: Some(1), ..Limits::default() });
    assert_eq!(quotas.admit(&[contender(0, 0, 1.0), contender(0, 1, 1.0)]), [Admission::Kept, Admission::RunFull]);
    assert!(quotas.are_met());
}

#[test]
fn topics_that_lack_something_are_named() {
    let mut quotas = Quotas::new(Limits { topics: vec![Some(2), None, None], ..Limits::default() });
    quotas.admit(&[contender(0, 0, 0.9), contender(2, 0, 0.9)]);
    assert_eq!(quotas.unmet(), [0, 1]);
}

#[test]
fn a_topic_that_does_not_exist_has_no_room() {
    let mut quotas = Quotas::new(Limits::default());
    assert_eq!(quotas.admit(&[contender(7, 0, 0.9)]), [Admission::TopicFull]);
}

fn any_contender() -> impl Strategy<Value = Contender> {
    (0usize..3, 0usize..4, 0u8..5).prop_map(|(topic, source, score)| contender(topic, source, f64::from(score) / 4.0))
}

proptest! {
    #[test]
    fn no_limit_is_ever_broken_and_no_room_wasted(
        waves in proptest::collection::vec(proptest::collection::vec(any_contender(), 0..20), 0..4),
        topics in proptest::collection::vec(proptest::option::of(0usize..5), 3),
        source in proptest::option::of(0usize..5),
        run in proptest::option::of(0usize..12),
    ) {
        let mut quotas = Quotas::new(Limits { topics: topics.clone(), source, run });
        let mut all = Vec::new();
        for wave in &waves {
            let admissions = quotas.admit(wave);
            prop_assert_eq!(admissions.len(), wave.len());
            all.extend(wave.iter().copied().zip(admissions));
        }
        let kept: Vec<Contender> = all.iter().filter(|(_, admission)| *admission == Admission::Kept).map(|(known, _)| *known).collect();
        let of_topic = |topic: usize| kept.iter().filter(|known| known.topic == topic).count();
        let of_source = |source: usize| kept.iter().filter(|known| known.source == source).count();
        for (topic, quota) in topics.iter().enumerate() {
            prop_assert!(quota.is_none_or(|quota| of_topic(topic) <= quota));
        }
        for number in 0..4 {
            prop_assert!(source.is_none_or(|limit| of_source(number) <= limit));
        }
        prop_assert!(run.is_none_or(|limit| kept.len() <= limit));
        for (refused, admission) in &all {
            match admission {
                Admission::Kept => {}
                Admission::TopicFull => prop_assert_eq!(Some(of_topic(refused.topic)), topics[refused.topic]),
                Admission::SourceFull => prop_assert_eq!(Some(of_source(refused.source)), source),
                Admission::RunFull => prop_assert_eq!(Some(kept.len()), run),
            }
        }
    }

    #[test]
    fn the_outcome_does_not_depend_on_the_order_where_nothing_ties(
        scores in proptest::collection::btree_set(0u16..10_000, 1..12), turn in 0usize..12,
    ) {
        let wave: Vec<Contender> = scores
            .iter()
            .enumerate()
            .map(|(number, score)| contender(0, number, f64::from(*score) / 10_000.0))
            .collect();
        let mut turned = wave.clone();
        turned.rotate_left(turn % wave.len());
        let limits = Limits { topics: vec![Some(4)], ..Limits::default() };
        let chosen = |wave: &[Contender]| {
            let admissions = Quotas::new(limits.clone()).admit(wave);
            let mut sources: Vec<usize> = kept(&admissions).into_iter().map(|index| wave[index].source).collect();
            sources.sort_unstable();
            sources
        };
        prop_assert_eq!(chosen(&wave), chosen(&turned));
    }
}
