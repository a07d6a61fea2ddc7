//! A stand-in of Feishu and Lark: a server that speaks their API over a world of spaces, folders and documents.

mod answer;
mod content;
mod world;

use std::sync::{Arc, Mutex, MutexGuard};

pub use self::world::{Fault, File, Node, Space, World};
use crate::server::{Received, StandIn};

/// A server that speaks Feishu's API until it is dropped.
#[derive(Debug)]
pub struct FeishuStandIn {
    world: Arc<Mutex<World>>,
    server: StandIn,
}

impl FeishuStandIn {
    /// A server over that world, at a free port of loopback.
    pub async fn start(world: World) -> Self {
        Self::start_at("127.0.0.1:0", world).await
    }

    /// A server over that world, at that address of loopback.
    pub async fn start_at(address: &str, world: World) -> Self {
        let world = Arc::new(Mutex::new(world));
        let served = Arc::clone(&world);
        let server = StandIn::start_at(address, move |request| answer::answer(&mut lock(&served), request)).await;
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
}

fn lock(world: &Mutex<World>) -> MutexGuard<'_, World> {
    world.lock().expect("nothing panics while it holds the world")
}
