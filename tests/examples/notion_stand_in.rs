//! A stand-in of Notion at a port of loopback, for the vendor's own clients: `notion_stand_in PORT`.

#![expect(clippy::print_stdout, reason = "an example says where it is")]

use std::sync::Arc;

use headwater_ports::Clock;
use headwater_tests::stand_in::notion::{Fault, NotionStandIn, Trouble, sample_world};
use jiff::Timestamp;

struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = std::env::args().nth(1).ok_or("usage: notion_stand_in PORT")?.parse()?;
    let mut world = sample_world(Arc::new(SystemClock));
    world.page_cap = 2;
    // A client that does not wait and ask again is not worth much.
    world.meet(Fault { words: "POST /v1/search".to_owned(), times: 1, trouble: Trouble::Throttled(1) });
    let server = NotionStandIn::start_at(&format!("127.0.0.1:{port}"), world).await;
    println!("{}", server.base_url());
    std::future::pending::<()>().await;
    Ok(())
}
