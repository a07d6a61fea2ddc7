//! What an [`ArticleStore`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::collections::HashSet;
use std::sync::Arc;

use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, MAX_FAILURES, RunRecord};
use headwater_domain::synthesis::near_duplicate::Fingerprint;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::ArticleStore;
use jiff::Timestamp;

/// Makes tests, or a list, of every promise of an `ArticleStore`.
#[macro_export]
macro_rules! article_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] article_store: [
            an_entry_comes_back_as_it_was_settled,
            only_what_is_known_comes_back,
            a_settled_article_keeps_its_entry,
            a_failed_article_gets_the_new_outcome,
            failures_in_the_end_settle_an_article,
            an_article_named_twice_is_settled_once,
            a_repeated_call_gives_its_keys_again,
            nearly_the_same_text_is_found_while_it_is_recent,
            hostile_texts_are_data,
            runs_come_back_newest_first,
            a_run_without_articles_is_a_run,
            large_batches_are_settled_whole,
            histories_of_tenants_never_meet,
            of_concurrent_runs_one_has_each_article,
        ] }
    };
}

pub async fn an_entry_comes_back_as_it_was_settled(store: Arc<dyn ArticleStore>) {
    let full = HistoryEntry { title: Some("Ünïcode \"quotes\" \u{1f4f0}".to_owned()), ..entry("a", Fate::Kept) };
    let bare = entry("b", Fate::Rejected);
    let settled = store.settle(&tenant(), &run("r1"), &[full.clone(), bare.clone()]).await.unwrap();
    assert_eq!(set(settled), keys(&["a", "b"]));
    assert_eq!(known(&store, &["a"]).await, vec![full]);
    assert_eq!(known(&store, &["b"]).await, vec![bare]);
}

pub async fn only_what_is_known_comes_back(store: Arc<dyn ArticleStore>) {
    store.settle(&tenant(), &run("r1"), &[entry("a", Fate::Kept), entry("b", Fate::Failed)]).await.unwrap();
    let found = known(&store, &["x", "a", "A", "a", "b", "a/"]).await;
    assert_eq!(set(found.into_iter().map(|entry| entry.key).collect()), keys(&["a", "b"]));
    assert!(known(&store, &[]).await.is_empty());
}

pub async fn a_settled_article_keeps_its_entry(store: Arc<dyn ArticleStore>) {
    let first = entry("a", Fate::Rejected);
    store.settle(&tenant(), &run("r1"), std::slice::from_ref(&first)).await.unwrap();
    let later = [HistoryEntry { seen_at: time(500), ..entry("a", Fate::Kept) }, entry("b", Fate::Kept)];
    assert_eq!(store.settle(&tenant(), &run("r2"), &later).await.unwrap(), [key("b")]);
    assert_eq!(known(&store, &["a"]).await, vec![first]);
}

pub async fn a_failed_article_gets_the_new_outcome(store: Arc<dyn ArticleStore>) {
    let failed = HistoryEntry { failures: 1, ..entry("a", Fate::Failed) };
    assert!(store.settle(&tenant(), &run("r1"), &[failed]).await.unwrap().is_empty(), "a failure settles nothing");
    let kept = HistoryEntry { seen_at: time(500), title: Some("Read at last".to_owned()), ..entry("a", Fate::Kept) };
    assert_eq!(store.settle(&tenant(), &run("r2"), std::slice::from_ref(&kept)).await.unwrap(), [key("a")]);
    assert_eq!(known(&store, &["a"]).await, vec![kept]);
}

pub async fn failures_in_the_end_settle_an_article(store: Arc<dyn ArticleStore>) {
    for failures in 1..=MAX_FAILURES {
        let failed = HistoryEntry { failures, ..entry("a", Fate::Failed) };
        let settled = store.settle(&tenant(), &run(&format!("r{failures}")), &[failed]).await.unwrap();
        assert_eq!(settled.len(), usize::from(failures == MAX_FAILURES), "failure {failures}");
    }
    let slow = HistoryEntry { failures: 1, ..entry("b", Fate::Failed) };
    store.settle(&tenant(), &run("s1"), &[HistoryEntry { failures: 2, ..slow.clone() }]).await.unwrap();
    store.settle(&tenant(), &run("s2"), &[slow]).await.unwrap();
    assert_eq!(known(&store, &["b"]).await[0].failures, 2, "a count of failures never goes down");
    let late = entry("a", Fate::Kept);
    assert!(store.settle(&tenant(), &run("r9"), &[late]).await.unwrap().is_empty());
}

pub async fn an_article_named_twice_is_settled_once(store: Arc<dyn ArticleStore>) {
    let failed = HistoryEntry { failures: 1, ..entry("b", Fate::Failed) };
    let given = [entry("a", Fate::Kept), failed, entry("a", Fate::Rejected), entry("b", Fate::Kept)];
    let mut settled = store.settle(&tenant(), &run("r1"), &given).await.unwrap();
    settled.sort();
    assert_eq!(settled, [key("a"), key("b")]);
    assert_eq!(known(&store, &["a"]).await, vec![entry("a", Fate::Kept)]);
    assert_eq!(known(&store, &["b"]).await, vec![entry("b", Fate::Kept)]);
}

pub async fn a_repeated_call_gives_its_keys_again(store: Arc<dyn ArticleStore>) {
    store.settle(&tenant(), &run("r1"), &[entry("b", Fate::Kept)]).await.unwrap();
    let given = [entry("a", Fate::Kept), entry("b", Fate::Kept)];
    assert_eq!(store.settle(&tenant(), &run("r2"), &given).await.unwrap(), [key("a")]);
    let again = RunRecord { kept: 7, ..run("r2") };
    assert_eq!(store.settle(&tenant(), &again, &given).await.unwrap(), [key("a")]);
    assert_eq!(store.runs(&tenant(), 10).await.unwrap(), [again, run("r1")]);
}

pub async fn nearly_the_same_text_is_found_while_it_is_recent(store: Arc<dyn ArticleStore>) {
    // The sign bit, each quarter by itself, and as many differing bits as may be.
    let bits = 0x8000_1234_5678_9ABC_u64;
    let print = |bits: u64| Some(Fingerprint::from_parts(bits, 100));
    let with = |name: &str, bits: u64| HistoryEntry { fingerprint: print(bits), ..entry(name, Fate::Kept) };
    let early = HistoryEntry { seen_at: time(-100), ..with("early", bits) };
    let one_quarter_left = [0x0001_0001_0001_0000, 0x0001_0001_0000_0001, 0x0001_0000_0001_0001, 0x0000_0001_0001_0001];
    let near: Vec<_> = one_quarter_left.iter().map(|flip| with(&format!("near{flip}"), bits ^ flip)).collect();
    let far = with("far", bits ^ 0b1111);
    let long = HistoryEntry { fingerprint: Some(Fingerprint::from_parts(bits, 200)), ..with("long", bits) };
    let others = [early.clone(), far, long, entry("none", Fate::Rejected)];
    store.settle(&tenant(), &run("r1"), &[near.as_slice(), &others].concat()).await.unwrap();

    let asked =
        [Fingerprint::from_parts(7, 50), Fingerprint::from_parts(bits, 100), Fingerprint::from_parts(bits, 100)];
    let mut found = store.near(&tenant(), &asked, time(0)).await.unwrap();
    found.sort_by(|one, other| one.key.cmp(&other.key));
    let mut expected = near.clone();
    expected.sort_by(|one, other| one.key.cmp(&other.key));
    assert_eq!(found, expected);
    assert!(store.near(&tenant(), &asked, time(-100)).await.unwrap().contains(&early), "the limit is inside");
    assert!(store.near(&tenant(), &[], time(-100)).await.unwrap().is_empty());
    assert!(store.near(&TenantId("other".to_owned()), &asked, time(-100)).await.unwrap().is_empty());
    let known = store.known(&tenant(), &[key("early"), key("none")]).await.unwrap();
    assert!(known.contains(&early), "{known:?}");
}

pub async fn hostile_texts_are_data(store: Arc<dyn ArticleStore>) {
    let hostile = "'); DROP TABLE runs; -- %s $1 ?1 \\ \" \u{202e} \u{0} \u{1} {\"a\":[1]} \u{10ffff}";
    let given = HistoryEntry { title: Some(hostile.to_owned()), ..entry(hostile, Fate::Kept) };
    let settled = store.settle(&tenant(), &run("r1"), &[given]).await.unwrap();
    let clean = hostile.replace('\0', "\u{fffd}");
    assert_eq!(settled, [key(&clean)], "all but NUL is kept");
    let found = known(&store, &[hostile]).await;
    assert_eq!(found[0].title.as_deref(), Some(clean.as_str()));
    assert_eq!(store.runs(&tenant(), 10).await.unwrap().len(), 1);
}

pub async fn runs_come_back_newest_first(store: Arc<dyn ArticleStore>) {
    for id in ["r2", "r1", "r3"] {
        store.settle(&tenant(), &run(id), &[]).await.unwrap();
    }
    assert_eq!(store.runs(&tenant(), 2).await.unwrap(), [run("r3"), run("r2")]);
    assert_eq!(store.runs(&tenant(), 0).await.unwrap(), []);
    assert_eq!(store.runs(&tenant(), usize::MAX).await.unwrap().len(), 3);
    assert_eq!(store.run(&tenant(), "r1").await.unwrap(), Some(run("r1")));
    assert_eq!(store.run(&tenant(), "r4").await.unwrap(), None);
}

pub async fn a_run_without_articles_is_a_run(store: Arc<dyn ArticleStore>) {
    let empty = RunRecord { kept: 0, digest_json: "{}".to_owned(), ..run("r1") };
    assert!(store.settle(&tenant(), &empty, &[]).await.unwrap().is_empty());
    assert_eq!(store.run(&tenant(), "r1").await.unwrap(), Some(empty));
}

pub async fn large_batches_are_settled_whole(store: Arc<dyn ArticleStore>) {
    let names: Vec<_> = (0..2100).map(|n| format!("https://site.example/article/{n}")).collect();
    let given: Vec<_> = names.iter().map(|name| entry(name, Fate::Kept)).collect();
    assert_eq!(store.settle(&tenant(), &run("r1"), &given).await.unwrap().len(), 2100);
    let asked: Vec<_> = names.iter().map(String::as_str).collect();
    assert_eq!(known(&store, &asked).await.len(), 2100);
}

pub async fn histories_of_tenants_never_meet(store: Arc<dyn ArticleStore>) {
    let other = TenantId("other".to_owned());
    store.settle(&tenant(), &run("r1"), &[entry("a", Fate::Rejected)]).await.unwrap();
    assert!(store.known(&other, &[key("a")]).await.unwrap().is_empty());
    assert!(store.runs(&other, 10).await.unwrap().is_empty());
    assert_eq!(store.run(&other, "r1").await.unwrap(), None);
    let theirs = RunRecord { kept: 9, ..run("r1") };
    assert_eq!(store.settle(&other, &theirs, &[entry("a", Fate::Kept)]).await.unwrap(), [key("a")]);
    assert_eq!(known(&store, &["a"]).await, vec![entry("a", Fate::Rejected)]);
    assert_eq!(store.run(&tenant(), "r1").await.unwrap(), Some(run("r1")));
}

pub async fn of_concurrent_runs_one_has_each_article(store: Arc<dyn ArticleStore>) {
    const WORKERS: usize = 16;
    const ARTICLES: usize = 10_000;
    let workers: Vec<_> = (0..WORKERS)
        .map(|worker| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let mut settled = Vec::new();
                for batch in 0..ARTICLES / 500 {
                    // Each worker begins elsewhere, so that they meet in the middle of each other's work.
                    let start = (batch + worker) % (ARTICLES / 500) * 500;
                    let entries: Vec<_> = (start..start + 500).map(|n| entry(&format!("a{n}"), Fate::Kept)).collect();
                    settled.extend(store.settle(&tenant(), &run(&format!("w{worker}")), &entries).await.unwrap());
                }
                settled
            })
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    assert_eq!(all.len(), ARTICLES, "nothing twice");
    let keys: Vec<_> = set(all).into_iter().collect();
    assert_eq!(keys.len(), ARTICLES, "nothing lost");
    assert_eq!(store.known(&tenant(), &keys).await.unwrap().len(), ARTICLES, "a row each");
}

async fn known(store: &Arc<dyn ArticleStore>, names: &[&str]) -> Vec<HistoryEntry> {
    let keys: Vec<_> = names.iter().map(|name| key(name)).collect();
    store.known(&tenant(), &keys).await.unwrap()
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn key(name: &str) -> ArticleKey {
    ArticleKey(name.to_owned())
}

fn keys(names: &[&str]) -> HashSet<ArticleKey> {
    names.iter().map(|name| key(name)).collect()
}

fn set(keys: Vec<ArticleKey>) -> HashSet<ArticleKey> {
    keys.into_iter().collect()
}

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + seconds).expect("a time of the year 2026")
}

fn entry(name: &str, fate: Fate) -> HistoryEntry {
    HistoryEntry {
        key: key(name),
        url: format!("https://site.example/{}", name.len()),
        title: None,
        source_url: "https://site.example/".to_owned(),
        fate,
        failures: 0,
        seen_at: time(0),
        fingerprint: None,
    }
}

fn run(id: &str) -> RunRecord {
    RunRecord {
        run_id: id.to_owned(),
        started_at: time(0),
        finished_at: time(60),
        kept: 2,
        digest_json: "{\"articles\":[{\"title\":\"ü\"}]}".to_owned(),
    }
}
