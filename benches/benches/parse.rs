//! How fast feeds are parsed, beside feed-rs and an XML reader alone; how much memory that takes.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench parse [-- FOLDER…]`. All bytes count, also those of documents
//! that a peer refuses; the best of several rounds is taken for each, in turn. Time is that of the processor, so that
//! what else the machine does counts for nobody. `HEADWATER_BENCH_ONLY=headwater` leaves the others out, for a profiler.

use std::env;
use std::hint::black_box;
use std::time::Duration;

use headwater_adapters_xml::{XmlFeedParser, fuzzing};
use headwater_benches::feeds::{self, Feed};
use headwater_benches::heap::{self, Counting};
use headwater_ports::{FeedInput, FeedParser};
use rustix::time::{ClockId, clock_gettime};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> std::io::Result<()> {
    let feeds = feeds::input()?;
    let bytes: usize = feeds.iter().map(|feed| feed.bytes.len()).sum();
    println!("{} documents, {:.1} MB", feeds.len(), bytes as f64 / 1e6);
    let only = env::var("HEADWATER_BENCH_ONLY").ok();
    let mut best = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        for (time, (name, parse)) in best.iter_mut().zip(SUBJECTS) {
            if only.as_deref().is_none_or(|only| only == name) {
                *time = spent(|| {
                    feeds.iter().for_each(|feed| {
                        black_box(parse(feed));
                    })
                })
                .min(*time);
            }
        }
    }
    for (time, (name, parse)) in best.iter().zip(SUBJECTS).filter(|(time, _)| **time < Duration::MAX) {
        let taken = feeds.iter().filter(|feed| parse(feed)).count();
        println!("{name:<16} {:>7.1} MB/s   {taken} of {} taken", bytes as f64 / 1e6 / time.as_secs_f64(), feeds.len());
    }
    let [ours, peer, reader, _] = best.map(|time| time.as_secs_f64());
    println!("speed: {:.2} x feed-rs; time: {:.2} x the reader alone", peer / ours, ours / reader);
    memory(&feeds);
    Ok(())
}

/// The processor's time that a piece of work takes in this thread.
fn spent(work: impl FnOnce()) -> Duration {
    let now = || clock_gettime(ClockId::ThreadCPUTime);
    let start = now();
    work();
    let end = now();
    let nanoseconds = (end.tv_sec - start.tv_sec) * 1_000_000_000 + (end.tv_nsec - start.tv_nsec);
    Duration::from_nanos(nanoseconds.unsigned_abs())
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

/// The look before the reading, which nothing passes by.
fn scan(feed: &Feed) -> bool {
    std::str::from_utf8(&feed.bytes).is_ok_and(fuzzing::scan)
}

/// Whether a subject takes a document.
type Parse = fn(&Feed) -> bool;

const SUBJECTS: [(&str, Parse); 4] =
    [("headwater", headwater), ("feed-rs", feed_rs), ("roxmltree alone", reader_alone), ("pre-scan alone", scan)];

const ROUNDS: usize = 7;

/// Small documents say more about the allocator than about us.
const LEAST_BYTES: usize = 64 * 1024;
