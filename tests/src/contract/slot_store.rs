//! What a [`SlotStore`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::synthesis::slot::Slot;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::SlotStore;
use jiff::Timestamp;

/// Makes tests, or a list, of every promise of a `SlotStore`.
#[macro_export]
macro_rules! slot_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] slot_store: [
            a_slot_comes_back_as_it_was_put,
            only_what_is_expected_is_replaced,
            of_concurrent_watchers_one_has_the_slot,
            slots_of_schedules_and_tenants_never_meet,
        ] }
    };
}

pub async fn a_slot_comes_back_as_it_was_put(store: Arc<dyn SlotStore>) {
    assert_eq!(store.slot(&tenant(), "run").await.unwrap(), None);
    let slot = Slot { failures: 3, ..slot("one", 5) };
    assert!(store.replace_slot(&tenant(), "run", None, &slot).await.unwrap());
    assert_eq!(store.slot(&tenant(), "run").await.unwrap(), Some(slot));
}

pub async fn only_what_is_expected_is_replaced(store: Arc<dyn SlotStore>) {
    let (first, second) = (slot("one", 5), slot("two", 6));
    assert!(!store.replace_slot(&tenant(), "run", Some(&first), &second).await.unwrap(), "nothing is there yet");
    assert!(store.replace_slot(&tenant(), "run", None, &first).await.unwrap());
    assert!(!store.replace_slot(&tenant(), "run", None, &second).await.unwrap(), "something is there by now");
    let others = [
        Slot { at: time(9), ..first.clone() },
        Slot { holder: "other".to_owned(), ..first.clone() },
        Slot { until: time(9), ..first.clone() },
        Slot { is_done: true, ..first.clone() },
        Slot { failures: 1, ..first.clone() },
    ];
    for other in &others {
        assert!(!store.replace_slot(&tenant(), "run", Some(other), &second).await.unwrap(), "{other:?}");
    }
    assert_eq!(store.slot(&tenant(), "run").await.unwrap(), Some(first.clone()));
    // A time that is finer than the store keeps it is the same time all the same.
    let finer = Slot { at: first.at + jiff::SignedDuration::from_nanos(7), ..first.clone() };
    assert!(store.replace_slot(&tenant(), "run", Some(&finer), &second).await.unwrap());
    assert_eq!(store.slot(&tenant(), "run").await.unwrap(), Some(second));
}

pub async fn of_concurrent_watchers_one_has_the_slot(store: Arc<dyn SlotStore>) {
    let mut last = None;
    for round in 0..3 {
        let watchers: Vec<_> = (0..12)
            .map(|number| {
                let (store, expected) = (Arc::clone(&store), last.clone());
                let mine = slot(&format!("watcher {number}"), round);
                tokio::spawn(async move {
                    let won = store.replace_slot(&tenant(), "run", expected.as_ref(), &mine).await.unwrap();
                    won.then_some(mine)
                })
            })
            .collect();
        let mut winners = Vec::new();
        for watcher in watchers {
            winners.extend(watcher.await.unwrap());
        }
        assert_eq!(winners.len(), 1, "round {round}");
        last = winners.pop();
        assert_eq!(store.slot(&tenant(), "run").await.unwrap(), last);
    }
}

pub async fn slots_of_schedules_and_tenants_never_meet(store: Arc<dyn SlotStore>) {
    let other = TenantId("other".to_owned());
    assert!(store.replace_slot(&tenant(), "run", None, &slot("one", 1)).await.unwrap());
    assert_eq!(store.slot(&other, "run").await.unwrap(), None);
    assert_eq!(store.slot(&tenant(), "other").await.unwrap(), None);
    assert!(store.replace_slot(&other, "run", None, &slot("two", 2)).await.unwrap());
    assert!(store.replace_slot(&tenant(), "other", None, &slot("three", 3)).await.unwrap());
    assert_eq!(store.slot(&tenant(), "run").await.unwrap(), Some(slot("one", 1)));
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + seconds).expect("a time of the year 2026")
}

fn slot(holder: &str, seconds: i64) -> Slot {
    Slot { at: time(seconds), holder: holder.to_owned(), until: time(seconds + 60), is_done: false, failures: 0 }
}
