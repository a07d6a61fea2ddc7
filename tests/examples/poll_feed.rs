//! How a feed is polled with a reader, a fetcher and a parser of one's choice.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::sync::Arc;
use std::time::Duration;

use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_adapters_xml::XmlFeedParser;
use headwater_connectors::rss::{FeedMemory, FeedReader, FeedRequest};
use headwater_domain::feed::reader_policy::ReaderPolicy;
use headwater_ports::Clock;
use jiff::Timestamp;

struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("usage: poll_feed URL")?.parse::<url::Url>()?;
    let fetcher = Arc::new(HyperFetcher::new(HttpConfig::default())?);
    let policy = ReaderPolicy::default();
    let reader = FeedReader::new(fetcher, Arc::new(XmlFeedParser), Arc::new(SystemClock), policy);
    let (request, mut memory) = (FeedRequest::new(url.into()), FeedMemory::default());
    loop {
        let (reading, next) = reader.read(&request, memory).await;
        // `next.to_json()` is what a program keeps, so that a restart neither polls early nor forgets an item.
        memory = next;
        match (&reading.document, &reading.error) {
            (Some(document), _) => {
                reading.applied.new.iter().for_each(|&place| println!("new: {:?}", document.items[place].title));
            }
            (None, error) => println!("{}: {error:?}", reading.kind.as_str()),
        }
        let Some(due) = reading.next_attempt_at else { return Ok(()) };
        tokio::time::sleep(Duration::try_from(due.duration_since(Timestamp::now())).unwrap_or_default()).await;
    }
}
