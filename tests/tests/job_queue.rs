//! Does what waits to be done outlive the process that rang for it, in both stores?
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

use std::time::Duration;

use headwater_adapters_postgres::PgStore;
use headwater_adapters_sqlite::SqliteStore;
use headwater_domain::jobs::{Ring, Schedule, ScheduleId};
use headwater_domain::resilience::Retries;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{JobQueue, ScheduleStore};
use headwater_tests::postgres::PostgresServer;
use jiff::Timestamp;

#[tokio::test]
async fn rests_and_claims_outlive_a_restart_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    let open = async || SqliteStore::open(path.to_str().unwrap()).await.unwrap();
    let before = open().await;
    prepare(&before).await;
    before.close().await;
    check(&open().await).await;
}

#[tokio::test]
async fn rests_and_claims_outlive_a_restart_with_a_database() {
    let server = PostgresServer::start().await;
    let url = server.database().await;
    let before = PgStore::open(&url).await.unwrap();
    prepare(&before).await;
    // Whoever waits for a ring does not keep the store open.
    before.heard(Duration::ZERO).await.unwrap();
    before.close().await;
    let after = PgStore::open(&url).await.unwrap();
    check(&after).await;
    after.close().await;
}

/// One job rests after a failure, one is held by a worker that dies now, and a schedule has fired.
async fn prepare(store: &(impl JobQueue + ScheduleStore)) {
    store.ring(&ring("rests")).await.unwrap();
    let job = take(store, 0).await.unwrap();
    let retry_at = Retries::default().after(job.1, time(0), 0);
    assert_eq!(retry_at, Some(time(60)));
    let claim = headwater_domain::jobs::Claim { job: job.2, attempt: job.1 };
    assert!(store.failed(claim, retry_at).await.unwrap());

    store.ring(&ring("held")).await.unwrap();
    assert_eq!(take(store, 10).await.unwrap().0, "held");

    let schedule = schedule();
    store.save_schedule(&schedule).await.unwrap();
    assert!(store.fire(&schedule, Some(time(5000)), 2).await.unwrap());
}

async fn check(store: &(impl JobQueue + ScheduleStore)) {
    assert!(!store.fire(&schedule(), Some(time(5001)), 2).await.unwrap(), "the slot was fired before the restart");
    assert_eq!(store.due(time(4999), 10).await.unwrap(), []);
    assert_eq!(take(store, 39).await, None, "the rest is not over, nor is the lease, nor is the slot due");
    assert_eq!(take(store, 40).await.map(|job| (job.0, job.1)), Some(("held".to_owned(), 2)));
    assert_eq!(take(store, 59).await, None);
    assert_eq!(take(store, 60).await.map(|job| (job.0, job.1)), Some(("rests".to_owned(), 2)));
    let mut keys = Vec::new();
    while let Some(job) = take(store, 1000).await {
        keys.push(job.0);
    }
    assert_eq!(keys, ["held", "rests", "nightly@2026-01-01T00:16:40Z"]);
}

/// Key, attempt and number of the job that is due.
async fn take(store: &impl JobQueue, seconds: i64) -> Option<(String, u32, i64)> {
    let job = store.take(&["sync".to_owned()], time(seconds), Duration::from_secs(30)).await.unwrap()?;
    Some((job.key, job.claim.attempt, job.claim.job))
}

fn ring(key: &str) -> Ring {
    Ring {
        tenant: TenantId::default(),
        key: key.to_owned(),
        kind: "sync".to_owned(),
        payload: "{}".to_owned(),
        not_before: time(0),
        max_attempts: 3,
    }
}

fn schedule() -> Schedule {
    Schedule {
        tenant: TenantId::default(),
        id: ScheduleId("nightly".to_owned()),
        owner: "a data source".to_owned(),
        expression: "0 3 * * *".to_owned(),
        time_zone: "UTC".to_owned(),
        kind: "sync".to_owned(),
        payload: "{}".to_owned(),
        next_fire: Some(time(1000)),
    }
}

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + seconds).expect("a time of the year 2026")
}
