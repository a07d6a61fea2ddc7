//! What `turns` is held to.

use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Instant, advance};

use super::{MANY, Turns};

#[tokio::test]
async fn a_host_gets_so_many_turns_at_once_and_others_are_not_held_up() {
    let turns = Turns::new(2, Duration::ZERO);
    let first = turns.wait("a").await;
    let _second = turns.wait("a").await;
    assert!(turns.wait("a").now_or_never().is_none());
    assert!(turns.wait("b").now_or_never().is_some());
    drop(first);
    assert!(turns.wait("a").now_or_never().is_some());
}

#[tokio::test(start_paused = true)]
async fn turns_of_a_host_keep_their_distance() {
    let turns = Turns::new(8, Duration::from_secs(1));
    let begun = Instant::now();
    for _ in 0..3 {
        turns.wait("a").await;
    }
    turns.wait("b").await;
    assert_eq!(begun.elapsed().as_secs(), 2);
    advance(Duration::from_secs(60)).await;
    assert!(turns.wait("a").now_or_never().is_some());
}

#[tokio::test(start_paused = true)]
async fn idle_hosts_are_forgotten_and_busy_ones_are_not() {
    let turns = Turns::new(1, Duration::ZERO);
    let _held = turns.wait("held").await;
    for n in 0..2 * MANY {
        turns.wait(&n.to_string()).await;
    }
    assert!(turns.hosts.lock().unwrap().len() <= MANY);
    assert!(turns.wait("held").now_or_never().is_none());
}
