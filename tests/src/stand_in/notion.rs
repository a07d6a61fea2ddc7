//! A stand-in of Notion: a server that speaks its API over a world of pages, databases and rows.

mod answer;
mod fault;
mod listing;
mod node;
mod objects;
mod world;

use std::sync::{Arc, Mutex, MutexGuard};

use headwater_ports::Clock;

pub use self::fault::{Fault, Trouble};
pub use self::node::{Kind, Place};
pub use self::objects::{rich, styled};
pub use self::world::World;
use crate::server::{Received, Reply, StandIn};

/// A server that speaks Notion's API, version 2026-03-11 and its neighbours, until it is dropped.
///
/// Times are rounded down to the minute, addresses of files die after an hour, the search may lag behind, and whatever a
/// [`Fault`] says goes wrong.
#[derive(Debug)]
pub struct NotionStandIn {
    world: Arc<Mutex<World>>,
    server: StandIn,
}

impl NotionStandIn {
    /// A server over that world, at a free port of loopback.
    pub async fn start(world: World) -> Self {
        Self::start_at("127.0.0.1:0", world).await
    }

    /// A server over that world, at that address of loopback.
    pub async fn start_at(address: &str, world: World) -> Self {
        let world = Arc::new(Mutex::new(world));
        let served = Arc::clone(&world);
        let server = StandIn::start_at(address, move |request| answer(&mut lock(&served), request)).await;
        Self { world, server }
    }

    /// The address for a connector's `base_url`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.server.address())
    }

    /// The world, to look at or to change. No request is answered while it is held.
    pub fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Received> {
        self.server.requests()
    }

    /// The methods and targets of the requests from that one on.
    pub fn asked_since(&self, first: usize) -> Vec<String> {
        let requests = self.server.requests();
        requests[first..].iter().map(|request| format!("{} {}", request.method, request.target)).collect()
    }
}

/// The world that the vendor's own clients are tried with, under the ids that they ask for.
pub fn sample_world(clock: Arc<dyn Clock>) -> World {
    let mut world = World::new(clock);
    let top = world.add_page_as("1a2b3c4d-0000-4000-8000-000000000001", &Place::Workspace, "Runbook");
    world.add_database_as(
        ["1a2b3c4d-0000-4000-8000-000000000003", "1a2b3c4d-0000-4000-8000-000000000004"],
        &Place::Page(top.clone()),
        "Tasks",
        serde_json::json!({"Status": {"type": "status"}, "Due": {"type": "date"}}),
    );
    world.add_page_as(
        "1a2b3c4d-0000-4000-8000-000000000005",
        &Place::Rows("1a2b3c4d-0000-4000-8000-000000000004".into()),
        "Rotate keys",
    );
    world.add_page_as("1a2b3c4d-0000-4000-8000-000000000007", &Place::Page(top.clone()), "On call");
    world.append_text(&top, "Restart with care.");
    world
}

fn answer(world: &mut World, request: &Received) -> Reply {
    answer::answer(world, request)
}

fn lock(world: &Mutex<World>) -> MutexGuard<'_, World> {
    world.lock().expect("nothing panics while it holds the world")
}
