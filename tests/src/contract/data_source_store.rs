//! What a [`DataSourceStore`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::secret::Sealed;
use headwater_domain::sync::{
    ConflictStrategy, DataSource, DataSourceChange, DataSourceStatus, KnowledgeBaseId, ParkReason, RunEnd, RunStatus,
    Standing, SyncCursor, SyncMode, SyncSchedule,
};
use headwater_ports::{Changed, DataSourceQuery, DataSourceStore, RunFinish, Store};
use serde_json::json;

use super::sync_fixture::{at, base, begin, created, done, id, known, policy, refused, run, source, stranger, tenant};

/// Makes tests, or a list, of every promise of a `DataSourceStore`.
#[macro_export]
macro_rules! data_source_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] data_source_store: [
            a_data_source_comes_back_as_it_was_created,
            what_cannot_be_kept_is_not_kept,
            an_id_is_taken_once,
            pages_show_the_newest_first_each_once,
            a_change_changes_what_it_names,
            a_change_of_an_old_revision_is_refused,
            of_many_changes_of_one_revision_one_is_made,
            what_runs_write_is_no_conflict_and_is_not_lost,
            a_deleted_source_is_gone_with_its_secrets_and_its_run,
            data_sources_of_tenants_never_meet,
        ] }
    };
}

fn full() -> DataSource {
    DataSource {
        name: "Ünïcode \"quotes\" \u{1f4f0}".to_owned(),
        resource_ids: vec!["b".to_owned(), "a".to_owned()],
        settings: json!({ "zone": "Asia/Shanghai", "deep": { "n": [1, 2.5, null, true] } })
            .as_object()
            .unwrap()
            .clone(),
        schedule: Some(SyncSchedule { expression: "0 */6 * * *".to_owned(), zone: "Europe/Berlin".to_owned() }),
        sync_mode: SyncMode::Full,
        status: DataSourceStatus::Parked(ParkReason::InvalidCredentials),
        conflict_strategy: ConflictStrategy::Skip,
        sync_deletions: false,
        confirmed_deletions: Some(40),
        log_retention_days: Some(7),
        failures: 2,
        last_sync_at: Some("2026-11-30T19:41:00.123456Z".parse().unwrap()),
        revision: 3,
        ..source("full", 1)
    }
}

pub async fn a_data_source_comes_back_as_it_was_created(store: Arc<dyn DataSourceStore>) {
    for source in [full(), source("bare", 0)] {
        store.create_data_source(&source).await.unwrap();
        assert_eq!(store.data_source(&tenant(), &source.id).await.unwrap(), Some(source));
    }
    assert_eq!(store.data_source(&tenant(), &id("none")).await.unwrap(), None);
}

pub async fn what_cannot_be_kept_is_not_kept(store: Arc<dyn DataSourceStore>) {
    let unnamed = DataSource { name: String::new(), ..source("a", 0) };
    assert_eq!(store.create_data_source(&unnamed).await.unwrap_err().kind, ErrorKind::InvalidConfig);
    assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap(), None);
    store.create_data_source(&source("a", 0)).await.unwrap();
    let url = "https://tracker.example/rss?passkey=0123456789abcdef0123456789abcdef";
    let settings = json!({ "feed_urls": url }).as_object().unwrap().clone();
    let secret = DataSourceChange { settings: Some(settings), ..DataSourceChange::default() };
    let error = store.change_data_source(&tenant(), &id("a"), 1, &secret, at(1)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidConfig);
    assert!(!error.to_string().contains("0123456789abcdef"));
    assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap(), Some(source("a", 0)));
}

pub async fn an_id_is_taken_once(store: Arc<dyn DataSourceStore>) {
    store.create_data_source(&source("a", 0)).await.unwrap();
    let again = DataSource { name: "Other".to_owned(), ..source("a", 5) };
    assert_eq!(store.create_data_source(&again).await.unwrap_err().kind, ErrorKind::Store);
    assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap(), Some(source("a", 0)));
}

pub async fn pages_show_the_newest_first_each_once(store: Arc<dyn DataSourceStore>) {
    for n in 0..25 {
        let knowledge_base = if n % 5 == 0 { KnowledgeBaseId("second".to_owned()) } else { base() };
        // Five at a time were made in the same second.
        let source = DataSource { knowledge_base, ..source(&format!("d{n:02}"), n / 5) };
        store.create_data_source(&source).await.unwrap();
    }
    let mut seen: Vec<String> = Vec::new();
    loop {
        let after = seen.last().map(|name| id(name));
        let query = DataSourceQuery { knowledge_base: None, after, limit: 7 };
        let page = store.data_sources(&tenant(), &query).await.unwrap();
        assert!(page.len() <= 7);
        if page.is_empty() {
            break;
        }
        if seen.is_empty() {
            // What goes in the meantime does not lose the place.
            assert!(store.delete_data_source(&tenant(), &page.last().unwrap().id, at(9)).await.unwrap());
        }
        seen.extend(page.into_iter().map(|source| source.id.0));
    }
    let expected: Vec<_> = (0..25).rev().map(|n| format!("d{n:02}")).collect();
    assert_eq!(seen, expected);
    let knowledge_base = Some(KnowledgeBaseId("second".to_owned()));
    let query = DataSourceQuery { knowledge_base, after: None, limit: 100 };
    assert_eq!(store.data_sources(&tenant(), &query).await.unwrap().len(), 5);
    let query = DataSourceQuery { knowledge_base: None, after: Some(id("none")), limit: 100 };
    assert!(store.data_sources(&tenant(), &query).await.unwrap().is_empty());
}

pub async fn a_change_changes_what_it_names(store: Arc<dyn DataSourceStore>) {
    let before = full();
    store.create_data_source(&before).await.unwrap();
    let change = DataSourceChange {
        name: Some("Other".to_owned()),
        resource_ids: Some(Vec::new()),
        settings: Some(json!({ "a": 1 }).as_object().unwrap().clone()),
        schedule: Some(None),
        sync_mode: Some(SyncMode::Incremental),
        conflict_strategy: Some(ConflictStrategy::Overwrite),
        sync_deletions: Some(true),
        confirmed_deletions: Some(None),
        log_retention_days: Some(None),
        standing: Some(Standing::Resumed),
    };
    let changed = store.change_data_source(&tenant(), &before.id, 3, &change, at(50)).await.unwrap();
    let expected = before.changed(&change, at(50));
    assert_eq!(changed, Changed::Done(Box::new(expected.clone())));
    assert_eq!(store.data_source(&tenant(), &before.id).await.unwrap(), Some(expected.clone()));
    let rename = DataSourceChange { name: Some("Third".to_owned()), ..DataSourceChange::default() };
    store.change_data_source(&tenant(), &before.id, 4, &rename, at(51)).await.unwrap();
    let renamed = store.data_source(&tenant(), &before.id).await.unwrap();
    assert_eq!(renamed, Some(expected.changed(&rename, at(51))), "everything else stays");
}

pub async fn a_change_of_an_old_revision_is_refused(store: Arc<dyn DataSourceStore>) {
    store.create_data_source(&source("a", 0)).await.unwrap();
    let change = |name: &str| DataSourceChange { name: Some(name.to_owned()), ..DataSourceChange::default() };
    store.change_data_source(&tenant(), &id("a"), 1, &change("first"), at(1)).await.unwrap();
    let late = store.change_data_source(&tenant(), &id("a"), 1, &change("late"), at(2)).await.unwrap();
    let stands = source("a", 0).changed(&change("first"), at(1));
    assert_eq!(late, Changed::Conflict(Box::new(stands.clone())));
    assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap(), Some(stands));
    let missing = store.change_data_source(&tenant(), &id("b"), 1, &change("x"), at(2)).await.unwrap();
    assert_eq!(missing, Changed::Missing);
}

pub async fn of_many_changes_of_one_revision_one_is_made(store: Arc<dyn DataSourceStore>) {
    store.create_data_source(&source("a", 0)).await.unwrap();
    let changes: Vec<_> = (0..16)
        .map(|n| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let change = DataSourceChange { name: Some(format!("by {n}")), ..DataSourceChange::default() };
                store.change_data_source(&tenant(), &id("a"), 1, &change, at(1)).await.unwrap()
            })
        })
        .collect();
    let mut made = 0;
    for change in changes {
        made += usize::from(matches!(change.await.unwrap(), Changed::Done(_)));
    }
    assert_eq!(made, 1);
    assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap().unwrap().revision, 2);
}

pub async fn what_runs_write_is_no_conflict_and_is_not_lost(store: Arc<dyn Store>) {
    store.create_data_source(&source("a", 0)).await.unwrap();
    let begun = begin(&*store, "a", "r1", 10).await;
    let pause = DataSourceChange { standing: Some(Standing::Paused), ..DataSourceChange::default() };
    let paused = store.change_data_source(&tenant(), &id("a"), 1, &pause, at(11)).await.unwrap();
    assert!(matches!(paused, Changed::Done(_)));
    let mut cursor = SyncCursor::default();
    cursor.record_sync(at(10));
    let finish = RunFinish { changes: cursor.take_changes(), ..RunFinish::new(RunEnd::Complete, created(1)) };
    done(store.finish_run(&begun.fence, &finish, at(12)).await);
    let after = store.data_source(&tenant(), &id("a")).await.unwrap().unwrap();
    assert_eq!((after.status, after.revision), (DataSourceStatus::Paused, 2), "a pause survives the run");
    assert_eq!(after.last_sync_at, Some(at(10)));
    let rename = DataSourceChange { name: Some("Other".to_owned()), ..DataSourceChange::default() };
    store.change_data_source(&tenant(), &id("a"), 2, &rename, at(13)).await.unwrap();
    assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap().unwrap().last_sync_at, Some(at(10)));
}

pub async fn a_deleted_source_is_gone_with_its_secrets_and_its_run(store: Arc<dyn Store>) {
    let (kept, gone) = (source("kept", 0), source("gone", 0));
    store.create_data_source(&kept).await.unwrap();
    store.create_data_source(&gone).await.unwrap();
    let sealed = Sealed { key_id: "k".to_owned(), text: "sealed".to_owned() };
    let secrets = [&kept, &gone].map(|source| (source.credential_place("api_key"), sealed.clone()));
    store.save_secrets(&secrets).await.unwrap();
    let (other, begun) = (begin(&*store, "kept", "r1", 1).await, begin(&*store, "gone", "r2", 1).await);
    done(store.checkpoint(&begun.fence, &known(&[("e1", "1")]), &created(1), at(2), &policy()).await);

    assert!(store.delete_data_source(&tenant(), &gone.id, at(3)).await.unwrap());
    assert!(!store.delete_data_source(&tenant(), &gone.id, at(4)).await.unwrap());
    assert_eq!(store.data_source(&tenant(), &gone.id).await.unwrap(), None);
    assert!(store.secret(&gone.credential_place("api_key")).await.unwrap().is_none());
    assert!(store.secret(&kept.credential_place("api_key")).await.unwrap().is_some());
    let log = store.sync_log(&tenant(), &run("r2")).await.unwrap().unwrap();
    assert_eq!((log.status, log.finished_at, log.counts.created), (RunStatus::Canceled, Some(at(3)), 1));
    assert!(refused(store.heartbeat(&begun.fence, at(4), &policy()).await));
    assert!(store.sync_cursor(&tenant(), &gone.id).await.unwrap().is_empty());
    done(store.heartbeat(&other.fence, at(4), &policy()).await);
    let change = DataSourceChange { standing: Some(Standing::Resumed), ..DataSourceChange::default() };
    assert_eq!(store.change_data_source(&tenant(), &gone.id, 2, &change, at(5)).await.unwrap(), Changed::Missing);
}

pub async fn data_sources_of_tenants_never_meet(store: Arc<dyn DataSourceStore>) {
    store.create_data_source(&source("a", 0)).await.unwrap();
    assert_eq!(store.data_source(&stranger(), &id("a")).await.unwrap(), None);
    let query = DataSourceQuery { knowledge_base: None, after: None, limit: 10 };
    assert!(store.data_sources(&stranger(), &query).await.unwrap().is_empty());
    let change = DataSourceChange { name: Some("stolen".to_owned()), ..DataSourceChange::default() };
    assert_eq!(store.change_data_source(&stranger(), &id("a"), 1, &change, at(1)).await.unwrap(), Changed::Missing);
    assert!(!store.delete_data_source(&stranger(), &id("a"), at(1)).await.unwrap());
    let theirs = DataSource { tenant: stranger(), name: "Theirs".to_owned(), ..source("a", 3) };
    store.create_data_source(&theirs).await.unwrap();
    assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap(), Some(source("a", 0)));
    assert_eq!(store.data_source(&stranger(), &id("a")).await.unwrap(), Some(theirs));
}
