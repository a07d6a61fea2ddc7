//! What `Retention` promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::sync::{DataSource, DataSourceId, DeletedBy, RunEnd, RunId, Upsert};
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, RunRecord};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{LogPage, Removal, Restored, RunFinish, Store};
use jiff::Timestamp;

use super::sync_fixture;

/// Makes tests, or a list, of every promise of `Retention`.
#[macro_export]
macro_rules! retention_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] retention: [
            old_runs_go_and_their_articles_stay,
            old_articles_go_and_younger_ones_stay,
            a_batch_is_no_larger_than_it_may_be,
            old_rows_of_other_tenants_stay,
            old_sync_logs_go_as_their_source_says,
            the_newest_log_and_a_run_under_way_stay,
            deleted_documents_go_in_the_end,
            sync_rows_of_other_tenants_stay,
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

const DAY: i64 = 24 * 3600;

/// Two sources, with a log for each of the given days; one of them keeps its logs for two days.
async fn fill_logs(store: &Arc<dyn Store>, days: std::ops::Range<i64>) {
    let quick = DataSource { log_retention_days: Some(2), ..sync_fixture::source("quick", 0) };
    for source in [quick, sync_fixture::source("slow", 0)] {
        store.create_data_source(&source).await.unwrap();
        for day in days.clone() {
            let name = format!("{}-{day}", source.id.0);
            let begun = sync_fixture::begin(&**store, &source.id.0, &name, day * DAY).await;
            let finish = RunFinish::new(RunEnd::Complete, sync_fixture::created(1));
            sync_fixture::done(store.finish_run(&begun.fence, &finish, sync_fixture::at(day * DAY)).await);
        }
    }
}

async fn logs(store: &Arc<dyn Store>, source: &str) -> Vec<String> {
    let page = LogPage { after: None, offset: 0, limit: 1000 };
    let logs = store.sync_logs(&tenant(), &DataSourceId(source.to_owned()), &page).await.unwrap();
    logs.into_iter().map(|log| log.run.0).collect()
}

pub async fn old_sync_logs_go_as_their_source_says(store: Arc<dyn Store>) {
    fill_logs(&store, 0..10).await;
    let now = sync_fixture::at(9 * DAY);
    assert_eq!(store.forget_sync_logs(&tenant(), now, None, 3).await.unwrap(), 3);
    assert_eq!(store.forget_sync_logs(&tenant(), now, None, 100).await.unwrap(), 4);
    assert_eq!(logs(&store, "quick").await, ["quick-9", "quick-8", "quick-7"], "of two days, and none older");
    assert_eq!(logs(&store, "slow").await.len(), 10, "for good, where nothing says otherwise");
    assert_eq!(store.forget_sync_logs(&tenant(), now, Some(4), 100).await.unwrap(), 5);
    assert_eq!(logs(&store, "slow").await.len(), 5);
    store.delete_data_source(&tenant(), &DataSourceId("quick".to_owned()), now).await.unwrap();
    let later = sync_fixture::at(30 * DAY);
    assert_eq!(store.forget_sync_logs(&tenant(), later, None, 100).await.unwrap(), 2, "of a deleted source too");
}

pub async fn the_newest_log_and_a_run_under_way_stay(store: Arc<dyn Store>) {
    fill_logs(&store, 0..3).await;
    let begun = sync_fixture::begin(&*store, "slow", "slow-3", 3 * DAY).await;
    let later = sync_fixture::at(100 * DAY);
    assert_eq!(store.forget_sync_logs(&tenant(), later, Some(1), 100).await.unwrap(), 5);
    assert_eq!(logs(&store, "quick").await, ["quick-2"]);
    assert_eq!(logs(&store, "slow").await, ["slow-3"]);
    sync_fixture::done(store.heartbeat(&begun.fence, later, &sync_fixture::policy()).await);
    assert!(store.sync_log(&tenant(), &RunId("slow-3".to_owned())).await.unwrap().is_some());
}

pub async fn deleted_documents_go_in_the_end(store: Arc<dyn Store>) {
    store.create_data_source(&sync_fixture::source("a", 0)).await.unwrap();
    let begun = sync_fixture::begin(&*store, "a", "r1", 0).await;
    for name in ["stays", "by source", "by person", "lately"] {
        let new = sync_fixture::delivery(name, name);
        sync_fixture::done(store.upsert_document(&begun.fence, &new, sync_fixture::at(0)).await);
    }
    let (early, late) = (sync_fixture::at(10), sync_fixture::at(20));
    let removed = store.remove_documents(&begun.fence, &["by source".to_owned()], Removal::Delete, early).await;
    sync_fixture::done(removed);
    assert!(store.delete_document(&tenant(), &sync_fixture::key("a", "by person"), early).await.unwrap());
    sync_fixture::done(store.remove_documents(&begun.fence, &["lately".to_owned()], Removal::Delete, late).await);
    assert_eq!(store.forget_documents(&tenant(), late, 1).await.unwrap(), 1);
    assert_eq!(store.forget_documents(&tenant(), late, 100).await.unwrap(), 1);
    assert_eq!(store.forget_documents(&tenant(), late, 100).await.unwrap(), 0, "what stays as a mark goes once");
    assert_eq!(store.document(&tenant(), &sync_fixture::key("a", "by source")).await.unwrap(), None);
    let mark = store.document(&tenant(), &sync_fixture::key("a", "by person")).await.unwrap().unwrap();
    assert_eq!(mark.tombstone.unwrap().by, DeletedBy::Person);
    let restored = store.restore_document(&tenant(), &sync_fixture::key("a", "by person"), late).await.unwrap();
    assert_eq!(restored, Restored::TooLate, "its content is gone");
    let again = sync_fixture::delivery("by person", "changed");
    let plan = sync_fixture::done(store.upsert_document(&begun.fence, &again, late).await);
    assert_eq!(plan, Upsert::StayAway);
    let restored = store.restore_document(&tenant(), &sync_fixture::key("a", "lately"), late).await.unwrap();
    assert!(matches!(restored, Restored::Done(_)));
    let stays = store.document_original(&tenant(), &sync_fixture::key("a", "stays")).await.unwrap();
    assert_eq!(stays.unwrap(), "stays");
}

pub async fn sync_rows_of_other_tenants_stay(store: Arc<dyn Store>) {
    let other = sync_fixture::stranger();
    fill_logs(&store, 0..3).await;
    let begun = sync_fixture::begin(&*store, "slow", "slow-3", 3 * DAY).await;
    sync_fixture::done(
        store.upsert_document(&begun.fence, &sync_fixture::delivery("e1", "x"), sync_fixture::at(0)).await,
    );
    sync_fixture::done(
        store.remove_documents(&begun.fence, &["e1".to_owned()], Removal::Delete, sync_fixture::at(1)).await,
    );
    let later = sync_fixture::at(100 * DAY);
    assert_eq!(store.forget_sync_logs(&other, later, Some(1), 100).await.unwrap(), 0);
    assert_eq!(store.forget_documents(&other, later, 100).await.unwrap(), 0);
    assert_eq!(logs(&store, "quick").await.len() + logs(&store, "slow").await.len(), 7);
    assert!(store.document(&tenant(), &sync_fixture::key("slow", "e1")).await.unwrap().is_some());
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
