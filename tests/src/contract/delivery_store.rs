//! What a [`DeliveryStore`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::synthesis::delivery::{Attempt, DeliveryRecord, DeliveryState};
use headwater_domain::synthesis::history::RunRecord;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, DeliveryStore};
use jiff::Timestamp;

/// Makes tests, or a list, of every promise of a `DeliveryStore`.
#[macro_export]
macro_rules! delivery_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] delivery_store: [
            what_is_owed_is_owed_once_its_run_is_settled,
            the_oldest_run_comes_first_and_other_sinks_are_left_out,
            an_attempt_is_remembered,
            what_is_delivered_stays_so,
            of_concurrent_deliveries_one_counts,
            deliveries_of_tenants_never_meet,
            old_records_are_forgotten_in_batches,
        ] }
    };
}

/// What the checks need: deliveries, and the runs that they belong to.
pub trait Runs: ArticleStore + DeliveryStore {}

impl<T: ArticleStore + DeliveryStore> Runs for T {}

pub async fn what_is_owed_is_owed_once_its_run_is_settled<S: Runs>(store: Arc<S>) {
    store.owe(&tenant(), "run-1", &names(&["hook", "mail"]), at(1)).await.unwrap();
    assert!(owed(&store, &["hook", "mail"]).await.is_empty(), "the run may never come");
    settle(&store, "run-1").await;
    assert_eq!(owed(&store, &["hook", "mail"]).await, ["run-1 hook", "run-1 mail"]);
    store.owe(&tenant(), "run-1", &names(&["hook", "page"]), at(2)).await.unwrap();
    let records = store.deliveries(&tenant(), "run-1").await.unwrap();
    assert_eq!(records, [record("hook", 1), record("mail", 1), record("page", 2)], "what was noted stays as it was");
}

pub async fn the_oldest_run_comes_first_and_other_sinks_are_left_out<S: Runs>(store: Arc<S>) {
    for run in ["run-3", "run-1", "run-2"] {
        store.owe(&tenant(), run, &names(&["hook", "mail"]), at(1)).await.unwrap();
        settle(&store, run).await;
    }
    assert_eq!(owed(&store, &["hook"]).await, ["run-1 hook", "run-2 hook", "run-3 hook"]);
    let two = store.owed(&tenant(), &names(&["mail", "hook"]), 2).await.unwrap();
    assert_eq!(two.iter().map(|one| one.run_id.as_str()).collect::<Vec<_>>(), ["run-1", "run-1"]);
    assert!(owed(&store, &[]).await.is_empty());
}

pub async fn an_attempt_is_remembered<S: Runs>(store: Arc<S>) {
    settle(&store, "run-1").await;
    store.owe(&tenant(), "run-1", &names(&["hook"]), at(1)).await.unwrap();
    let failed = record("hook", 1).after(Attempt::Failed("no answer \0".to_owned()), at(5));
    assert!(store.save_delivery(&tenant(), &failed).await.unwrap());
    let known = store.deliveries(&tenant(), "run-1").await.unwrap().pop().unwrap();
    assert_eq!((known.state, known.attempts, known.changed_at), (DeliveryState::Owed, 1, at(5)));
    assert_eq!(known.problem.as_deref(), Some("no answer \u{fffd}"));
    assert_eq!(owed(&store, &["hook"]).await, ["run-1 hook"], "it is still owed");
    let skipped = known.after(Attempt::Skipped, at(6));
    assert!(store.save_delivery(&tenant(), &skipped).await.unwrap());
    assert!(owed(&store, &["hook"]).await.is_empty());
}

pub async fn what_is_delivered_stays_so<S: Runs>(store: Arc<S>) {
    settle(&store, "run-1").await;
    let delivered = record("hook", 1).after(Attempt::Delivered, at(2));
    assert!(store.save_delivery(&tenant(), &delivered).await.unwrap(), "also one that was never noted as owed");
    assert!(!store.save_delivery(&tenant(), &delivered).await.unwrap());
    let late = record("hook", 1).after(Attempt::Failed("late".to_owned()), at(3));
    assert!(!store.save_delivery(&tenant(), &late).await.unwrap());
    store.owe(&tenant(), "run-1", &names(&["hook"]), at(4)).await.unwrap();
    assert_eq!(store.deliveries(&tenant(), "run-1").await.unwrap(), [delivered]);
    assert!(owed(&store, &["hook"]).await.is_empty());
}

pub async fn of_concurrent_deliveries_one_counts<S: Runs + 'static>(store: Arc<S>) {
    settle(&store, "run-1").await;
    store.owe(&tenant(), "run-1", &names(&["hook"]), at(1)).await.unwrap();
    let deliveries: Vec<_> = (0..8)
        .map(|number| {
            let store = Arc::clone(&store);
            let delivered = record("hook", 1).after(Attempt::Delivered, at(10 + number));
            tokio::spawn(async move { store.save_delivery(&tenant(), &delivered).await.unwrap() })
        })
        .collect();
    let mut counted = 0;
    for delivery in deliveries {
        counted += u32::from(delivery.await.unwrap());
    }
    assert_eq!(counted, 1);
}

pub async fn deliveries_of_tenants_never_meet<S: Runs>(store: Arc<S>) {
    let other = TenantId("other".to_owned());
    settle(&store, "run-1").await;
    store.owe(&tenant(), "run-1", &names(&["hook"]), at(1)).await.unwrap();
    assert!(store.owed(&other, &names(&["hook"]), 10).await.unwrap().is_empty());
    assert!(store.deliveries(&other, "run-1").await.unwrap().is_empty());
    store.owe(&other, "run-1", &names(&["hook"]), at(1)).await.unwrap();
    assert!(store.owed(&other, &names(&["hook"]), 10).await.unwrap().is_empty(), "the run is not theirs");
    assert!(store.save_delivery(&other, &record("hook", 1).after(Attempt::Delivered, at(2))).await.unwrap());
    assert_eq!(owed(&store, &["hook"]).await, ["run-1 hook"]);
    assert_eq!(store.forget_deliveries(&other, at(100), 10).await.unwrap(), 1);
    assert_eq!(store.deliveries(&tenant(), "run-1").await.unwrap().len(), 1);
}

pub async fn old_records_are_forgotten_in_batches<S: Runs>(store: Arc<S>) {
    for number in 0..5 {
        store.owe(&tenant(), &format!("run-{number}"), &names(&["hook"]), at(number)).await.unwrap();
    }
    assert_eq!(store.forget_deliveries(&tenant(), at(3), 2).await.unwrap(), 2);
    assert_eq!(store.forget_deliveries(&tenant(), at(3), 2).await.unwrap(), 1);
    assert_eq!(store.forget_deliveries(&tenant(), at(3), 2).await.unwrap(), 0);
    assert_eq!(store.deliveries(&tenant(), "run-3").await.unwrap().len(), 1);
}

/// What is owed, as `run sink`.
async fn owed<S: Runs>(store: &Arc<S>, sinks: &[&str]) -> Vec<String> {
    let owed = store.owed(&tenant(), &names(sinks), 100).await.unwrap();
    owed.iter().map(|one| format!("{} {}", one.run_id, one.sink)).collect()
}

async fn settle<S: Runs>(store: &Arc<S>, run_id: &str) {
    let run = RunRecord {
        run_id: run_id.to_owned(),
        started_at: at(0),
        finished_at: at(0),
        kept: 0,
        digest_json: "{}".to_owned(),
    };
    store.settle(&tenant(), &run, &[]).await.unwrap();
}

fn record(sink: &str, second: i64) -> DeliveryRecord {
    DeliveryRecord::owed("run-1", sink, at(second))
}

fn names(sinks: &[&str]) -> Vec<String> {
    sinks.iter().map(|sink| (*sink).to_owned()).collect()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

fn tenant() -> TenantId {
    TenantId::default()
}
