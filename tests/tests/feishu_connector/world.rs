//! The stand-in of Feishu as a world of the conformance suite.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_connectors::ConnectorPorts;
use headwater_connectors::feishu::{FeishuConnector, Region};
use headwater_domain::secret::Secret;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Clock, Connector, Fetcher};
use headwater_tests::contract::connector::{Abilities, Gate, GatedFetcher, World};
use headwater_tests::fakes::{FakeClock, FakeTimer};
use headwater_tests::stand_in::feishu::{self, FeishuStandIn};

/// Two spaces.
pub struct FeishuWorld {
    stand_in: FeishuStandIn,
    mode: &'static str,
    gate: Arc<Gate>,
    clock: Arc<FakeClock>,
    fetcher: Arc<dyn Fetcher>,
    tokens: Mutex<HashMap<String, String>>,
}

impl FeishuWorld {
    /// Two empty spaces, read in that mode.
    pub async fn start(mode: &'static str) -> Self {
        let mut world = feishu::World::new();
        world.add_space(SPACES[0], "A");
        world.add_space(SPACES[1], "B");
        Self::over(world, mode).await
    }

    /// Over a world of a test's own.
    pub async fn over(world: feishu::World, mode: &'static str) -> Self {
        let mut config = HttpConfig { requests_per_host: 64, ..HttpConfig::default() };
        config.exemptions.add("127.0.0.1").expect("an address");
        Self {
            stand_in: FeishuStandIn::start(world).await,
            mode,
            gate: Arc::new(Gate::default()),
            clock: Arc::new(FakeClock::default()),
            fetcher: Arc::new(HyperFetcher::new(config).expect("a client")),
            tokens: Mutex::default(),
        }
    }

    /// The server.
    pub fn stand_in(&self) -> &FeishuStandIn {
        &self.stand_in
    }

    /// The server's world at the time of the clock.
    pub fn world(&self) -> MutexGuard<'_, feishu::World> {
        let mut world = self.stand_in.world();
        world.now = self.clock.now();
        world
    }

    fn tokens(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.tokens.lock().expect("no test panics while it holds the names")
    }

    fn token(&self, name: &str) -> String {
        self.tokens()[name].clone()
    }
}

#[async_trait]
impl World for FeishuWorld {
    fn connector(&self) -> Arc<dyn Connector> {
        let ports = ConnectorPorts {
            fetcher: Arc::new(GatedFetcher::new(Arc::clone(&self.fetcher), Arc::clone(&self.gate))),
            clock: Arc::clone(&self.clock) as _,
            timer: Arc::new(FakeTimer::new(Arc::clone(&self.clock))),
        };
        Arc::new(FeishuConnector::new(Region::Feishu, ports))
    }

    fn config(&self) -> DataSourceConfig {
        let mut config = DataSourceConfig { connector_type: "feishu".to_owned(), ..DataSourceConfig::default() };
        for (name, value) in [("app_id", "cli_standin"), ("app_secret", "secret-ok")] {
            config.credentials.insert(name.to_owned(), Secret::new(value.to_owned()));
        }
        config.settings.insert("base_url".to_owned(), self.stand_in.base_url().into());
        config.settings.insert("mode".to_owned(), self.mode.into());
        config.resource_ids = SPACES.iter().map(|&space| space.to_owned()).collect();
        config
    }

    fn resource(&self, branch: usize) -> String {
        SPACES[branch].to_owned()
    }

    fn unknown_resource(&self) -> String {
        "7399999999999999999".to_owned()
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn clock(&self) -> &FakeClock {
        &self.clock
    }

    fn abilities(&self) -> Abilities {
        Abilities { deletions: true, caps: false, pages: true, credentials: true, levels: true, lookahead: 1 }
    }

    async fn add(&self, branch: usize, name: &str, text: &str) {
        let token = format!("wik{}", self.tokens().len());
        self.tokens().insert(name.to_owned(), token.clone());
        self.world().add_doc(SPACES[branch], "", &token, name, text);
    }

    async fn edit(&self, _branch: usize, name: &str, text: &str) {
        let token = self.token(name);
        self.world().edit(&token, |node| node.text = text.to_owned());
    }

    async fn rename(&self, _branch: usize, name: &str, new_name: &str) {
        let token = self.token(name);
        self.tokens().remove(name);
        self.tokens().insert(new_name.to_owned(), token.clone());
        // A new title does not move the time of a document's content.
        self.world().node(&token).title = new_name.to_owned();
    }

    async fn delete(&self, _branch: usize, name: &str) {
        let token = self.token(name);
        self.world().delete(&token);
    }

    fn content_of(&self, target: &str) -> Option<String> {
        let is_content = target.contains("/docx/v1/documents/") || target.contains("/drive/v1/export_tasks");
        let names = self.tokens();
        let mut asked = names.iter().filter(|(_, token)| {
            let object = format!("doxcn{token}");
            target.split(|character: char| !character.is_ascii_alphanumeric()).any(|word| word == object)
        });
        asked.next().filter(|_| is_content).map(|(name, _)| name.clone())
    }

    async fn break_document(&self, _branch: usize, name: &str) {
        let object = format!("doxcn{}", self.token(name));
        let mut world = self.world();
        world.fail(&format!("/documents/{object}/"), 500, Some(1_771_001), usize::MAX);
        world.fail(&format!("\"{object}\""), 500, Some(1_069_901), usize::MAX);
    }

    async fn break_branch(&self, branch: usize) {
        self.world().fail(&format!("/spaces/{}/nodes", SPACES[branch]), 500, Some(1_663), usize::MAX);
    }

    async fn empty_branch(&self, branch: usize) {
        self.world().emptied.push(SPACES[branch].to_owned());
    }

    async fn loop_branch(&self, branch: usize) {
        self.world().circling.push(SPACES[branch].to_owned());
    }

    async fn refuse_credentials(&self) {
        self.world().app_secret = "another".to_owned();
    }

    async fn heal(&self) {
        let mut world = self.world();
        world.faults.clear();
        world.emptied.clear();
        world.circling.clear();
        world.app_secret = "secret-ok".to_owned();
    }
}

const SPACES: [&str; 2] = ["7300000000000000001", "7300000000000000002"];
