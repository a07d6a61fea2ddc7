//! What `synthesis::words` is held to.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(words(text), expected, "{text}");
}

#[test]
fn case_accents_and_width_are_folded() {
    check("Élan Vital, naïve CAFÉ", &["elan", "vital", "naive", "cafe"]);
    check("ＡＩ ﬁne Straße", &["ai", "fine", "straße"]);
    check("don't O’Neill's", &["dont", "oneills"]);
    check("GPT-4 costs 3.50", &["gpt", "4", "costs", "3", "50"]);
    check(" … ", &[]);
}

#[test]
fn cjk_runs_become_pairs_and_a_last_single() {
    check("人工智能", &["人工", "工智", "智能", "能"]);
    check("用AI写作", &["用", "ai", "写作", "作"]);
    check("인공지능은", &["인공", "공지", "지능", "능은", "은"]);
    check("データ", &["デー", "ータ", "タ"]);
    check("が", &["が"]);
}

#[test]
fn a_word_without_end_is_bounded() {
    let words = words(&"a".repeat(10_000));
    assert_eq!(words.len(), 1);
    assert_eq!(words[0].len(), MAX_WORD_BYTES);
}

proptest! {
    #[test]
    fn folding_is_stable(text in "\\PC{0,60}") {
        let once = words(&text);
        prop_assert!(once.iter().all(|word| !word.is_empty()));
        prop_assert_eq!(words(&text.to_lowercase()).len(), once.len());
    }
}
