//! What `Retention` promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, RunRecord};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::Store;
use jiff::Timestamp;

/// Makes tests, or a list, of every promise of `Retention`.
#[macro_export]
macro_rules! retention_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] retention: [
            old_runs_go_and_their_articles_stay,
            old_articles_go_and_younger_ones_stay,
            a_batch_is_no_larger_than_it_may_be,
            old_rows_of_other_tenants_stay,
        ] }
    };
}

pub async fn old_runs_go_and_their_articles_stay(store: Arc<dyn Store>) {
    fill(&store, &tenant(), 0..6).await;
    assert_eq!(store.forget_runs(&tenant(), time(3), 100).await.unwrap(), 3);
    let left: Vec<_> = store.runs(&tenant(), 100).await.unwrap().into_iter().map(|run| run.run_id).collect();
    assert_eq!(left, ["r5", "r4", "r3"], "what finished at that very time is not before it");
    assert_eq!(known(&store, &tenant()).await, ["a0", "a1", "a2", "a3", "a4", "a5"]);
    assert_eq!(store.forget_runs(&tenant(), time(3), 100).await.unwrap(), 0);
}

pub async fn old_articles_go_and_younger_ones_stay(store: Arc<dyn Store>) {
    fill(&store, &tenant(), 0..6).await;
    assert_eq!(store.forget_articles(&tenant(), time(4), 100).await.unwrap(), 4);
    assert_eq!(known(&store, &tenant()).await, ["a4", "a5"]);
    assert_eq!(store.runs(&tenant(), 100).await.unwrap().len(), 6);
    let again = store.settle(&tenant(), &run(9), &[entry(0)]).await.unwrap();
    assert_eq!(again, [entry(0).key], "what is forgotten is new");
}

pub async fn a_batch_is_no_larger_than_it_may_be(store: Arc<dyn Store>) {
    fill(&store, &tenant(), 0..6).await;
    assert_eq!(store.forget_articles(&tenant(), time(5), 0).await.unwrap(), 0);
    let batches = [3, 2, 0];
    for expected in batches {
        assert_eq!(store.forget_articles(&tenant(), time(5), 3).await.unwrap(), expected);
    }
    for expected in batches {
        assert_eq!(store.forget_runs(&tenant(), time(5), 3).await.unwrap(), expected);
    }
}

pub async fn old_rows_of_other_tenants_stay(store: Arc<dyn Store>) {
    let other = TenantId("other".to_owned());
    fill(&store, &tenant(), 0..3).await;
    assert_eq!(store.forget_runs(&other, time(100), 100).await.unwrap(), 0);
    assert_eq!(store.forget_articles(&other, time(100), 100).await.unwrap(), 0);
    assert_eq!(known(&store, &tenant()).await.len(), 3);
    assert_eq!(store.runs(&tenant(), 100).await.unwrap().len(), 3);
}

/// A run with one article for each number, that many hours old.
async fn fill(store: &Arc<dyn Store>, tenant: &TenantId, numbers: std::ops::Range<i64>) {
    for number in numbers {
        store.settle(tenant, &run(number), &[entry(number)]).await.unwrap();
    }
}

async fn known(store: &Arc<dyn Store>, tenant: &TenantId) -> Vec<String> {
    let keys: Vec<_> = (0..10).map(|number| entry(number).key).collect();
    let mut known: Vec<_> = store.known(tenant, &keys).await.unwrap().into_iter().map(|entry| entry.key.0).collect();
    known.sort();
    known
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn time(hours: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + hours * 3600).expect("a time of the year 2026")
}

fn entry(number: i64) -> HistoryEntry {
    HistoryEntry {
        key: ArticleKey(format!("a{number}")),
        url: format!("https://site.example/{number}"),
        title: None,
        source_url: "https://site.example/".to_owned(),
        fate: Fate::Kept,
        failures: 0,
        seen_at: time(number),
        fingerprint: None,
    }
}

fn run(number: i64) -> RunRecord {
    RunRecord {
        run_id: format!("r{number}"),
        started_at: time(number),
        finished_at: time(number),
        kept: 1,
        digest_json: "{}".to_owned(),
    }
}
