//! What `synthesis::summary` is held to.

use super::*;
use crate::secret::PrivateUrl;
use crate::synthesis::article::{Article, LinkVia};

fn article(title: &str, markdown: &str) -> Article {
    let url = || PrivateUrl::new("https://a.example/1".parse().unwrap());
    Article {
        url: url(),
        source_url: url(),
        title: title.to_owned(),
        published_at: None,
        language: None,
        found_via: LinkVia::Feed,
        excerpt: None,
        content_markdown: markdown.to_owned(),
    }
}

#[track_caller]
fn check_sentences(text: &str, expected: &[&str]) {
    assert_eq!(sentences(text), expected);
}

#[test]
fn sentences_end_where_a_reader_would_say_so() {
    check_sentences(
        "The grid held. It was cold!  Was it? Yes.",
        &["The grid held.", "It was cold!", "Was it?", "Yes."],
    );
    check_sentences(
        "Dr. Ada Byron paid 3.5 million to J. Smith of the U.S. Navy. She left.",
        &["Dr. Ada Byron paid 3.5 million to J. Smith of the U.S. Navy.", "She left."],
    );
    check_sentences(
        "He said: “It works.” Then he left. (So did she.) End.",
        &["He said: “It works.”", "Then he left.", "(So did she.)", "End."],
    );
    check_sentences(
        "Visit example.org for more, e.g. the list. 2026 was warm.",
        &["Visit example.org for more, e.g. the list.", "2026 was warm."],
    );
    check_sentences(
        "電池が安くなった。「本当か？」と彼は言った。終わり",
        &["電池が安くなった。", "「本当か？」", "と彼は言った。"],
    );
    check_sentences("新电池上市了。价格下降！", &["新电池上市了。", "价格下降！"]);
    check_sentences("Wait… what? No way?! Fine.", &["Wait… what?", "No way?!", "Fine."]);
}

#[test]
fn what_is_no_whole_sentence_is_left_out() {
    check_sentences("A heading\nA sentence stands here. And this one is cut o", &["A sentence stands here."]);
    check_sentences("", &[]);
    check_sentences("...\n。", &["...", "。"]);
}

const GRID: &str = "# Storage\n\nThe city built a battery park beside the old power station last week. \
    The weather was fine and many people came. \
    The battery park stores enough power for the city for six hours.\n\n\
    ```\nlet battery = park.city.power.storage.battery();\n```\n\n\
    | battery | park |\n|---|---|\n| city battery power park one. | x |\n\n\
    - The mayor said that the battery park was paid for by the city.\n- Snacks were sold.\n\n\
    A dog barked at someone near the gate for a while.";

#[test]
fn the_sentences_that_say_most_are_chosen_in_the_order_of_the_text() {
    let chosen = key_sentences(&article("Battery park for the city", GRID), 2);
    assert_eq!(
        chosen,
        [
            "The city built a battery park beside the old power station last week.",
            "The battery park stores enough power for the city for six hours.",
        ]
    );
    assert!(key_sentences(&article("Battery park", GRID), 0).is_empty());
    assert!(key_sentences(&article("Nothing", "# A heading\n\nand a scrap"), 3).is_empty());
}

#[test]
fn a_sentence_that_is_repeated_is_chosen_once() {
    let text =
        "The battery park of the city opened on Monday morning. ".repeat(3) + "Visitors came by train from the coast.";
    let chosen = key_sentences(&article("Battery park", &text), 2);
    assert_eq!(chosen.len(), 2, "{chosen:?}");
    assert_ne!(chosen[0], chosen[1]);
}

#[test]
fn chinese_and_japanese_have_key_sentences_too() {
    let text = "新しい電池の工場が大阪で開かれた。天気は晴れだった。電池の工場は毎日千個の電池を作る。犬がいた。";
    let chosen = key_sentences(&article("大阪の電池工場", text), 2);
    assert_eq!(chosen, ["新しい電池の工場が大阪で開かれた。", "電池の工場は毎日千個の電池を作る。"]);
}

#[test]
fn every_sentence_of_an_overview_cites_the_article_that_it_stands_in() {
    let one = article("Battery park for the city", GRID);
    let same = article("A park of batteries", GRID);
    let other =
        article("Wind farm", "The wind farm off the northern coast has forty new turbines. More follow in spring.");
    let summary = overview(&[(4, &one), (7, &same), (9, &other)], 3);
    for sentence in &summary.sentences {
        let [place] = sentence.cites[..] else { panic!("{sentence:?}") };
        let text = if place == 9 { &other } else { &one };
        assert!(text.content_markdown.contains(&sentence.text), "{sentence:?}");
    }
    let texts: std::collections::BTreeSet<_> = summary.sentences.iter().map(|one| &one.text).collect();
    assert_eq!(texts.len(), summary.sentences.len(), "no sentence is said twice");
    assert!(summary.sentences.iter().any(|one| one.cites == [9]), "{summary:?}");
    assert_eq!(overview(&[(4, &one), (9, &other)], 1).sentences.len(), 1);
}

#[test]
fn markup_is_no_part_of_a_sentence() {
    let text = "The **battery** park of [the city](https://a.example/x) opened with a *long* speech today.";
    let chosen = key_sentences(&article("Battery", text), 1);
    assert_eq!(chosen, ["The battery park of the city opened with a long speech today."]);
}

#[test]
fn hostile_texts_cost_no_more_than_they_are_long() {
    for text in
        [". ".repeat(100_000), "a. B".repeat(50_000), "。".repeat(100_000), "(".repeat(200_000), "A.".repeat(100_000)]
    {
        let summary = key_sentences(&article("x", &text), 3);
        assert!(summary.len() <= 3);
        assert!(sentences(&text).len() <= text.len());
    }
}
