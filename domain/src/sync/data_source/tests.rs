//! Changes change what they name, deleted sources stay deleted, and no secret is kept among the settings.

use serde_json::json;

use super::*;

fn source() -> DataSource {
    let id = DataSourceId("d1".to_owned());
    let base = KnowledgeBaseId("kb".to_owned());
    let mut source = DataSource::new(id, TenantId::default(), base, Timestamp::UNIX_EPOCH);
    source.name = "Wiki".to_owned();
    source.connector_type = "notion".to_owned();
    source
}

fn later() -> Timestamp {
    Timestamp::from_second(3600).unwrap()
}

#[test]
fn a_change_changes_what_it_names_and_nothing_else() {
    let before = source();
    let change = DataSourceChange { name: Some("Other".to_owned()), ..DataSourceChange::default() };
    let after = before.changed(&change, later());
    assert_eq!(after, DataSource { name: "Other".to_owned(), updated_at: later(), revision: 2, ..before.clone() });
    let off = DataSourceChange { sync_deletions: Some(false), ..DataSourceChange::default() };
    assert!(!before.changed(&off, later()).sync_deletions, "an explicit no is kept");
    let never = DataSourceChange { schedule: Some(None), ..DataSourceChange::default() };
    let schedule = Some(SyncSchedule { expression: "0 * * * *".to_owned(), zone: "UTC".to_owned() });
    assert_eq!(DataSource { schedule, ..before }.changed(&never, later()).schedule, None);
}

#[test]
fn a_deleted_source_never_changes() {
    let deleted = DataSource { status: DataSourceStatus::Deleted, ..source() };
    let change = DataSourceChange { standing: Some(Standing::Resumed), ..DataSourceChange::default() };
    assert_eq!(deleted.changed(&change, later()), deleted);
}

#[test]
fn parking_never_undoes_a_pause_and_resuming_forgets_failures() {
    use DataSourceStatus as S;
    let parked = Some(Standing::Parked(ParkReason::Crashing));
    assert_eq!(S::Paused.after(parked), S::Paused);
    assert_eq!(S::Active.after(parked), S::Parked(ParkReason::Crashing));
    assert_eq!(S::Parked(ParkReason::Crashing).after(Some(Standing::Paused)), S::Paused);
    assert_eq!(S::Deleted.after(Some(Standing::Resumed)), S::Deleted);
    let failing = DataSource { failures: 3, ..source() };
    let resume = DataSourceChange { standing: Some(Standing::Resumed), ..DataSourceChange::default() };
    assert_eq!(failing.changed(&resume, later()).failures, 0);
}

#[test]
fn statuses_read_and_write_their_words() {
    let parked = [
        ParkReason::InvalidCredentials,
        ParkReason::CredentialsUnreadable,
        ParkReason::InvalidConfig,
        ParkReason::Crashing,
    ];
    let mut all: Vec<_> = parked.map(DataSourceStatus::Parked).to_vec();
    all.extend([DataSourceStatus::Active, DataSourceStatus::Paused, DataSourceStatus::Deleted]);
    for status in all {
        let reason = status.park_reason().map(ParkReason::as_str);
        assert_eq!(DataSourceStatus::parse(status.as_str(), reason), Some(status));
    }
    assert_eq!(DataSourceStatus::parse("parked", None), None);
    assert_eq!(DataSourceStatus::parse("error", None), None);
}

#[track_caller]
fn check(change: impl FnOnce(&mut DataSource), expected: Result<(), InvalidDataSource>) {
    let mut changed = source();
    change(&mut changed);
    assert_eq!(changed.check(), expected);
}

#[test]
fn what_cannot_be_kept_is_named() {
    check(|_| (), Ok(()));
    check(|source| source.name = " ".to_owned(), Err(InvalidDataSource::Empty("name")));
    check(|source| source.name = "汉".repeat(200), Ok(()));
    check(|source| source.name = "n".repeat(201), Err(InvalidDataSource::TooLarge { field: "name", limit: 200 }));
    let long = InvalidDataSource::TooLarge { field: "resource_ids", limit: MAX_ID_BYTES };
    check(|source| source.resource_ids = vec!["r".repeat(MAX_ID_BYTES + 1)], Err(long));
    let large = InvalidDataSource::TooLarge { field: "settings", limit: MAX_SETTINGS_BYTES };
    check(|source| drop(source.settings.insert("a".to_owned(), json!("x".repeat(70_000)))), Err(large));
}

#[test]
fn a_url_with_a_secret_is_refused_wherever_it_stands() {
    let url = "https://tracker.example/rss?passkey=0123456789abcdef0123456789abcdef";
    check(|source| source.resource_ids = vec![url.to_owned()], Err(InvalidDataSource::Secret("resource_ids")));
    let feeds = json!({ "nested": [format!("https://a.example/feed, {url}")] });
    check(|source| drop(source.settings.insert("feeds".to_owned(), feeds)), Err(InvalidDataSource::Secret("settings")));
    let plain = json!("https://a.example/feed?page=2\nhttps://b.example/feed");
    check(|source| drop(source.settings.insert("feed_urls".to_owned(), plain)), Ok(()));
}

#[test]
fn a_run_counts_failures_and_parks_or_unparks_what_is_not_paused() {
    let parked = |status| DataSource { status, ..source() };
    let reason = Some(ParkReason::InvalidCredentials);
    let failed = source().after_run(RunStatus::Failed, reason, later());
    assert_eq!((failed.failures, failed.revision, failed.status.park_reason()), (1, 2, reason));
    let again = failed.after_run(RunStatus::Failed, reason, later());
    assert_eq!((again.failures, again.revision), (2, 2), "nothing new for people to see");
    let well = again.after_run(RunStatus::Partial, None, later());
    assert_eq!((well.failures, well.revision, well.status), (0, 3, DataSourceStatus::Active));
    let paused = parked(DataSourceStatus::Paused);
    assert_eq!(paused.after_run(RunStatus::Success, None, later()).status, DataSourceStatus::Paused);
    assert_eq!(paused.after_run(RunStatus::Failed, reason, later()).status, DataSourceStatus::Paused);
    assert_eq!(again.after_run(RunStatus::Canceled, None, later()), again);
}
