//! What `synthesis::classify` is held to.

use proptest::prelude::*;

use super::*;
use crate::secret::PrivateUrl;
use crate::synthesis::article::LinkVia;

fn article(title: &str, body: &str) -> Article {
    let url = PrivateUrl::new("https://a.example/1".parse().unwrap());
    Article {
        url: url.clone(),
        source_url: url,
        title: title.to_owned(),
        published_at: None,
        language: None,
        found_via: LinkVia::Feed,
        excerpt: None,
        content_markdown: body.to_owned(),
    }
}

fn topic(name: &str, terms: &[&str], exclude: &[&str]) -> Topic {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Topic { name: name.to_owned(), terms: owned(terms), exclude: owned(exclude), quota: None }
}

fn filler(words: usize) -> String {
    "lorem ipsum dolor sit amet ".repeat(words / 5)
}

#[track_caller]
fn check(topics: &[Topic], title: &str, body: &str, expected: Option<usize>) -> Verdict {
    let verdict = Scorer::new(topics, 0.3).judge(&article(title, body));
    assert_eq!(verdict.topic, expected, "{verdict:?}");
    verdict
}

#[test]
fn the_title_says_more_than_the_body() {
    let topics = [topic("Energy", &["solar power", "grid"], &[]), topic("Space", &["rocket"], &[])];
    let body = format!("{} a rocket {}", filler(300), filler(300));
    check(&topics, "Solar power beats coal", &body, Some(0));
    check(&topics, "A quiet week", &body, None);
    check(&topics, "A rocket for the moon", &body, Some(1));
}

#[test]
fn a_longer_text_needs_more_mentions() {
    let topics = [topic("Space", &["rocket"], &[])];
    let mention = |times: usize, words: usize| format!("{}{}", filler(words), "the rocket flew ".repeat(times));
    let short = check(&topics, "News", &mention(2, 200), Some(0)).score;
    let scorer = Scorer::new(&topics, 0.3);
    assert!(short > scorer.judge(&article("News", &mention(2, 2000))).score);
    assert!(short < scorer.judge(&article("News", &mention(9, 200))).score);
}

#[test]
fn words_are_found_whole_in_any_case_number_and_accent() {
    let topics = [topic("Cafés", &["Café culture", "battery", "class"], &[])];
    check(&topics, "CAFE CULTURES of Vienna", "", Some(0));
    check(&topics, "New batterys", "", Some(0));
    check(&topics, "Batteryless sensors", "", None);
    check(&topics, "A culture of cafe owners", "", None);
    check(&topics, "First class", "", Some(0));
}

#[test]
fn an_asterisk_lets_a_word_go_on() {
    let topics = [topic("Climate", &["climat*", "green energ*"], &[])];
    check(&topics, "Climatologists agree", "", Some(0));
    check(&topics, "Green energies", "", Some(0));
    check(&topics, "Acclimatise", "", None);
}

#[test]
fn chinese_japanese_and_korean_terms_are_found_inside_runs() {
    let topics = [topic("AI", &["人工智能", "機械学習", "인공지능", "芯"], &[])];
    check(&topics, "我国人工智能产业发展", "", Some(0));
    check(&topics, "最新の機械学習を学ぶ", "", Some(0));
    check(&topics, "새로운 인공지능은 무엇인가", "", Some(0));
    check(&topics, "国产芯片", "", Some(0));
    check(&topics, "人工降雨与智能手机", "", None);
}

#[test]
fn an_excluded_word_weighs_against_and_in_the_title_decides() {
    let topics = [topic("Apple", &["apple"], &["pie", "recipe"])];
    check(&topics, "Apple pie", "", None);
    let clean = check(&topics, "Apple reports", &filler(100), Some(0)).score;
    let body = format!("{} {} pie", filler(100), filler(100));
    assert!(Scorer::new(&topics, 0.3).judge(&article("Apple reports", &body)).score < clean);
}

#[test]
fn a_topic_without_terms_is_searched_by_its_name() {
    check(&[topic("Open source", &[], &[])], "Open source wins", "", Some(0));
}

#[test]
fn links_do_not_count_as_text() {
    let body = format!("{} [here](https://a.example/rocket/rocket/rocket)", filler(200));
    check(&[topic("Space", &["rocket"], &[])], "News", &body, None);
}

#[test]
fn the_reason_names_the_terms_and_their_places() {
    let body = format!("{} The grid and the grid.", filler(200));
    let verdict = check(&[topic("Energy", &["grid", "solar power"], &[])], "Solar power", &body, Some(0));
    assert_eq!(verdict.reason, "“solar power” (title), “grid” (2× in the text)");
}

#[test]
fn without_topics_nothing_fits() {
    check(&[], "Anything", "at all", None);
    check(&[topic("…", &["!?"], &[])], "Anything", "at all !?", None);
}

proptest! {
    #[test]
    fn scores_stay_between_nought_and_one(title in "[a-d ]{0,20}", body in "[a-d ]{0,200}", terms in proptest::collection::vec("[a-d ]{1,4}", 1..6)) {
        let topic = Topic { terms, ..topic("t", &[], &["d d"]) };
        let verdict = Scorer::new(&[topic], 0.3).judge(&article(&title, &body));
        prop_assert!((0.0..=1.0).contains(&verdict.score), "{verdict:?}");
        prop_assert!(verdict.topic.is_none() || verdict.score >= 0.3);
        prop_assert!(!verdict.reason.is_empty());
    }

    #[test]
    fn a_further_mention_never_lowers_the_score(times in 0usize..20) {
        let scorer = Scorer::new(&[topic("t", &["rocket"], &[])], 0.3);
        // The text keeps its length: one filler word gives way to each mention.
        let body = |times: usize| format!("{}{}", filler(100), "rocket ".repeat(times) + &"word ".repeat(30 - times));
        let score = |times| scorer.judge(&article("News", &body(times))).score;
        prop_assert!(score(times + 1) >= score(times));
    }
}
