//! Serves the stand-in of Yuque at a port of loopback, so that other clients can be tried on it.
//!
//! `cargo run -p headwater-tests --example yuque_stand_in -- 8080`

use headwater_tests::stand_in::yuque::{Group, World, YuqueStandIn};

#[tokio::main]
async fn main() {
    let port = std::env::args().nth(1).expect("the first argument is a port");
    let mut world = World::new();
    world.groups.push(Group { id: 3001, login: "team-a".to_owned() });
    world.add_book(2001, "standin", "kb");
    world.add_doc(2001, 1, "Intro", "# Intro\n\nHello.\n");
    world.doc(1).slug = "intro".to_owned();
    world.add_book(2002, "team-a", "handbook");
    let _stand_in = YuqueStandIn::start_at(&format!("127.0.0.1:{port}"), world).await;
    std::future::pending::<()>().await;
}
