//! How long it takes to look through the states of 10,000 idle feeds for those that are due.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench plan`. Idle: none is due, as between two polls.

use std::hint::black_box;
use std::time::{Duration, Instant};

use headwater_domain::feed::fetch_state::{FeedFetchState, Outcome, Plan, Validators, plan, record};
use headwater_domain::feed::pace::Pace;
use headwater_domain::feed::reader_policy::ReaderPolicy;
use jiff::{SignedDuration, Timestamp};

const FEEDS: u64 = 10_000;

const ROUNDS: usize = 50;

fn main() {
    let policy = ReaderPolicy::default();
    let now = Timestamp::from_second(1_767_225_600).expect("a second of the year 2026");
    let states: Vec<FeedFetchState> = (0..FEEDS).map(|feed| state(feed, now, &policy)).collect();
    let later = now + SignedDuration::from_mins(5);
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let due = states.iter().filter(|state| matches!(plan(state, later, &policy), Plan::Fetch { .. })).count();
        best = best.min(start.elapsed());
        assert_eq!(black_box(due), 0, "all of them are idle");
    }
    let stored: Vec<String> = states.iter().map(|state| serde_json::to_string(state).expect("a state is JSON")).collect();
    let start = Instant::now();
    let read = stored.iter().filter(|text| serde_json::from_str::<FeedFetchState>(text).is_ok()).count();
    let reading = start.elapsed();
    println!("{FEEDS} idle feeds planned in {best:?}; {read} stored states read in {reading:?}");
}

fn state(feed: u64, now: Timestamp, policy: &ReaderPolicy) -> FeedFetchState {
    let mut state = FeedFetchState::default();
    let validators = Validators { etag: Some(format!("\"{feed}\"").into_bytes()), last_modified: None };
    let outcome = Outcome::Read { validators, truncated: false, pace: Pace::default(), moved: None };
    record(&mut state, outcome, now, policy, feed);
    state
}
