//! Does a run with a language model use it as it is told to, and is the digest there without it?

use headwater_tests::chat::{ChatStandIn, KEY, Says};
use serde_json::{Value, json};

use crate::kit::{Ended, Headwater, items, rss, site};

const TOPICS: &str =
    "[[topic]]\nname = \"Mills\"\nterms = [\"mill\"]\n[[topic]]\nname = \"Rivers\"\nterms = [\"barge\"]\n";

fn run(headwater: &Headwater, url: &str, server: &ChatStandIn, more: &str) -> Ended {
    let model = format!("[model]\nurl = \"{}\"\nname = \"small-model\"\nsummarise = true\n{more}", server.url());
    let config = headwater.write("headwater.toml", model).display().to_string();
    let topics = headwater.write("topics.toml", TOPICS).display().to_string();
    let mut command = headwater.command(crate::kit::NOW, &[url, "--json", "--config", &config, "--topics", &topics]);
    command.env("HEADWATER__MODEL__KEY", KEY);
    tokio::task::block_in_place(|| Ended::of(command.output().expect("the binary runs")))
}

/// Everything is about rivers; a topic is summed up with one sentence about its first two articles.
async fn model() -> ChatStandIn {
    ChatStandIn::start(|asked| {
        if asked.body["response_format"]["json_schema"]["name"] == "verdicts" {
            return asked.verdicts(|_| (2, 0.8));
        }
        let sentences =
            json!([{ "text": "Both are about water.", "cites": [1, 2] }, { "text": "Nobody says so.", "cites": [] }]);
        Says::Content(json!({ "sentences": sentences }).to_string())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_model_judges_and_sums_up_and_the_digest_says_so() {
    let (headwater, site, server) = (Headwater::new(), site(), model().await);
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let ended = run(&headwater, &site.url("/"), &server, "input_price = 1.0\noutput_price = 2.0\n");
    assert_eq!(ended.status, 0, "{ended:?}");
    let digest = ended.json();
    for article in digest["articles"].as_array().unwrap() {
        assert_eq!(article["topic"], "Rivers");
        assert_eq!(article["reason"], "judged by small-model: It says so");
        for sentence in article["summary"].as_array().unwrap() {
            assert_eq!(sentence["cites"], json!([article["url"]]));
        }
    }
    let summary = &digest["summaries"][0];
    assert_eq!((&summary["topic"], &summary["written_by"]), (&json!("Rivers"), &json!("model")));
    let urls: Vec<&Value> = digest["articles"].as_array().unwrap().iter().map(|article| &article["url"]).collect();
    assert_eq!(summary["sentences"], json!([{ "text": "Both are about water.", "cites": [urls[0], urls[1]] }]));
    assert_eq!((&digest["model"]["requests"], &digest["model"]["fallbacks"]), (&json!(2), &json!(0)));
    assert!(digest["model"]["cost"].as_f64().unwrap() > 0.0);
    assert!(!format!("{ended:?}").contains(KEY));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_model_the_words_decide_and_the_report_says_why() {
    let (headwater, site) = (Headwater::new(), site());
    let server = ChatStandIn::start(|_| Says::Fails(401, "invalid_api_key", None)).await;
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let ended = run(&headwater, &site.url("/"), &server, "");
    assert_eq!(ended.status, 0, "a digest came about all the same: {ended:?}");
    let digest = ended.json();
    assert_eq!(digest["articles"].as_array().unwrap().len(), 3);
    for article in digest["articles"].as_array().unwrap() {
        assert_eq!(article["topic"], "Mills");
        assert!(
            article["reason"].as_str().unwrap().contains("(by its words: the endpoint refused the key"),
            "{article}"
        );
    }
    assert_eq!(digest["summaries"][0]["written_by"], "extract");
    let notes = digest["model"]["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("HTTP 401")), "{notes:?}");
    assert!(!format!("{ended:?}").contains(KEY));
}
