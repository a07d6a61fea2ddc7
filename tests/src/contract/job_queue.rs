//! What a [`JobQueue`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use headwater_domain::jobs::{Claim, Job, Ring, Waiting};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::JobQueue;
use jiff::Timestamp;

/// Makes tests, or a list, of every promise of a `JobQueue`.
#[macro_export]
macro_rules! job_queue_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] job_queue: [
            a_job_comes_as_it_was_rung_for,
            a_doubled_key_rings_once,
            a_key_is_free_once_its_job_is_done,
            a_job_is_not_given_before_its_time,
            the_job_that_is_due_longest_comes_first,
            workers_are_given_the_kinds_that_they_ask_for,
            a_failed_job_comes_back_at_its_time,
            a_job_that_is_given_up_is_gone,
            the_job_of_a_dead_worker_is_rung_again,
            a_worker_that_is_heard_of_keeps_its_job,
            the_word_of_a_late_worker_is_refused,
            a_job_that_kills_its_workers_ends,
            a_job_that_always_fails_ends,
            keys_of_tenants_never_meet,
            hostile_texts_are_data_to_the_queue,
            of_sixteen_workers_one_is_given_each_job,
            a_ring_is_heard,
        ] }
    };
}

pub async fn a_job_comes_as_it_was_rung_for(queue: Arc<dyn JobQueue>) {
    assert!(queue.ring(&ring("a")).await.unwrap());
    let waiting = queue.waiting(&tenant(), "a").await.unwrap();
    assert_eq!(waiting, Some(Waiting { not_before: time(0), attempts: 0, claimed_at: None }));
    let job = take(&queue, 5).await.unwrap();
    let attempt = job.claim.attempt;
    assert_eq!((job.tenant, job.key.as_str(), job.kind.as_str()), (tenant(), "a", "sync"));
    assert_eq!((job.payload.as_str(), job.max_attempts, attempt), ("{\"source\":\"ü\"}", 3, 1));
    let waiting = queue.waiting(&tenant(), "a").await.unwrap();
    assert_eq!(waiting, Some(Waiting { not_before: time(0), attempts: 1, claimed_at: Some(time(5)) }));
    assert_eq!(take(&queue, 5).await, None, "a job that is held is nobody else's");
}

pub async fn a_doubled_key_rings_once(queue: Arc<dyn JobQueue>) {
    assert!(queue.ring(&ring("a")).await.unwrap());
    assert!(!queue.ring(&ring("a")).await.unwrap(), "while it waits");
    let job = take(&queue, 0).await.unwrap();
    assert!(!queue.ring(&Ring { payload: "other".to_owned(), ..ring("a") }).await.unwrap(), "while it is held");
    assert_eq!(take(&queue, 0).await, None, "no second copy runs beside the first");
    assert!(queue.failed(job.claim, Some(time(9))).await.unwrap());
    assert!(!queue.ring(&ring("a")).await.unwrap(), "while it rests");
    assert_eq!(take(&queue, 9).await.unwrap().payload, job.payload);
    assert_eq!(take(&queue, 9).await, None);
}

pub async fn a_key_is_free_once_its_job_is_done(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    let first = take(&queue, 0).await.unwrap();
    assert!(queue.done(first.claim).await.unwrap());
    assert_eq!(queue.waiting(&tenant(), "a").await.unwrap(), None);
    assert!(!queue.done(first.claim).await.unwrap(), "it is done already");
    assert!(queue.ring(&ring("a")).await.unwrap());
    let second = take(&queue, 0).await.unwrap();
    assert_ne!(second.claim, first.claim);
    assert!(!queue.done(first.claim).await.unwrap(), "the old claim holds nothing of the new job");
}

pub async fn a_job_is_not_given_before_its_time(queue: Arc<dyn JobQueue>) {
    queue.ring(&Ring { not_before: time(10), ..ring("a") }).await.unwrap();
    assert_eq!(take(&queue, 9).await, None);
    assert_eq!(take(&queue, 10).await.unwrap().key, "a");
}

pub async fn the_job_that_is_due_longest_comes_first(queue: Arc<dyn JobQueue>) {
    for (key, seconds) in [("b", 2), ("c", 3), ("a", 1)] {
        queue.ring(&Ring { not_before: time(seconds), ..ring(key) }).await.unwrap();
    }
    for expected in ["a", "b", "c"] {
        assert_eq!(take(&queue, 10).await.unwrap().key, expected);
    }
}

pub async fn workers_are_given_the_kinds_that_they_ask_for(queue: Arc<dyn JobQueue>) {
    queue.ring(&Ring { kind: "other".to_owned(), ..ring("a") }).await.unwrap();
    assert_eq!(take(&queue, 0).await, None);
    assert_eq!(queue.take(&[], time(0), LEASE).await.unwrap(), None);
    let both = ["other".to_owned(), "sync".to_owned()];
    assert_eq!(queue.take(&both, time(0), LEASE).await.unwrap().unwrap().kind, "other");
}

pub async fn a_failed_job_comes_back_at_its_time(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    let first = take(&queue, 0).await.unwrap();
    assert!(queue.failed(first.claim, Some(time(60))).await.unwrap());
    assert_eq!(take(&queue, 59).await, None);
    let waiting = queue.waiting(&tenant(), "a").await.unwrap();
    assert_eq!(waiting, Some(Waiting { not_before: time(60), attempts: 1, claimed_at: None }));
    let second = take(&queue, 60).await.unwrap();
    assert_eq!((second.key.as_str(), second.claim.attempt), ("a", 2));
    assert!(!queue.failed(first.claim, Some(time(61))).await.unwrap());
}

pub async fn a_job_that_is_given_up_is_gone(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    let job = take(&queue, 0).await.unwrap();
    assert!(queue.failed(job.claim, None).await.unwrap());
    assert_eq!(take(&queue, 1000).await, None);
    assert!(queue.ring(&ring("a")).await.unwrap(), "its key is free");
}

pub async fn the_job_of_a_dead_worker_is_rung_again(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    let first = take(&queue, 0).await.unwrap();
    assert_eq!(take(&queue, 29).await, None, "its lease has a second left");
    let second = take(&queue, 30).await.unwrap();
    assert_eq!(second.claim, Claim { attempt: 2, ..first.claim });
}

pub async fn a_worker_that_is_heard_of_keeps_its_job(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    let job = take(&queue, 0).await.unwrap();
    assert!(queue.extend(job.claim, time(20)).await.unwrap());
    assert_eq!(take(&queue, 49).await, None);
    assert!(queue.done(job.claim).await.unwrap());
    assert!(!queue.extend(job.claim, time(50)).await.unwrap());
}

pub async fn the_word_of_a_late_worker_is_refused(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    let late = take(&queue, 0).await.unwrap();
    let present = take(&queue, 30).await.unwrap();
    assert!(!queue.extend(late.claim, time(31)).await.unwrap());
    assert!(!queue.done(late.claim).await.unwrap());
    assert!(!queue.failed(late.claim, Some(time(31))).await.unwrap());
    assert!(!queue.failed(late.claim, None).await.unwrap());
    let waiting = queue.waiting(&tenant(), "a").await.unwrap();
    assert_eq!(waiting.unwrap().claimed_at, Some(time(30)), "nothing of the present worker's has changed");
    assert!(queue.done(present.claim).await.unwrap());
}

pub async fn a_job_that_kills_its_workers_ends(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    queue.ring(&Ring { not_before: time(1), ..ring("harmless") }).await.unwrap();
    // Each worker dies without a word; the next comes when the lease is over.
    for attempt in 1..=3 {
        let job = take(&queue, i64::from(attempt) * 30).await.unwrap();
        assert_eq!((job.key.as_str(), job.claim.attempt), ("a", attempt));
    }
    assert_eq!(take(&queue, 120).await.unwrap().key, "harmless", "the others go on");
    assert_eq!(queue.waiting(&tenant(), "a").await.unwrap(), None);
    assert!(queue.ring(&ring("a")).await.unwrap(), "its key is free");
}

pub async fn a_job_that_always_fails_ends(queue: Arc<dyn JobQueue>) {
    queue.ring(&ring("a")).await.unwrap();
    for attempt in 1..=3 {
        let job = take(&queue, attempt).await.unwrap();
        assert!(queue.failed(job.claim, Some(time(attempt))).await.unwrap(), "attempt {attempt}");
    }
    assert_eq!(take(&queue, 1000).await, None);
    assert_eq!(queue.waiting(&tenant(), "a").await.unwrap(), None);
}

pub async fn keys_of_tenants_never_meet(queue: Arc<dyn JobQueue>) {
    let other = TenantId("other".to_owned());
    assert!(queue.ring(&ring("a")).await.unwrap());
    assert_eq!(queue.waiting(&other, "a").await.unwrap(), None);
    assert!(queue.ring(&Ring { tenant: other.clone(), not_before: time(1), ..ring("a") }).await.unwrap());
    let tenants = [take(&queue, 5).await.unwrap().tenant, take(&queue, 5).await.unwrap().tenant];
    assert_eq!(tenants, [tenant(), other]);
}

pub async fn hostile_texts_are_data_to_the_queue(queue: Arc<dyn JobQueue>) {
    let hostile = "'); DROP TABLE jobs; -- %s $1 ?1 \\ \" \u{202e} \u{0} \u{1} {\"a\":[1]} \u{10ffff}";
    assert!(queue.ring(&Ring { payload: hostile.to_owned(), ..ring(hostile) }).await.unwrap());
    assert!(!queue.ring(&ring(hostile)).await.unwrap());
    let job = take(&queue, 0).await.unwrap();
    let clean = hostile.replace('\0', "\u{fffd}");
    assert_eq!((job.key.as_str(), job.payload.as_str()), (clean.as_str(), clean.as_str()), "all but NUL is kept");
    assert!(queue.waiting(&tenant(), hostile).await.unwrap().is_some());
}

pub async fn of_sixteen_workers_one_is_given_each_job(queue: Arc<dyn JobQueue>) {
    const JOBS: usize = 96;
    for number in 0..JOBS {
        queue.ring(&ring(&format!("job {number}"))).await.unwrap();
    }
    let workers: Vec<_> = (0..16)
        .map(|_| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move {
                let mut held = Vec::new();
                while let Some(job) = take(&queue, 0).await {
                    held.push(job);
                }
                held
            })
        })
        .collect();
    let mut keys = Vec::new();
    for worker in workers {
        keys.extend(worker.await.unwrap().into_iter().map(|job| job.key));
    }
    assert_eq!(keys.len(), JOBS, "none twice");
    assert_eq!(keys.into_iter().collect::<HashSet<_>>().len(), JOBS, "none lost");
}

pub async fn a_ring_is_heard(queue: Arc<dyn JobQueue>) {
    let worker = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move {
            loop {
                if let Some(job) = take(&queue, 0).await {
                    return job;
                }
                // Were the ring not heard, the test would be killed for its length.
                queue.heard(Duration::from_secs(3600)).await.unwrap();
            }
        }
    });
    tokio::task::yield_now().await;
    queue.ring(&ring("a")).await.unwrap();
    assert_eq!(worker.await.unwrap().key, "a");
}

async fn take(queue: &Arc<dyn JobQueue>, seconds: i64) -> Option<Job> {
    queue.take(&["sync".to_owned()], time(seconds), LEASE).await.unwrap()
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + seconds).expect("a time of the year 2026")
}

fn ring(key: &str) -> Ring {
    Ring {
        tenant: tenant(),
        key: key.to_owned(),
        kind: "sync".to_owned(),
        payload: "{\"source\":\"ü\"}".to_owned(),
        not_before: time(0),
        max_attempts: 3,
    }
}

const LEASE: Duration = Duration::from_secs(30);
