//! What `overview` is held to.

use super::*;

fn parsed(sentences: &Value) -> Result<Summary, &'static str> {
    parse(&json!({ "sentences": sentences }).to_string(), &[4, 9], 3)
}

#[test]
fn a_sentence_is_shown_with_the_articles_that_it_cites() {
    let summary = parsed(&json!([{ "text": "Both\n say so.", "cites": [2, 1, 2] }])).unwrap();
    assert_eq!(summary.sentences, [CitedSentence { text: "Both say so.".to_owned(), cites: vec![9, 4] }]);
}

#[test]
fn what_cites_nothing_or_something_else_or_brings_a_link_is_left_out() {
    let fine = json!({ "text": "Fine.", "cites": [1] });
    for bad in [
        json!({ "text": "Nobody says so.", "cites": [] }),
        json!({ "text": "Another says so.", "cites": [1, 3] }),
        json!({ "text": "Another says so.", "cites": [0] }),
        json!({ "text": "", "cites": [1] }),
        json!({ "text": "Go to https://evil.example/ now.", "cites": [1] }),
        json!({ "text": "Go to www.evil.example now.", "cites": [1] }),
        json!({ "text": "<img src=x>", "cites": [1] }),
        json!({ "text": "x".repeat(401), "cites": [1] }),
    ] {
        let summary = parsed(&json!([bad, fine])).unwrap();
        assert_eq!(summary.sentences.len(), 1, "{bad}");
        assert!(parsed(&json!([bad])).is_err(), "{bad}");
    }
    assert_eq!(parsed(&json!([fine, fine, fine, fine])).unwrap().sentences.len(), 3);
}

#[test]
fn an_answer_of_another_form_is_refused() {
    for answer in ["", "{}", "[]", "{\"sentences\":[{\"text\":\"x\"}]}", "{\"sentences\":[],\"x\":1}"] {
        assert!(parse(answer, &[0], 3).is_err(), "{answer}");
    }
}
