//! How much do batches gain over single rows, and does a batch cost more as the history grows, in both stores?
//!
//! `cargo bench -p headwater-tests --bench store` fills a history with 10,000 and with 1,000,000 articles, in a SQLite file
//! and in a PostgreSQL database that syncs each commit, and at each size judges batches of 500 candidates of which 10 % are
//! new: as one batch, and one row at a time. What counts are the ratios, which are of one run on one machine. The name of
//! an engine as argument leaves the other one out.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking, and prints its findings")]

use std::env;
use std::sync::Arc;
use std::time::{Duration, Instant};

use headwater_adapters_postgres::PgStore;
use headwater_adapters_sqlite::SqliteStore;
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, RunRecord};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::ArticleStore;
use headwater_tests::postgres::PostgresServer;
use jiff::Timestamp;

#[tokio::main]
async fn main() {
    let wanted = |engine: &str| {
        let mut named = env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
        named.peek().is_none() || named.any(|word| word == engine)
    };
    println!(
        "engine   | known articles | batch of {BATCH}, {NEW} new: median, mean | new rows/s, batch | row by row | gain | known?"
    );
    if wanted("sqlite") {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("bench.db").to_str().unwrap()).await.unwrap();
        measure("sqlite", Arc::new(store)).await;
    }
    if wanted("postgres") {
        let server = PostgresServer::start_durable().await;
        let store = PgStore::open(&server.database().await).await.unwrap();
        measure("postgres", Arc::new(store.clone())).await;
        store.close().await;
    }
}

async fn measure(engine: &str, store: Arc<dyn ArticleStore>) {
    let mut bench = Bench { store, known: 0, dice: 0x2545_f491_4f6c_dd1d, runs: 0 };
    let mut costs = Vec::new();
    for size in [10_000, 1_000_000] {
        bench.fill(size).await;
        let times = bench.rounds(ROUNDS, true).await;
        let mean = times.iter().sum::<Duration>() / u32::try_from(times.len()).unwrap();
        let (batch, single) = (median(times), median(bench.rounds(ROUNDS / 8, false).await));
        let asked = median(bench.questions(ROUNDS).await);
        let rate = |time: Duration| NEW as f64 / time.as_secs_f64();
        println!(
            "{engine:<8} | {size:>14} | {batch:>27.2?}, {mean:>8.2?} | {:>17.0} | {:>10.0} | {:>3.1} x | {asked:.2?}",
            rate(batch),
            rate(single),
            rate(batch) / rate(single)
        );
        costs.push([batch, mean].map(|time| time.as_secs_f64()));
    }
    let growth = |of: usize| costs[1][of] / costs[0][of];
    println!(
        "{engine:<8} | a batch at 1,000,000 beside 10,000: {:.2} x (median), {:.2} x (mean)",
        growth(0),
        growth(1)
    );
}

struct Bench {
    store: Arc<dyn ArticleStore>,
    /// Articles `0..known` are in the history.
    known: u64,
    dice: u64,
    runs: u64,
}

impl Bench {
    /// Makes the history `size` articles long, a batch at a time.
    async fn fill(&mut self, size: u64) {
        while self.known < size {
            let end = (self.known + 5000).min(size);
            let entries: Vec<_> = (self.known..end).map(entry).collect();
            self.settle(&entries).await;
            self.known = end;
        }
    }

    /// The time of each round: one batch of candidates, judged and written.
    async fn rounds(&mut self, rounds: usize, as_batch: bool) -> Vec<Duration> {
        let mut times = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let candidates = self.candidates();
            let start = Instant::now();
            let new = if as_batch { self.settle(&candidates).await } else { self.settle_row_by_row(&candidates).await };
            times.push(start.elapsed());
            assert_eq!(new, NEW);
            self.known += NEW as u64;
        }
        times
    }

    /// The time of each round: one batch of candidates, asked for.
    async fn questions(&mut self, rounds: usize) -> Vec<Duration> {
        let mut times = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let keys: Vec<_> = self.candidates().into_iter().map(|entry| entry.key).collect();
            let start = Instant::now();
            let known = self.store.known(&TenantId::default(), &keys).await.unwrap().len();
            times.push(start.elapsed());
            assert!(known <= BATCH - NEW);
        }
        times
    }

    /// Known articles from anywhere in the history, with new ones strewn among them.
    fn candidates(&mut self) -> Vec<HistoryEntry> {
        let numbers =
            (0..BATCH).map(|n| if n % (BATCH / NEW) == 0 { self.known + (n / 10) as u64 } else { self.roll() });
        numbers.collect::<Vec<_>>().into_iter().map(entry).collect()
    }

    fn roll(&mut self) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % self.known
    }

    async fn settle(&mut self, entries: &[HistoryEntry]) -> usize {
        self.runs += 1;
        self.store.settle(&TenantId::default(), &run(self.runs), entries).await.unwrap().len()
    }

    /// What code without batches does: asks for each candidate, and writes each new one.
    async fn settle_row_by_row(&mut self, entries: &[HistoryEntry]) -> usize {
        let mut new = 0;
        for entry in entries {
            let key = std::slice::from_ref(&entry.key);
            if self.store.known(&TenantId::default(), key).await.unwrap().is_empty() {
                new += self.settle(std::slice::from_ref(entry)).await;
            }
        }
        new
    }
}

fn entry(number: u64) -> HistoryEntry {
    // Neighbours in time are no neighbours in the index, as with real URLs.
    let slug = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let key = format!("https://site-{}.example/2026/11/an-article-about-{slug:016x}", number % 997);
    HistoryEntry {
        url: key.clone(),
        key: ArticleKey(key),
        title: Some(format!("An article of the usual length of a title, number {number}")),
        source_url: format!("https://site-{}.example/", number % 997),
        fate: Fate::Kept,
        failures: 0,
        seen_at: Timestamp::UNIX_EPOCH,
        fingerprint: None,
    }
}

fn run(number: u64) -> RunRecord {
    RunRecord {
        run_id: format!("{number:012}"),
        started_at: Timestamp::UNIX_EPOCH,
        finished_at: Timestamp::UNIX_EPOCH,
        kept: NEW,
        digest_json: "{}".to_owned(),
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

const BATCH: usize = 500;
const NEW: usize = 50;
const ROUNDS: usize = 40;
