//! A connector, a knowledge base and a stand-in, put together.

use std::sync::Arc;

use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_connectors::ConnectorPorts;
use headwater_connectors::notion::NotionConnector;
use headwater_domain::net::Exemptions;
use headwater_domain::secret::Secret;
use headwater_domain::sync::{DataSourceConfig, FailedItem, Note, SkippedItem};
use headwater_ports::{Connector, Fetcher, Result};
use headwater_tests::contract::connector::{Gate, GatedFetcher};
use headwater_tests::fakes::{FakeClock, FakeTimer, MemoryKnowledgeBase};
use headwater_tests::stand_in::notion::{NotionStandIn, World};
use jiff::SignedDuration;

/// What the tests of the connector work with.
pub(crate) struct Kit {
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) server: NotionStandIn,
    pub(crate) knowledge_base: MemoryKnowledgeBase,
    /// How long each wait was.
    pub(crate) timer: Arc<FakeTimer>,
}

impl Kit {
    /// An empty world.
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(FakeClock::default());
        let server = NotionStandIn::start(World::new(clock.clone())).await;
        let timer = Arc::new(FakeTimer::new(Arc::clone(&clock)));
        Self { clock, gate: Arc::default(), server, knowledge_base: MemoryKnowledgeBase::default(), timer }
    }

    /// A connector without any memory.
    pub(crate) fn connector(&self) -> NotionConnector {
        let mut exemptions = Exemptions::default();
        exemptions.add("127.0.0.1").expect("it is an address");
        let inner =
            HyperFetcher::new(HttpConfig { exemptions, ..HttpConfig::default() }).expect("the settings are sound");
        let fetcher: Arc<dyn Fetcher> = Arc::new(GatedFetcher::new(Arc::new(inner), Arc::clone(&self.gate)));
        NotionConnector::new(ConnectorPorts { fetcher, clock: self.clock.clone(), timer: self.timer.clone() })
    }

    /// A configuration in which those are selected.
    pub(crate) fn config(&self, resources: &[&str]) -> DataSourceConfig {
        let mut config = DataSourceConfig {
            connector_type: "notion".to_owned(),
            resource_ids: resources.iter().map(|&id| id.to_owned()).collect(),
            ..DataSourceConfig::default()
        };
        config.credentials.insert("api_key".to_owned(), Secret::new("ntn_standin".to_owned()));
        config.settings.insert("base_url".to_owned(), self.server.base_url().into());
        config
    }

    /// One run, two days later, with those selected.
    pub(crate) async fn sync(&mut self, resources: &[&str]) -> Result<Run> {
        self.clock.advance(SignedDuration::from_hours(48));
        self.sync_now(resources).await
    }

    /// One run at once.
    pub(crate) async fn sync_now(&mut self, resources: &[&str]) -> Result<Run> {
        let first = self.server.requests().len();
        let (connector, config) = (self.connector(), self.config(resources));
        self.knowledge_base.begin_run();
        let cursor = self.knowledge_base.cursor.clone();
        connector.fetch_stream(&config, cursor, &mut self.knowledge_base).await?;
        Ok(Run::of(&self.knowledge_base, self.server.asked_since(first)))
    }

    /// The text of a document.
    pub(crate) fn text(&self, id: &str) -> String {
        let item = self.knowledge_base.documents.get(id).unwrap_or_else(|| panic!("there is no document {id}"));
        String::from_utf8(item.content.to_vec()).expect("it is a text")
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.knowledge_base.documents.contains_key(id)
    }
}

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) emitted: Vec<String>,
    pub(crate) deleted: Vec<String>,
    pub(crate) failed: Vec<FailedItem>,
    pub(crate) skipped: Vec<SkippedItem>,
    pub(crate) unchanged: u64,
    pub(crate) asked: Vec<String>,
}

impl Run {
    fn of(knowledge_base: &MemoryKnowledgeBase, asked: Vec<String>) -> Self {
        let mut run = Self {
            emitted: knowledge_base.emitted.clone(),
            deleted: knowledge_base.deleted.iter().map(|deletion| deletion.external_id.clone()).collect(),
            failed: Vec::new(),
            skipped: Vec::new(),
            unchanged: 0,
            asked,
        };
        for note in &knowledge_base.notes {
            match note {
                Note::Unchanged(count) => run.unchanged += count,
                Note::Skipped(skipped) => run.skipped.push(skipped.clone()),
                Note::Failed(failed) => run.failed.push(failed.clone()),
            }
        }
        run
    }

    /// The requests whose target holds those words.
    pub(crate) fn asked_for(&self, words: &str) -> usize {
        self.asked.iter().filter(|target| target.contains(words)).count()
    }

    #[track_caller]
    pub(crate) fn assert_success(&self) {
        assert!(self.failed.is_empty(), "{:?}", self.failed);
    }
}
