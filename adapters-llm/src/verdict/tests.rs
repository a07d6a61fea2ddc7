//! What `verdict` is held to.

use super::*;

fn one(article: u64, topic: u64, score: f64) -> String {
    format!("{{\"article\":{article},\"topic\":{topic},\"score\":{score},\"reason\":\"r\"}}")
}

fn document(verdicts: &[String]) -> String {
    format!("{{\"verdicts\":[{}]}}", verdicts.join(","))
}

#[test]
fn verdicts_come_in_the_order_of_the_articles() {
    let given = parse(&document(&[one(2, 0, 0.25), one(1, 2, 1.0)]), 2, 2).unwrap();
    let given: Vec<_> = given.into_iter().map(|one| one.unwrap().verdict("m", 0.3)).collect();
    assert_eq!((given[0].topic, given[0].score, given[0].reason.as_str()), (Some(1), 1.0, "judged by m: r"));
    assert_eq!(given[1].topic, None);
}

#[test]
fn an_answer_of_another_form_is_refused() {
    for answer in [
        "",
        "[]",
        "null",
        "Sure! Here is the JSON: {\"verdicts\":[]}",
        "{\"verdicts\":[]}",
        "{\"verdicts\":[],\"note\":\"x\"}",
        &document(&[one(1, 1, 0.5), one(1, 1, 0.5)]),
        &document(&[one(1, 1, 0.5), one(3, 1, 0.5)]),
        &document(&[one(1, 1, 0.5), one(0, 1, 0.5)]),
        &document(&[one(1, 1, 0.5), one(2, 1, 0.5), one(2, 1, 0.5)]),
        &document(&[one(1, 1, 0.5), one(2, 1, 0.5).replace("\"r\"", "7")]),
        &document(&[one(1, 1, 0.5), one(2, 1, 0.5).replace("article", "art")]),
        &document(&[one(1, 1, 0.5), one(2, 1, 0.5).replace("0.5", "1e999")]),
        &("[".repeat(100_000)),
    ] {
        assert!(parse(answer, 2, 2).is_err(), "{answer:.60}");
    }
}

#[test]
fn a_verdict_that_cannot_be_costs_that_article_only() {
    let given = parse(&document(&[one(1, 3, 0.5), one(2, 1, 1.5), one(3, 1, -0.1), one(4, 2, 0.9)]), 4, 2).unwrap();
    assert_eq!(given.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, false, false, true]);
}

#[test]
fn a_weak_verdict_is_none() {
    let given = |score| kept(&format!("{{\"topic\":1,\"score\":{score},\"reason\":\"\"}}"), 1).unwrap();
    assert_eq!(given(0.29).verdict("m", 0.3).topic, None);
    assert_eq!(given(0.3).verdict("m", 0.3).topic, Some(0));
    assert_eq!(given(0.0).verdict("m", 0.0).topic, None);
    assert_eq!(kept("{\"topic\":2,\"score\":0.5,\"reason\":\"\"}", 1), None, "a topic was removed since");
}

#[test]
fn a_reason_is_one_short_line() {
    let text = json!({ "topic": 1, "score": 0.5, "reason": format!("a\n\n\u{7} b {}", "x".repeat(500)) }).to_string();
    let reason = kept(&text, 1).unwrap().reason;
    assert!(reason.starts_with("a b x") && reason.chars().count() == 200, "{reason}");
}
