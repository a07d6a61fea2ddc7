//! Does the connector keep the contract of connectors, over pages and over rows?

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::Connector;
use headwater_tests::contract::connector::{Abilities, Gate, World};
use headwater_tests::fakes::FakeClock;
use headwater_tests::stand_in::notion::{Fault, Place, Trouble};
use serde_json::json;

use super::kit::Kit;

/// The first branch is a database, the second a page.
struct NotionWorld {
    kit: Kit,
    roots: [String; 2],
    source: String,
    names: Mutex<HashMap<String, String>>,
}

impl NotionWorld {
    async fn start() -> Self {
        let kit = Kit::new().await;
        let ([database, source], page) = {
            let mut world = kit.server.world();
            let top = world.add_page(&Place::Workspace, "Handbook");
            let database = world.add_database(&Place::Page(top.clone()), "Tasks", json!({"No": {"type": "number"}}));
            (database, world.add_page(&Place::Page(top), "Notes"))
        };
        Self { kit, roots: [database, page], source, names: Mutex::default() }
    }

    fn id(&self, name: &str) -> String {
        self.names.lock().expect("nobody panicked with it")[name].clone()
    }
}

#[async_trait]
impl World for NotionWorld {
    fn connector(&self) -> Arc<dyn Connector> {
        Arc::new(self.kit.connector())
    }

    fn config(&self) -> DataSourceConfig {
        self.kit.config(&[&self.roots[0], &self.roots[1]])
    }

    fn resource(&self, branch: usize) -> String {
        self.roots[branch].clone()
    }

    fn unknown_resource(&self) -> String {
        "ffffffff-0000-4000-8000-000000000001".to_owned()
    }

    fn gate(&self) -> &Gate {
        &self.kit.gate
    }

    fn clock(&self) -> &FakeClock {
        &self.kit.clock
    }

    fn abilities(&self) -> Abilities {
        Abilities { deletions: true, caps: true, pages: true, credentials: true, levels: true, lookahead: 1 }
    }

    async fn add(&self, branch: usize, name: &str, text: &str) {
        let mut world = self.kit.server.world();
        let place = if branch == 0 { Place::Rows(self.source.clone()) } else { Place::Page(self.roots[1].clone()) };
        let id = world.add_page(&place, name);
        world.set_text(&id, text);
        self.names.lock().expect("nobody panicked with it").insert(name.to_owned(), id);
    }

    async fn edit(&self, _branch: usize, name: &str, text: &str) {
        self.kit.server.world().set_text(&self.id(name), text);
    }

    async fn rename(&self, _branch: usize, name: &str, new_name: &str) {
        let id = self.id(name);
        self.kit.server.world().rename(&id, new_name);
        self.names.lock().expect("nobody panicked with it").insert(new_name.to_owned(), id);
    }

    async fn delete(&self, branch: usize, name: &str) {
        let (id, mut world) = (self.id(name), self.kit.server.world());
        if branch == 0 { world.remove(&id) } else { world.trash(&id) }
    }

    fn content_of(&self, target: &str) -> Option<String> {
        let id = target.strip_prefix("GET /v1/blocks/")?.split('/').next()?;
        let names = self.names.lock().expect("nobody panicked with it");
        names.iter().find(|(_, known)| *known == id).map(|(name, _)| name.clone())
    }

    async fn break_document(&self, _branch: usize, name: &str) {
        self.refuse(format!("GET /v1/blocks/{}/children", self.id(name)));
    }

    async fn break_branch(&self, branch: usize) {
        self.refuse(match branch {
            0 => format!("POST /v1/data_sources/{}/query", self.source),
            _ => format!("GET /v1/blocks/{}/children", self.roots[1]),
        });
    }

    async fn empty_branch(&self, branch: usize) {
        let id = if branch == 0 { &self.source } else { &self.roots[1] };
        self.kit.server.world().empty_listing(id);
    }

    async fn cap_branch(&self, _branch: usize) {
        self.kit.server.world().row_cap = 2;
    }

    async fn loop_branch(&self, _branch: usize) {
        self.kit.server.world().loop_listing(&self.source);
    }

    async fn refuse_credentials(&self) {
        self.kit.server.world().refuse_token();
    }

    async fn heal(&self) {
        let mut world = self.kit.server.world();
        world.heal();
        world.row_cap = 10_000;
    }
}

impl NotionWorld {
    fn refuse(&self, words: String) {
        let trouble = Trouble::Refused(500, "internal_server_error");
        self.kit.server.world().meet(Fault { words, times: usize::MAX, trouble });
    }
}

async fn fresh() -> (Arc<dyn World>, ()) {
    (Arc::new(NotionWorld::start().await), ())
}

headwater_tests::connector_contract!(tests with fresh);
