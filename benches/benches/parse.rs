//! How fast feeds are parsed, beside feed-rs and the XML reader alone; how much memory that takes.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench parse [-- FOLDER…]`. All bytes count, also those of documents
//! that a peer refuses; the best of several rounds is taken for each, in turn, so that a busy machine is fair to all.

use std::hint::black_box;
use std::time::{Duration, Instant};

use headwater_adapters_xml::XmlFeedParser;
use headwater_benches::feeds::{self, Feed};
use headwater_benches::heap::{self, Counting};
use headwater_ports::{FeedInput, FeedParser};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> std::io::Result<()> {
    let feeds = feeds::input()?;
    let bytes: usize = feeds.iter().map(|feed| feed.bytes.len()).sum();
    println!("{} documents, {:.1} MB", feeds.len(), bytes as f64 / 1e6);
    let subjects: [(&str, fn(&Feed) -> bool); 3] =
        [("headwater", headwater), ("feed-rs", feed_rs), ("roxmltree alone", reader_alone)];
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        for (time, (_, parse)) in best.iter_mut().zip(subjects) {
            let start = Instant::now();
            for feed in &feeds {
                black_box(parse(feed));
            }
            *time = start.elapsed().min(*time);
        }
    }
    for (time, (name, parse)) in best.iter().zip(subjects) {
        let taken = feeds.iter().filter(|feed| parse(feed)).count();
        println!("{name:<16} {:>7.1} MB/s   {taken} of {} taken", bytes as f64 / 1e6 / time.as_secs_f64(), feeds.len());
    }
    let [ours, peer, reader] = best.map(|time| time.as_secs_f64());
    println!("speed: {:.2} x feed-rs; time: {:.2} x the reader alone", peer / ours, ours / reader);
    memory(&feeds);
    Ok(())
}

fn memory(feeds: &[Feed]) {
    let (mut worst, mut allocations, mut items) = ((0.0, ""), 0, 0);
    for feed in feeds.iter().filter(|feed| feed.bytes.len() >= LEAST_BYTES) {
        let used = heap::measure(|| XmlFeedParser::new().parse(&FeedInput::new(&feed.bytes)));
        let share = used.peak as f64 / feed.bytes.len() as f64;
        if share > worst.0 {
            worst = (share, feed.name.as_str());
        }
        allocations += used.allocations;
        items += XmlFeedParser::new().parse(&FeedInput::new(&feed.bytes)).map_or(0, |document| document.items.len());
    }
    println!("peak heap: at most {:.2} x the input ({}), over documents of 64 KiB and more", worst.0, worst.1);
    println!("allocations: {:.1} per item", allocations as f64 / items.max(1) as f64);
}

fn headwater(feed: &Feed) -> bool {
    let document = XmlFeedParser::new().parse(&FeedInput::new(&feed.bytes));
    black_box(&document).is_ok()
}

fn feed_rs(feed: &Feed) -> bool {
    let document = feed_rs::parser::parse(feed.bytes.as_slice());
    black_box(&document).is_ok()
}

fn reader_alone(feed: &Feed) -> bool {
    let Ok(text) = std::str::from_utf8(&feed.bytes) else { return false };
    let tree = roxmltree::Document::parse(text);
    black_box(&tree).is_ok()
}

const ROUNDS: usize = 7;

/// Small documents say more about the allocator than about us.
const LEAST_BYTES: usize = 64 * 1024;
