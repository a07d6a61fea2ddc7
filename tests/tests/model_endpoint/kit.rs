//! What these tests share: a model with fakes around it, and articles.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_adapters_llm::{Model, ModelClassifier, ModelConfig, ModelParts};
use headwater_domain::net::Exemptions;
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_domain::synthesis::article::{Article, LinkVia};
use headwater_domain::synthesis::classify::Scorer;
use headwater_domain::synthesis::model_use::ModelUse;
use headwater_domain::synthesis::source::TenantId;
use headwater_domain::synthesis::topic::{Topic, Verdict};
use headwater_ports::{Classifier, ModelMeter as _, Result};
use headwater_tests::chat::{ChatStandIn, KEY};
use headwater_tests::fakes::{FakeClock, FakeTimer, MemoryStore};

/// A model with everything around it.
pub(super) struct Bench {
    pub(super) model: Arc<Model>,
    pub(super) timer: Arc<FakeTimer>,
    pub(super) classifier: ModelClassifier,
}

impl Bench {
    /// The model behind a stand-in, with a store of its own.
    pub(super) fn new(server: &ChatStandIn, change: impl FnOnce(&mut ModelConfig)) -> Self {
        Self::over(server, Arc::new(MemoryStore::default()), change)
    }

    /// The same over a store that was there before.
    pub(super) fn over(server: &ChatStandIn, store: Arc<MemoryStore>, change: impl FnOnce(&mut ModelConfig)) -> Self {
        let mut config = ModelConfig::new(url(&server.url()), "small-model");
        config.key = Some(Secret::new(KEY.to_owned()));
        config.timeout = Duration::from_secs(20);
        change(&mut config);
        let mut exemptions = Exemptions::default();
        exemptions.add("127.0.0.1").unwrap();
        let fetcher = HyperFetcher::new(HttpConfig { exemptions, ..HttpConfig::default() }).unwrap();
        let clock = Arc::new(FakeClock::default());
        let timer = Arc::new(FakeTimer::new(Arc::clone(&clock)));
        let parts = ModelParts {
            fetcher: Arc::new(fetcher),
            answers: store,
            tenant: TenantId::default(),
            clock,
            timer: Arc::clone(&timer) as _,
        };
        let model = Arc::new(Model::new(config, parts));
        let classifier = ModelClassifier::new(Arc::clone(&model), Arc::new(Words), 0.3);
        Self { model, timer, classifier }
    }

    /// The verdicts on these articles.
    pub(super) async fn judge(&self, articles: &[Article]) -> Vec<Verdict> {
        let verdicts = self.classifier.classify(articles, &topics()).await.unwrap();
        assert_eq!(verdicts.len(), articles.len());
        verdicts
    }

    /// What was used since the last look.
    pub(super) fn used(&self) -> ModelUse {
        self.model.take()
    }
}

/// Judges by words alone, as the offline classifier does.
pub(super) struct Words;

#[async_trait]
impl Classifier for Words {
    async fn classify(&self, articles: &[Article], topics: &[Topic]) -> Result<Vec<Verdict>> {
        let scorer = Scorer::new(topics, 0.3);
        Ok(articles.iter().map(|article| scorer.judge(article)).collect())
    }
}

/// Energy and space.
pub(super) fn topics() -> Vec<Topic> {
    let topic = |name: &str, term: &str| Topic {
        name: name.to_owned(),
        terms: vec![term.to_owned()],
        exclude: Vec::new(),
        quota: None,
    };
    vec![topic("Energy", "battery"), topic("Space", "rocket")]
}

/// An article about batteries, by its words.
pub(super) fn article(number: usize) -> Article {
    Article {
        url: url(&format!("https://a.example/{number}")),
        source_url: url("https://a.example/"),
        title: format!("A battery for town {number}"),
        published_at: None,
        language: None,
        found_via: LinkVia::Feed,
        excerpt: None,
        content_markdown: format!(
            "The battery of town {number} stores power for the night. Many people came to see it."
        ),
    }
}

pub(super) fn articles(count: usize) -> Vec<Article> {
    (0..count).map(article).collect()
}

pub(super) fn url(text: &str) -> PrivateUrl {
    PrivateUrl::new(text.parse().unwrap())
}
