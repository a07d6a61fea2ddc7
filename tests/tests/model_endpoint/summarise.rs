//! Does every sentence that a model writes cite an article that it was given?

use std::sync::Arc;

use async_trait::async_trait;
use headwater_adapters_llm::ModelSummariser;
use headwater_domain::synthesis::digest::DigestArticle;
use headwater_domain::synthesis::summary::{CitedSentence, Overview, Summary, Writer};
use headwater_ports::{Result, Summaries, Summariser};
use headwater_tests::chat::{ChatStandIn, Says};
use serde_json::json;

use super::kit::{Bench, article};

/// Takes the first sentence of each article, and of each topic.
struct First;

#[async_trait]
impl Summariser for First {
    async fn summarise(&self, articles: &[DigestArticle], topics: &[String]) -> Result<Summaries> {
        let first = |place: usize| Summary {
            sentences: vec![CitedSentence { text: articles[place].article.title.clone(), cites: vec![place] }],
        };
        let overview = |topic| {
            let place = articles.iter().position(|one| one.topic == Some(topic))?;
            Some(Overview { topic: Some(topic), written_by: Writer::Extract, summary: first(place) })
        };
        Ok(Summaries {
            articles: (0..articles.len()).map(first).collect(),
            overviews: (0..topics.len()).filter_map(overview).collect(),
        })
    }
}

fn kept(number: usize, topic: usize) -> DigestArticle {
    DigestArticle {
        article: article(number),
        topic: Some(topic),
        score: 0.9,
        reason: String::new(),
        also_in: Vec::new(),
        summary: Summary::default(),
    }
}

/// Two articles about energy, then one about space.
fn digest() -> (Vec<DigestArticle>, Vec<String>) {
    (vec![kept(1, 0), kept(2, 0), kept(3, 1)], vec!["Energy".to_owned(), "Space".to_owned()])
}

async fn summarise(server: &ChatStandIn) -> (Bench, Summaries) {
    let bench = Bench::new(server, |_| {});
    let summariser = ModelSummariser::new(Arc::clone(&bench.model), Arc::new(First), 3);
    let (articles, topics) = digest();
    let summaries = summariser.summarise(&articles, &topics).await.unwrap();
    assert_eq!(summaries.articles.len(), 3, "each article keeps its own sentences");
    (bench, summaries)
}

#[tokio::test]
async fn a_topic_is_summarised_in_the_model_s_words_with_citations() {
    let server = ChatStandIn::start(|_| {
        let sentences = json!([
            { "text": "Two towns have batteries.", "cites": [1, 2] },
            { "text": "Nobody says this.", "cites": [] },
            { "text": "Another digest says this.", "cites": [3] },
            { "text": "See https://evil.example/.", "cites": [1] },
        ]);
        Says::Content(json!({ "sentences": sentences }).to_string())
    })
    .await;
    let (bench, summaries) = summarise(&server).await;
    let energy = &summaries.overviews[0];
    assert_eq!((energy.topic, energy.written_by), (Some(0), Writer::Model));
    assert_eq!(
        energy.summary.sentences,
        [CitedSentence { text: "Two towns have batteries.".to_owned(), cites: vec![0, 1] }]
    );
    assert_eq!(summaries.overviews[1].written_by, Writer::Extract, "one article needs no overview of its own");
    assert_eq!(bench.used().requests, 1);
    let (articles, topics) = digest();
    let again = ModelSummariser::new(Arc::clone(&bench.model), Arc::new(First), 3);
    assert_eq!(again.summarise(&articles, &topics).await.unwrap(), summaries);
    assert_eq!((bench.used().cached, server.questions().len()), (1, 1), "the answer was kept");
}

#[tokio::test]
async fn a_summary_without_citations_gives_way_to_the_articles_own_sentences() {
    for says in [
        Says::Content(json!({ "sentences": [{ "text": "It is so.", "cites": [] }] }).to_string()),
        Says::Content("It is so.".to_owned()),
        Says::Refusal,
        Says::Fails(401, "invalid_api_key", None),
    ] {
        let server = ChatStandIn::start(move |_| says.clone()).await;
        let (bench, summaries) = summarise(&server).await;
        assert!(summaries.overviews.iter().all(|overview| overview.written_by == Writer::Extract), "{summaries:?}");
        let used = bench.used();
        assert_eq!((used.fallbacks, used.notes.len()), (1, 1), "{used:?}");
    }
}
