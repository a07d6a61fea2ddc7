//! The notes service of the guide, as a world of the conformance suite.

use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_connectors::ConnectorPorts;
use headwater_domain::secret::Secret;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Connector, Fetcher};
use headwater_tests::contract::connector::{Abilities, Gate, GatedFetcher, World};
use headwater_tests::fakes::{FakeClock, FakeTimer};
use headwater_tests::server::{Received, Reply, StandIn};
use serde_json::json;

use super::notes::NotesConnector;

/// Two notebooks on a server.
pub struct NotesWorld {
    server: StandIn,
    state: Arc<Mutex<State>>,
    gate: Arc<Gate>,
    clock: Arc<FakeClock>,
    fetcher: Arc<dyn Fetcher>,
}

#[derive(Default)]
struct State {
    notes: Vec<Note>,
    revision: u64,
    /// Paths that answer 500.
    broken: Vec<String>,
    empty: Vec<usize>,
    is_refusing: bool,
}

struct Note {
    id: String,
    branch: usize,
    title: String,
    text: String,
    revision: u64,
}

impl NotesWorld {
    pub async fn start() -> Self {
        let state: Arc<Mutex<State>> = Arc::default();
        let shared = Arc::clone(&state);
        let server = StandIn::start(move |request| shared.lock().expect("nobody panics with it").answer(request)).await;
        let mut config = HttpConfig { requests_per_host: 64, ..HttpConfig::default() };
        config.exemptions.add("127.0.0.1").expect("an address");
        let fetcher = Arc::new(HyperFetcher::new(config).expect("a client"));
        Self { server, state, gate: Arc::default(), clock: Arc::default(), fetcher }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with it")
    }

    fn change(&self, branch: usize, name: &str, change: impl FnOnce(&mut Note)) {
        let mut state = self.state();
        state.revision += 1;
        let revision = state.revision;
        let note = state.notes.iter_mut().find(|note| note.branch == branch && note.title == name);
        let note = note.expect("the note is there");
        change(note);
        note.revision = revision;
    }
}

impl State {
    fn answer(&self, request: &Received) -> Reply {
        let path = request.path();
        if self.is_refusing || request.value("authorization").as_deref() != Some("Bearer made-up") {
            return Reply::new(401);
        }
        if self.broken.iter().any(|broken| broken == path) {
            return Reply::new(500);
        }
        if path == "/notebooks" {
            return Reply::new(200).body(json!(BRANCHES).to_string());
        }
        if let Some(branch) = BRANCHES.iter().position(|name| path == format!("/notebooks/{name}")) {
            let is_empty = self.empty.contains(&branch);
            let notes = self.notes.iter().filter(|note| note.branch == branch && !is_empty);
            let entry = |note: &Note| json!({ "id": note.id, "title": note.title, "revision": note.revision });
            return Reply::new(200).body(json!(notes.map(entry).collect::<Vec<_>>()).to_string());
        }
        match self.notes.iter().find(|note| path == format!("/notes/{}", note.id)) {
            Some(note) => Reply::new(200).body(note.text.clone()),
            None => Reply::new(404),
        }
    }
}

#[async_trait]
impl World for NotesWorld {
    fn connector(&self) -> Arc<dyn Connector> {
        Arc::new(NotesConnector::new(ConnectorPorts {
            fetcher: Arc::new(GatedFetcher::new(Arc::clone(&self.fetcher), Arc::clone(&self.gate))),
            clock: Arc::clone(&self.clock) as _,
            timer: Arc::new(FakeTimer::new(Arc::clone(&self.clock))),
        }))
    }

    fn config(&self) -> DataSourceConfig {
        let settings = json!({ "base_url": format!("http://{}/", self.server.address()) });
        DataSourceConfig {
            connector_type: "notes".to_owned(),
            credentials: [("token".to_owned(), Secret::new("made-up".to_owned()))].into(),
            resource_ids: BRANCHES.map(str::to_owned).to_vec(),
            settings: settings.as_object().cloned().unwrap_or_default(),
        }
    }

    fn resource(&self, branch: usize) -> String {
        BRANCHES[branch].to_owned()
    }

    fn unknown_resource(&self) -> String {
        "nowhere".to_owned()
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn clock(&self) -> &FakeClock {
        &self.clock
    }

    fn abilities(&self) -> Abilities {
        Abilities { deletions: true, caps: false, pages: false, credentials: true, levels: false, lookahead: 1 }
    }

    async fn add(&self, branch: usize, name: &str, text: &str) {
        let mut state = self.state();
        state.revision += 1;
        let (id, revision) = (format!("n{}", state.revision), state.revision);
        state.notes.push(Note { id, branch, title: name.to_owned(), text: text.to_owned(), revision });
    }

    async fn edit(&self, branch: usize, name: &str, text: &str) {
        self.change(branch, name, |note| note.text = text.to_owned());
    }

    async fn rename(&self, branch: usize, name: &str, new_name: &str) {
        self.change(branch, name, |note| note.title = new_name.to_owned());
    }

    async fn delete(&self, branch: usize, name: &str) {
        self.state().notes.retain(|note| note.branch != branch || note.title != name);
    }

    fn content_of(&self, target: &str) -> Option<String> {
        target.strip_prefix("GET /notes/").map(str::to_owned)
    }

    async fn break_document(&self, branch: usize, name: &str) {
        let mut state = self.state();
        let note = state.notes.iter().find(|note| note.branch == branch && note.title == name);
        let path = format!("/notes/{}", note.expect("the note is there").id);
        state.broken.push(path);
    }

    async fn break_branch(&self, branch: usize) {
        self.state().broken.push(format!("/notebooks/{}", BRANCHES[branch]));
    }

    async fn empty_branch(&self, branch: usize) {
        self.state().empty.push(branch);
    }

    async fn refuse_credentials(&self) {
        self.state().is_refusing = true;
    }

    async fn heal(&self) {
        let mut state = self.state();
        state.broken.clear();
        state.empty.clear();
        state.is_refusing = false;
    }
}

const BRANCHES: [&str; 2] = ["work", "home"];
