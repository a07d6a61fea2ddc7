//! What an [`AnswerStore`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{AnswerStore, StoredAnswer};
use jiff::Timestamp;

/// Makes tests, or a list, of every promise of an `AnswerStore`.
#[macro_export]
macro_rules! answer_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] answer_store: [
            answers_come_back_by_their_keys,
            a_later_answer_replaces_an_earlier_one,
            only_the_newest_are_kept,
            answers_of_tenants_never_meet,
            many_answers_go_in_at_once_and_concurrently,
        ] }
    };
}

pub async fn answers_come_back_by_their_keys(store: Arc<dyn AnswerStore>) {
    assert!(store.answers(&tenant(), &["a".to_owned()]).await.unwrap().is_empty());
    let given = [answer("a", "{\"topic\":\"电池\"}"), answer("b", "nul \0 here")];
    store.save_answers(&tenant(), &given, 10, at(1)).await.unwrap();
    let keys = ["b", "c", "a", "a"].map(str::to_owned);
    let mut known = store.answers(&tenant(), &keys).await.unwrap();
    known.sort();
    assert_eq!(known, [answer("a", "{\"topic\":\"电池\"}"), answer("b", "nul \u{fffd} here")]);
    assert!(store.answers(&tenant(), &[]).await.unwrap().is_empty());
}

pub async fn a_later_answer_replaces_an_earlier_one(store: Arc<dyn AnswerStore>) {
    store.save_answers(&tenant(), &[answer("a", "one")], 10, at(1)).await.unwrap();
    store.save_answers(&tenant(), &[answer("a", "two")], 10, at(2)).await.unwrap();
    assert_eq!(texts(&store, &tenant(), &["a"]).await, ["two"]);
}

pub async fn only_the_newest_are_kept(store: Arc<dyn AnswerStore>) {
    for number in 0..6 {
        let key = number.to_string();
        store.save_answers(&tenant(), &[answer(&key, &key)], 3, at(number)).await.unwrap();
    }
    assert_eq!(texts(&store, &tenant(), &["0", "1", "2", "3", "4", "5"]).await, ["3", "4", "5"]);
    // One that is saved again counts as new.
    store.save_answers(&tenant(), &[answer("3", "again")], 2, at(9)).await.unwrap();
    assert_eq!(texts(&store, &tenant(), &["3", "4", "5"]).await, ["5", "again"]);
    store.save_answers(&tenant(), &[], 0, at(10)).await.unwrap();
    assert!(texts(&store, &tenant(), &["3", "5"]).await.is_empty());
}

pub async fn answers_of_tenants_never_meet(store: Arc<dyn AnswerStore>) {
    let other = TenantId("other".to_owned());
    store.save_answers(&tenant(), &[answer("a", "ours")], 1, at(1)).await.unwrap();
    assert!(texts(&store, &other, &["a"]).await.is_empty());
    store.save_answers(&other, &[answer("a", "theirs"), answer("b", "theirs")], 1, at(2)).await.unwrap();
    assert_eq!(texts(&store, &tenant(), &["a"]).await, ["ours"], "another tenant's limit is not ours");
}

pub async fn many_answers_go_in_at_once_and_concurrently(store: Arc<dyn AnswerStore>) {
    let given: Vec<_> = (0..1_200).map(|number| answer(&format!("{number:05}"), "x")).collect();
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let (store, mut given) = (Arc::clone(&store), given.clone());
            given.rotate_left(writer * 300);
            tokio::spawn(async move { store.save_answers(&tenant(), &given, 2_000, at(1)).await })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap().unwrap();
    }
    let keys: Vec<_> = given.iter().map(|one| one.key.clone()).collect();
    assert_eq!(store.answers(&tenant(), &keys).await.unwrap().len(), given.len());
}

async fn texts(store: &Arc<dyn AnswerStore>, tenant: &TenantId, keys: &[&str]) -> Vec<String> {
    let keys: Vec<_> = keys.iter().map(|key| (*key).to_owned()).collect();
    let known = store.answers(tenant, &keys).await.unwrap();
    let mut texts: Vec<_> = known.into_iter().map(|one| one.text).collect();
    texts.sort();
    texts
}

fn answer(key: &str, text: &str) -> StoredAnswer {
    StoredAnswer { key: key.to_owned(), text: text.to_owned() }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

fn tenant() -> TenantId {
    TenantId::default()
}
