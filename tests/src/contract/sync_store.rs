//! What a [`SyncStore`](headwater_ports::SyncStore) promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::sync::{
    DataSource, DataSourceChange, DataSourceStatus, ErrorSample, ErrorSamples, ItemOutcome, ParkReason, Progress,
    RunCounts, RunEnd, RunStatus, SkipReason, Standing, SyncCursor, Trigger,
};
use headwater_ports::{Begin, Fenced, LogPage, RunClaim, RunFinish, Store};
use serde_json::json;

use super::sync_fixture::{
    at, begin, claim, created, delivery, done, forged, id, known, policy, refused, run, runs, source, stranger, tenant,
};

/// Makes tests, or a list, of every promise of a `SyncStore`.
#[macro_export]
macro_rules! sync_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] sync_store: [
            a_run_begins_with_a_lease_and_a_log,
            a_run_that_is_under_way_is_named,
            of_many_claims_one_is_granted,
            a_dead_run_is_replaced_and_refused_from_then_on,
            a_late_run_that_nobody_replaced_goes_on,
            runs_that_die_one_after_the_other_park_their_source,
            a_schedule_begins_only_what_is_active,
            a_checkpoint_is_there_as_a_whole,
            a_cursor_comes_back_as_it_was_written,
            a_large_cursor_comes_back_whole,
            a_finished_run_writes_no_more,
            the_end_of_a_run_counts_for_its_source,
            a_confirmation_is_used_up_once,
            a_canceled_run_writes_no_more,
            an_empty_cursor_reads_everything_anew,
            logs_come_newest_first_in_pages,
            the_latest_logs_of_many_sources_come_together,
            expired_runs_are_named_the_longest_dead_first,
            runs_of_tenants_never_meet,
        ] }
    };
}

async fn with_source(store: &Arc<dyn Store>, names: &[&str]) {
    for name in names {
        store.create_data_source(&source(name, 0)).await.unwrap();
    }
}

pub async fn a_run_begins_with_a_lease_and_a_log(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let begun = begin(&*store, "a", "r1", 5).await;
    assert_eq!(begun.source, source("a", 0));
    assert_eq!((begun.log.attempt, begun.log.trigger, begun.interrupted.clone()), (1, Trigger::Manual, None));
    assert_eq!((begun.log.status, begun.log.started_at), (RunStatus::Running, at(5)));
    assert_eq!(store.sync_log(&tenant(), &run("r1")).await.unwrap(), Some(begun.log));
    assert_eq!(store.begin_run(&tenant(), &id("none"), &claim("r2", 5)).await.unwrap(), Begin::Missing);
    assert_eq!(store.sync_log(&tenant(), &run("r2")).await.unwrap(), None);
}

pub async fn a_run_that_is_under_way_is_named(store: Arc<dyn Store>) {
    with_source(&store, &["a", "b"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    done(store.checkpoint(&begun.fence, &[], &created(3), at(30), &policy()).await);
    let expected = store.sync_log(&tenant(), &run("r1")).await.unwrap().unwrap();
    assert_eq!(expected.counts.created, 3);
    let second = store.begin_run(&tenant(), &id("a"), &claim("r2", 89)).await.unwrap();
    assert_eq!(second, Begin::AlreadyRunning(Box::new(expected)), "a checkpoint is a sign of life");
    assert_eq!(store.sync_log(&tenant(), &run("r2")).await.unwrap(), None);
    begin(&*store, "b", "r3", 0).await;
}

pub async fn of_many_claims_one_is_granted(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    for round in 0..3 {
        let claims: Vec<_> = (0..16)
            .map(|n| {
                let store = Arc::clone(&store);
                let claim = claim(&format!("r{round}-{n}"), round * 100);
                tokio::spawn(async move { store.begin_run(&tenant(), &id("a"), &claim).await.unwrap() })
            })
            .collect();
        let mut begun = Vec::new();
        for claim in claims {
            match claim.await.unwrap() {
                Begin::Begun(run) => begun.push(run),
                Begin::AlreadyRunning(_) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(begun.len(), 1, "round {round}");
        assert_eq!(begun[0].interrupted.is_some(), round > 0);
    }
}

pub async fn a_dead_run_is_replaced_and_refused_from_then_on(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let dead = begin(&*store, "a", "r1", 0).await;
    done(store.checkpoint(&dead.fence, &known(&[("e1", "1")]), &created(1), at(10), &policy()).await);
    let next = begin(&*store, "a", "r2", 70).await;
    assert_eq!((next.interrupted, next.log.attempt), (Some(run("r1")), 2));
    assert!(next.fence.token > dead.fence.token);
    let log = store.sync_log(&tenant(), &run("r1")).await.unwrap().unwrap();
    assert_eq!((log.status, log.finished_at, log.counts.created), (RunStatus::Interrupted, Some(at(70)), 1));

    // The dead one wakes up.
    assert!(refused(store.heartbeat(&dead.fence, at(71), &policy()).await));
    assert!(refused(store.checkpoint(&dead.fence, &known(&[("e2", "2")]), &created(9), at(71), &policy()).await));
    assert!(refused(store.finish_run(&dead.fence, &RunFinish::new(RunEnd::Complete, created(9)), at(71)).await));
    assert!(refused(store.reset_cursor(&dead.fence).await));
    assert!(refused(store.upsert_document(&dead.fence, &delivery("e2", "late"), at(71)).await));
    assert_eq!(store.sync_log(&tenant(), &run("r1")).await.unwrap(), Some(log));
    let cursor = store.sync_cursor(&tenant(), &id("a")).await.unwrap();
    assert_eq!((cursor.version("space", "e1"), cursor.len()), (Some("1"), 1));
    assert_eq!(store.count_documents(&tenant(), &id("a")).await.unwrap(), 0);
    done(store.heartbeat(&next.fence, at(72), &policy()).await);
}

pub async fn a_late_run_that_nobody_replaced_goes_on(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    done(store.heartbeat(&begun.fence, at(500), &policy()).await);
    assert!(matches!(store.begin_run(&tenant(), &id("a"), &claim("r2", 559)).await.unwrap(), Begin::AlreadyRunning(_)));
    done(store.heartbeat(&begun.fence, at(100), &policy()).await);
    let second = store.begin_run(&tenant(), &id("a"), &claim("r2", 559)).await.unwrap();
    assert!(matches!(second, Begin::AlreadyRunning(_)), "a heartbeat shortens nothing");
}

pub async fn runs_that_die_one_after_the_other_park_their_source(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    for attempt in 1..=3 {
        assert_eq!(begin(&*store, "a", &format!("r{attempt}"), i64::from(attempt) * 100).await.log.attempt, attempt);
    }
    let refusal = store.begin_run(&tenant(), &id("a"), &claim("r4", 400)).await.unwrap();
    let parked = store.data_source(&tenant(), &id("a")).await.unwrap().unwrap();
    assert_eq!(refusal, Begin::Poisoned(Box::new(parked.clone())));
    assert_eq!(parked.status, DataSourceStatus::Parked(ParkReason::Crashing));
    assert_eq!((parked.revision, parked.updated_at), (2, at(400)));
    assert_eq!(store.sync_log(&tenant(), &run("r3")).await.unwrap().unwrap().status, RunStatus::Interrupted);
    assert_eq!(store.sync_log(&tenant(), &run("r4")).await.unwrap(), None);
    let scheduled = RunClaim { trigger: Trigger::Schedule, ..claim("r5", 401) };
    assert!(matches!(store.begin_run(&tenant(), &id("a"), &scheduled).await.unwrap(), Begin::Resting(_)));
    let by_hand = begin(&*store, "a", "r6", 402).await;
    assert_eq!(by_hand.log.attempt, 1, "a person may try");
}

pub async fn a_schedule_begins_only_what_is_active(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let scheduled = |name: &str, second| RunClaim { trigger: Trigger::Schedule, ..claim(name, second) };
    let pause = DataSourceChange { standing: Some(Standing::Paused), ..DataSourceChange::default() };
    store.change_data_source(&tenant(), &id("a"), 1, &pause, at(0)).await.unwrap();
    let resting = store.begin_run(&tenant(), &id("a"), &scheduled("r1", 1)).await.unwrap();
    assert!(matches!(resting, Begin::Resting(source) if source.status == DataSourceStatus::Paused));
    let by_hand = begin(&*store, "a", "r2", 1).await;
    done(store.finish_run(&by_hand.fence, &RunFinish::new(RunEnd::Complete, created(0)), at(2)).await);
    let resume = DataSourceChange { standing: Some(Standing::Resumed), ..DataSourceChange::default() };
    store.change_data_source(&tenant(), &id("a"), 2, &resume, at(3)).await.unwrap();
    let begun = store.begin_run(&tenant(), &id("a"), &scheduled("r3", 4)).await.unwrap();
    assert!(matches!(begun, Begin::Begun(run) if run.log.trigger == Trigger::Schedule));
    store.delete_data_source(&tenant(), &id("a"), at(5)).await.unwrap();
    assert_eq!(store.begin_run(&tenant(), &id("a"), &claim("r4", 6)).await.unwrap(), Begin::Missing);
}

fn sample(number: u32) -> ErrorSample {
    ErrorSample::new(ErrorKind::HttpStatus, &format!("failure {number}")).about(Some("Title"), Some("e1"))
}

fn samples(numbers: std::ops::Range<u32>) -> ErrorSamples {
    ErrorSamples::from(numbers.map(sample).collect::<Vec<_>>())
}

pub async fn a_checkpoint_is_there_as_a_whole(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    let mut counts = RunCounts::default();
    counts.add_many(ItemOutcome::Skipped(SkipReason::Draft), 4);
    counts.add_many(ItemOutcome::Failed, 1_000_000_000_000);
    let progress = Progress { counts: counts.clone(), errors: Some(samples(0..100)) };
    done(store.checkpoint(&begun.fence, &known(&[("e1", "1"), ("e2", "1")]), &progress, at(1), &policy()).await);
    let log = store.sync_log(&tenant(), &run("r1")).await.unwrap().unwrap();
    assert_eq!((log.counts, log.errors, log.status), (counts, samples(0..100), RunStatus::Running));
    assert_eq!(store.sync_cursor(&tenant(), &id("a")).await.unwrap().len(), 2);
    done(store.checkpoint(&begun.fence, &[], &created(7), at(2), &policy()).await);
    let log = store.sync_log(&tenant(), &run("r1")).await.unwrap().unwrap();
    assert_eq!((log.counts.created, log.errors), (7, samples(0..100)), "no new samples: the old ones stay");
}

pub async fn a_cursor_comes_back_as_it_was_written(store: Arc<dyn Store>) {
    with_source(&store, &["a", "b"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    let mut cursor = SyncCursor::default();
    let checkpoint = async |cursor: &mut SyncCursor| {
        done(store.checkpoint(&begun.fence, &cursor.take_changes(), &created(0), at(1), &policy()).await);
        assert_eq!(store.sync_cursor(&tenant(), &id("a")).await.unwrap(), *cursor);
    };
    cursor.record("space", "e1", "1");
    cursor.record("space", "e2", "1");
    cursor.record("other \" space", "e1", "x");
    cursor.record_state("etag", Some(json!({ "deep": ["a", 1, null] })));
    cursor.record_state("token", Some(json!("t")));
    cursor.record_sync("2026-11-30T19:41:00.123456Z".parse().unwrap());
    checkpoint(&mut cursor).await;
    // The same entry several times in one batch: the last one counts.
    cursor.record("space", "e1", "2");
    cursor.forget("space", "e1");
    cursor.record("space", "e1", "3");
    cursor.record("space", "e3", "1");
    cursor.forget("space", "e3");
    cursor.forget("space", "e2");
    cursor.record_state("token", Some(json!("u")));
    cursor.record_state("token", None);
    cursor.record_state("etag", Some(json!(null)));
    checkpoint(&mut cursor).await;
    cursor.forget("other \" space", "e1");
    checkpoint(&mut cursor).await;
    assert!(store.sync_cursor(&tenant(), &id("b")).await.unwrap().is_empty());
}

pub async fn a_large_cursor_comes_back_whole(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    let mut cursor = SyncCursor::default();
    (0..2500).for_each(|n| cursor.record(&format!("space {}", n % 3), &format!("e{n}"), n.to_string()));
    let finish = RunFinish { changes: cursor.take_changes(), ..RunFinish::new(RunEnd::Complete, created(2500)) };
    done(store.finish_run(&begun.fence, &finish, at(1)).await);
    assert_eq!(store.sync_cursor(&tenant(), &id("a")).await.unwrap(), cursor);
}

pub async fn a_finished_run_writes_no_more(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    let error = Some(sample(7));
    let progress = Progress { errors: Some(samples(0..2)), ..created(2) };
    let finish = RunFinish { error, changes: known(&[("e1", "1")]), ..RunFinish::new(RunEnd::Broken, progress) };
    let log = done(store.finish_run(&begun.fence, &finish, at(9)).await);
    assert_eq!((log.status, log.finished_at, log.error.clone()), (RunStatus::Partial, Some(at(9)), Some(sample(7))));
    assert_eq!((log.counts.created, log.errors.clone()), (2, samples(0..2)));
    assert_eq!(store.sync_log(&tenant(), &run("r1")).await.unwrap(), Some(log));
    assert!(refused(store.finish_run(&begun.fence, &finish, at(10)).await));
    assert!(refused(store.checkpoint(&begun.fence, &known(&[("e2", "1")]), &created(3), at(10), &policy()).await));
    assert!(!store.cancel_run(&tenant(), &run("r1"), at(10)).await.unwrap());
    assert_eq!(store.sync_cursor(&tenant(), &id("a")).await.unwrap().len(), 1);
    assert_eq!(begin(&*store, "a", "r2", 10).await.log.attempt, 1, "the lease is free at once");
}

pub async fn the_end_of_a_run_counts_for_its_source(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let mut counts = RunCounts::default();
    counts.add(ItemOutcome::Failed);
    let failing = Progress { counts, errors: None };
    for (number, second) in [(1, 0), (2, 10)] {
        let begun = begin(&*store, "a", &format!("r{number}"), second).await;
        let park = Some(ParkReason::InvalidCredentials);
        let finish = RunFinish { park, ..RunFinish::new(RunEnd::Complete, failing.clone()) };
        let log = done(store.finish_run(&begun.fence, &finish, at(second + 1)).await);
        assert_eq!(log.status, RunStatus::Failed);
        let source = store.data_source(&tenant(), &id("a")).await.unwrap().unwrap();
        assert_eq!((source.failures, source.revision, source.updated_at), (number, 2, at(1)));
        assert_eq!(source.status, DataSourceStatus::Parked(ParkReason::InvalidCredentials));
    }
    let begun = begin(&*store, "a", "r3", 20).await;
    done(store.finish_run(&begun.fence, &RunFinish::new(RunEnd::Complete, created(1)), at(21)).await);
    let source = store.data_source(&tenant(), &id("a")).await.unwrap().unwrap();
    assert_eq!((source.failures, source.status, source.revision), (0, DataSourceStatus::Active, 3));
}

pub async fn a_confirmation_is_used_up_once(store: Arc<dyn Store>) {
    let confirmed = DataSource { confirmed_deletions: Some(90), ..source("a", 0) };
    store.create_data_source(&confirmed).await.unwrap();
    for (name, confirmation_used, left) in [("r1", false, Some(90)), ("r2", true, None)] {
        let begun = begin(&*store, "a", name, 0).await;
        let finish = RunFinish { confirmation_used, ..RunFinish::new(RunEnd::Complete, created(1)) };
        done(store.finish_run(&begun.fence, &finish, at(1)).await);
        assert_eq!(store.data_source(&tenant(), &id("a")).await.unwrap().unwrap().confirmed_deletions, left);
    }
}

pub async fn a_canceled_run_writes_no_more(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    done(store.checkpoint(&begun.fence, &known(&[("e1", "1")]), &created(1), at(1), &policy()).await);
    assert!(!store.cancel_run(&tenant(), &run("none"), at(2)).await.unwrap());
    assert!(store.cancel_run(&tenant(), &run("r1"), at(2)).await.unwrap());
    assert!(!store.cancel_run(&tenant(), &run("r1"), at(3)).await.unwrap());
    let log = store.sync_log(&tenant(), &run("r1")).await.unwrap().unwrap();
    assert_eq!((log.status, log.finished_at, log.counts.created), (RunStatus::Canceled, Some(at(2)), 1));
    assert!(refused(store.checkpoint(&begun.fence, &known(&[("e2", "1")]), &created(2), at(3), &policy()).await));
    let source = store.data_source(&tenant(), &id("a")).await.unwrap().unwrap();
    assert_eq!((source.failures, source.status), (0, DataSourceStatus::Active));
    begin(&*store, "a", "r2", 3).await;
}

pub async fn an_empty_cursor_reads_everything_anew(store: Arc<dyn Store>) {
    with_source(&store, &["a", "b"]).await;
    let mut cursor = SyncCursor::default();
    cursor.record("space", "e1", "1");
    cursor.record_state("etag", Some(json!("x")));
    cursor.record_sync(at(0));
    let changes = cursor.take_changes();
    let (one, other) = (begin(&*store, "a", "r1", 0).await, begin(&*store, "b", "r2", 0).await);
    for fence in [&one.fence, &other.fence] {
        done(store.checkpoint(fence, &changes, &created(1), at(1), &policy()).await);
    }
    done(store.reset_cursor(&one.fence).await);
    assert_eq!(store.sync_cursor(&tenant(), &id("a")).await.unwrap(), SyncCursor::default());
    assert_eq!(store.sync_cursor(&tenant(), &id("b")).await.unwrap(), cursor);
}

async fn finished_runs(store: &Arc<dyn Store>, source: &str, numbers: std::ops::Range<i64>) {
    for n in numbers {
        // Pairs began in the same second.
        let begun = begin(&**store, source, &format!("{source}-{n:02}"), n / 2).await;
        done(store.finish_run(&begun.fence, &RunFinish::new(RunEnd::Complete, created(1)), at(n)).await);
    }
}

pub async fn logs_come_newest_first_in_pages(store: Arc<dyn Store>) {
    with_source(&store, &["a", "b"]).await;
    finished_runs(&store, "a", 0..9).await;
    finished_runs(&store, "b", 0..3).await;
    let page = async |after: Option<&str>, offset, limit| {
        let page = LogPage { after: after.map(run), offset, limit };
        let logs = store.sync_logs(&tenant(), &id("a"), &page).await.unwrap();
        runs(&logs).iter().map(|name| name.trim_start_matches("a-0").to_owned()).collect::<String>()
    };
    assert_eq!(page(None, 0, 100).await, "876543210");
    assert_eq!(page(None, 0, 3).await, "876");
    assert_eq!(page(Some("a-06"), 0, 3).await, "543");
    assert_eq!(page(None, 4, 3).await, "432");
    assert_eq!(page(Some("a-06"), 2, 100).await, "3210");
    assert_eq!(page(Some("a-00"), 0, 3).await, "");
    assert_eq!(page(Some("none"), 0, 3).await, "");
    assert_eq!(page(None, 100, 3).await, "");
}

pub async fn the_latest_logs_of_many_sources_come_together(store: Arc<dyn Store>) {
    with_source(&store, &["a", "b", "c"]).await;
    finished_runs(&store, "a", 0..5).await;
    finished_runs(&store, "b", 0..2).await;
    let ids: Vec<_> = ["a", "b", "c", "none"].map(id).to_vec();
    let mut latest = store.latest_sync_logs(&tenant(), &ids).await.unwrap();
    latest.sort_by(|one, other| one.run.cmp(&other.run));
    assert_eq!(runs(&latest), ["a-04", "b-01"]);
    assert!(store.latest_sync_logs(&tenant(), &[]).await.unwrap().is_empty());
}

pub async fn expired_runs_are_named_the_longest_dead_first(store: Arc<dyn Store>) {
    with_source(&store, &["a", "b", "c", "d"]).await;
    begin(&*store, "b", "r1", 0).await;
    begin(&*store, "a", "r2", 10).await;
    begin(&*store, "c", "r3", 50).await;
    let ended = begin(&*store, "d", "r4", 0).await;
    done(store.finish_run(&ended.fence, &RunFinish::new(RunEnd::Complete, created(0)), at(1)).await);
    let expired = async |second, limit| {
        let expired = store.expired_runs(at(second), limit).await.unwrap();
        expired.into_iter().map(|(owner, id)| format!("{}/{}", owner.0, id.0)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(expired(59, 10).await, "");
    assert_eq!(expired(60, 10).await, "default/b");
    assert_eq!(expired(100, 10).await, "default/b default/a");
    assert_eq!(expired(500, 2).await, "default/b default/a");
    begin(&*store, "b", "r5", 100).await;
    assert_eq!(expired(100, 10).await, "default/a");
}

pub async fn runs_of_tenants_never_meet(store: Arc<dyn Store>) {
    with_source(&store, &["a"]).await;
    let begun = begin(&*store, "a", "r1", 0).await;
    done(store.checkpoint(&begun.fence, &known(&[("e1", "1")]), &created(1), at(1), &policy()).await);
    assert_eq!(store.begin_run(&stranger(), &id("a"), &claim("r2", 500)).await.unwrap(), Begin::Missing);
    let theirs = forged(&begun.fence);
    assert!(refused(store.heartbeat(&theirs, at(2), &policy()).await));
    assert!(refused(store.checkpoint(&theirs, &known(&[("e2", "1")]), &created(2), at(2), &policy()).await));
    assert!(refused(store.finish_run(&theirs, &RunFinish::new(RunEnd::Complete, created(1)), at(2)).await));
    assert!(refused(store.reset_cursor(&theirs).await));
    assert!(!store.cancel_run(&stranger(), &run("r1"), at(2)).await.unwrap());
    assert!(store.sync_cursor(&stranger(), &id("a")).await.unwrap().is_empty());
    assert_eq!(store.sync_log(&stranger(), &run("r1")).await.unwrap(), None);
    let page = LogPage { after: None, offset: 0, limit: 10 };
    assert!(store.sync_logs(&stranger(), &id("a"), &page).await.unwrap().is_empty());
    let page = LogPage { after: Some(run("r1")), offset: 0, limit: 10 };
    assert!(store.sync_logs(&stranger(), &id("a"), &page).await.unwrap().is_empty());
    assert!(store.latest_sync_logs(&stranger(), &[id("a")]).await.unwrap().is_empty());
    assert_eq!(store.heartbeat(&begun.fence, at(3), &policy()).await.unwrap(), Fenced::Done(()));
    assert_eq!(store.sync_cursor(&tenant(), &id("a")).await.unwrap().len(), 1);

    // The same names at another tenant are others.
    store.create_data_source(&DataSource { tenant: stranger(), ..source("a", 0) }).await.unwrap();
    assert!(matches!(store.begin_run(&stranger(), &id("a"), &claim("r1", 5)).await.unwrap(), Begin::Begun(_)));
    assert_eq!(store.sync_log(&tenant(), &run("r1")).await.unwrap().unwrap().counts.created, 1);
}
