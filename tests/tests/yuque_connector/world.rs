//! The stand-in of Yuque as a world of the conformance suite.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_connectors::ConnectorPorts;
use headwater_connectors::yuque::YuqueConnector;
use headwater_domain::secret::Secret;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Connector, Fetcher};
use headwater_tests::contract::connector::{Abilities, Gate, GatedFetcher, World};
use headwater_tests::fakes::{FakeClock, FakeTimer};
use headwater_tests::stand_in::yuque::{self, YuqueStandIn};

/// Two books of one person.
pub struct YuqueWorld {
    stand_in: YuqueStandIn,
    gate: Arc<Gate>,
    clock: Arc<FakeClock>,
    fetcher: Arc<dyn Fetcher>,
    ids: Mutex<HashMap<String, u64>>,
}

impl YuqueWorld {
    /// Two empty books.
    pub async fn start() -> Self {
        let mut world = yuque::World::new();
        world.add_book(BOOKS[0], "standin", "a");
        world.add_book(BOOKS[1], "standin", "b");
        Self::over(world).await
    }

    /// Over a world of a test's own.
    pub async fn over(world: yuque::World) -> Self {
        let mut config = HttpConfig { requests_per_host: 64, ..HttpConfig::default() };
        config.exemptions.add("127.0.0.1").expect("an address");
        let fetcher = HyperFetcher::new(config).expect("a client");
        Self {
            stand_in: YuqueStandIn::start(world).await,
            gate: Arc::new(Gate::default()),
            clock: Arc::new(FakeClock::default()),
            fetcher: Arc::new(fetcher),
            ids: Mutex::default(),
        }
    }

    /// The server.
    pub fn stand_in(&self) -> &YuqueStandIn {
        &self.stand_in
    }

    fn id(&self, name: &str) -> u64 {
        self.ids.lock().expect("no test panics while it holds the names")[name]
    }

    fn world(&self) -> std::sync::MutexGuard<'_, yuque::World> {
        let mut world = self.stand_in.world();
        world.now = headwater_ports::Clock::now(self.clock.as_ref());
        world
    }
}

#[async_trait]
impl World for YuqueWorld {
    fn connector(&self) -> Arc<dyn Connector> {
        Arc::new(YuqueConnector::new(ConnectorPorts {
            fetcher: Arc::new(GatedFetcher::new(Arc::clone(&self.fetcher), Arc::clone(&self.gate))),
            clock: Arc::clone(&self.clock) as _,
            timer: Arc::new(FakeTimer::new(Arc::clone(&self.clock))),
        }))
    }

    fn config(&self) -> DataSourceConfig {
        let mut config = DataSourceConfig { connector_type: "yuque".to_owned(), ..DataSourceConfig::default() };
        config.credentials.insert("api_token".to_owned(), Secret::new("tok-ok".to_owned()));
        config.settings.insert("base_url".to_owned(), self.stand_in.base_url().into());
        config.resource_ids = BOOKS.iter().map(u64::to_string).collect();
        config
    }

    fn resource(&self, branch: usize) -> String {
        BOOKS[branch].to_string()
    }

    fn unknown_resource(&self) -> String {
        "9999".to_owned()
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn clock(&self) -> &FakeClock {
        &self.clock
    }

    fn abilities(&self) -> Abilities {
        Abilities { deletions: true, caps: true, pages: false, credentials: true, levels: true, lookahead: 1 }
    }

    async fn add(&self, branch: usize, name: &str, text: &str) {
        let mut ids = self.ids.lock().expect("no test panics while it holds the names");
        let id = 1000 + ids.len() as u64;
        ids.insert(name.to_owned(), id);
        self.world().add_doc(BOOKS[branch], id, name, text);
    }

    async fn edit(&self, _branch: usize, name: &str, text: &str) {
        let id = self.id(name);
        self.world().edit(id, |doc| doc.body = text.to_owned());
    }

    async fn rename(&self, _branch: usize, name: &str, new_name: &str) {
        let id = self.id(name);
        let mut ids = self.ids.lock().expect("no test panics while it holds the names");
        ids.remove(name);
        ids.insert(new_name.to_owned(), id);
        self.world().edit(id, |doc| doc.title = new_name.to_owned());
    }

    async fn delete(&self, _branch: usize, name: &str) {
        let id = self.id(name);
        self.world().delete(id);
    }

    fn content_of(&self, target: &str) -> Option<String> {
        let id = target.strip_prefix("GET /api/v2/repos/docs/")?.split('?').next()?.parse::<u64>().ok()?;
        let ids = self.ids.lock().expect("no test panics while it holds the names");
        ids.iter().find(|(_, known)| **known == id).map(|(name, _)| name.clone())
    }

    async fn break_document(&self, _branch: usize, name: &str) {
        let target = format!("/repos/docs/{}", self.id(name));
        self.world().fail(&target, 500, usize::MAX);
    }

    async fn break_branch(&self, branch: usize) {
        self.world().fail(&format!("/repos/{}/docs?", BOOKS[branch]), 500, usize::MAX);
    }

    async fn empty_branch(&self, branch: usize) {
        self.world().emptied.push(BOOKS[branch]);
    }

    async fn cap_branch(&self, _branch: usize) {
        self.world().listing_cap = Some(2);
    }

    async fn refuse_credentials(&self) {
        self.world().token = "another".to_owned();
    }

    async fn heal(&self) {
        let mut world = self.world();
        world.faults.clear();
        world.emptied.clear();
        world.circling.clear();
        world.listing_cap = None;
        world.token = "tok-ok".to_owned();
    }
}

const BOOKS: [u64; 2] = [2001, 2002];
