//! What a [`KnowledgeBase`](headwater_ports::KnowledgeBase) promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{
    ConflictStrategy, DataSource, Document, KnowledgeBaseId, MAX_DOCUMENT_BYTES, MAX_ID_BYTES, NewDocument, RunEnd,
    Upsert,
};
use headwater_ports::{Begin, BegunRun, DocumentFilter, DocumentQuery, Removal, Restored, RunFinish, Store};

use super::sync_fixture::{
    at, base, begin, child, claim, created, delivery, done, forged, id, key, refused, source, stranger, tenant,
};

/// Makes tests, or a list, of every promise of a `KnowledgeBase`.
#[macro_export]
macro_rules! knowledge_base_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] knowledge_base: [
            a_document_comes_back_as_it_was_delivered,
            contents_of_any_kind_come_back,
            the_same_again_changes_nothing,
            new_facts_leave_the_content_alone,
            new_content_takes_the_place_of_the_old,
            what_is_not_to_be_overwritten_stays,
            what_cannot_be_kept_is_named,
            one_id_in_two_sources_is_two_documents,
            documents_come_in_pages_in_the_order_of_their_keys,
            concurrent_deliveries_leave_each_document_once,
            a_finished_run_delivers_no_more,
            documents_of_tenants_never_meet,
        ] }
    };
}

pub(super) async fn running(store: &Arc<dyn Store>, name: &str) -> BegunRun {
    store.create_data_source(&source(name, 0)).await.unwrap();
    begin(&**store, name, &format!("run of {name}"), 0).await
}

pub(super) async fn document(store: &Arc<dyn Store>, external_id: &str) -> Document {
    store.document(&tenant(), &key("a", external_id)).await.unwrap().unwrap()
}

pub(super) async fn original(store: &Arc<dyn Store>, external_id: &str) -> Option<Bytes> {
    store.document_original(&tenant(), &key("a", external_id)).await.unwrap()
}

pub async fn a_document_comes_back_as_it_was_delivered(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    let mut full = delivery("e \" 1", "content");
    full.text = Some("Ünïcode text \u{1f4f0}".to_owned());
    full.item.url = Some("https://wiki.example/d/1".to_owned());
    full.item.metadata = [("creator", "x"), ("channel", "y")].map(|(n, v)| (n.to_owned(), v.to_owned())).into();
    full.item.path = vec!["Ä/B".to_owned(), String::new()];
    full.item.parent_id = Some("p".to_owned());
    full.item.updated_at = Some("2026-11-30T19:41:00.123456Z".parse().unwrap());
    let mut bare = delivery("e2", "");
    bare.item.updated_at = None;
    for new in [full, bare] {
        assert_eq!(done(store.upsert_document(&begun.fence, &new, at(7)).await), Upsert::Create);
        let expected = Document {
            key: key("a", &new.item.external_id),
            knowledge_base: base(),
            version: 1,
            content_hash: new.content_hash(),
            size_bytes: new.item.content.len() as u64,
            facts: new.facts(),
            kept_at: at(7),
            missing_at: None,
            tombstone: None,
        };
        assert_eq!(document(&store, &new.item.external_id).await, expected);
        assert_eq!(original(&store, &new.item.external_id).await, Some(new.item.content.clone()));
        let text = store.document_text(&tenant(), &key("a", &new.item.external_id)).await.unwrap();
        assert_eq!(text, new.text);
    }
    assert_eq!(store.document(&tenant(), &key("a", "none")).await.unwrap(), None);
    assert_eq!(original(&store, "none").await, None);
    assert_eq!(store.document_text(&tenant(), &key("a", "none")).await.unwrap(), None);
}

/// Bytes that nothing makes smaller.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(next).take(length).collect()
}

pub async fn contents_of_any_kind_come_back(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    let words = "the same words again and again. ".repeat(40_000).into_bytes();
    let contents = [Vec::new(), vec![0], vec![0; 3_000_000], noise(1_500_000), words.clone(), noise(600)];
    for (n, content) in contents.into_iter().enumerate() {
        let external_id = format!("e{n}");
        let mut new = delivery(&external_id, "");
        new.item.content = content.clone().into();
        new.text = Some(String::from_utf8(words.clone()).unwrap());
        done(store.upsert_document(&begun.fence, &new, at(1)).await);
        assert!(original(&store, &external_id).await.unwrap() == content, "content {n} is another one");
        let text = store.document_text(&tenant(), &key("a", &external_id)).await.unwrap();
        assert!(text == new.text, "text {n} is another one");
    }
}

pub async fn the_same_again_changes_nothing(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    let mut new = delivery("e1", "content");
    new.item.title = "with \0 in it".to_owned();
    new.item.updated_at = Some("2026-11-30T19:41:00.123456789Z".parse().unwrap());
    assert_eq!(done(store.upsert_document(&begun.fence, &new, at(1)).await), Upsert::Create);
    let before = document(&store, "e1").await;
    assert_eq!(done(store.upsert_document(&begun.fence, &new, at(2)).await), Upsert::Keep);
    assert_eq!(document(&store, "e1").await, before);
}

pub async fn new_facts_leave_the_content_alone(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    done(store.upsert_document(&begun.fence, &delivery("e1", "content"), at(1)).await);
    let mut moved = delivery("e1", "content");
    moved.item.path = vec!["Other".to_owned(), "Folder".to_owned()];
    moved.item.metadata = [("owner".to_owned(), "z".to_owned())].into();
    assert_eq!(done(store.upsert_document(&begun.fence, &moved, at(2)).await), Upsert::Refresh);
    let after = document(&store, "e1").await;
    assert_eq!((after.version, after.kept_at, after.facts), (1, at(2), moved.facts()));
    assert_eq!(original(&store, "e1").await.unwrap(), "content");
}

pub async fn new_content_takes_the_place_of_the_old(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    for (version, content) in [(1, "one"), (2, "two"), (3, "three"), (4, "one")] {
        let new = NewDocument { text: Some(format!("text of {content}")), ..delivery("e1", content) };
        let expected = if version == 1 { Upsert::Create } else { Upsert::Replace };
        assert_eq!(done(store.upsert_document(&begun.fence, &new, at(version)).await), expected);
        let after = document(&store, "e1").await;
        assert_eq!((after.version, after.content_hash), (version as u64, new.content_hash()));
        assert_eq!(original(&store, "e1").await.unwrap(), content);
        assert_eq!(store.document_text(&tenant(), &key("a", "e1")).await.unwrap(), new.text);
    }
    assert_eq!(store.count_documents(&tenant(), &id("a")).await.unwrap(), 1);
}

pub async fn what_is_not_to_be_overwritten_stays(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    let skip = |content| NewDocument { conflict: ConflictStrategy::Skip, ..delivery("e1", content) };
    assert_eq!(done(store.upsert_document(&begun.fence, &skip("one"), at(1)).await), Upsert::Create);
    assert_eq!(done(store.upsert_document(&begun.fence, &skip("two"), at(2)).await), Upsert::Yield);
    assert_eq!(original(&store, "e1").await.unwrap(), "one");
}

pub async fn what_cannot_be_kept_is_named(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    let long = "e".repeat(MAX_ID_BYTES);
    assert_eq!(done(store.upsert_document(&begun.fence, &delivery(&long, "x"), at(1)).await), Upsert::Create);
    let longer = store.upsert_document(&begun.fence, &delivery(&format!("{long}e"), "x"), at(1)).await;
    assert_eq!(longer.unwrap_err().kind, ErrorKind::Malformed);
    let mut large = delivery("large", "");
    large.item.content = vec![0; MAX_DOCUMENT_BYTES + 1].into();
    let error = store.upsert_document(&begun.fence, &large, at(1)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::BodyTooLarge);
    assert_eq!(store.count_documents(&tenant(), &id("a")).await.unwrap(), 1);
}

pub async fn one_id_in_two_sources_is_two_documents(store: Arc<dyn Store>) {
    let (one, other) = (running(&store, "a").await, running(&store, "b").await);
    for fence in [&one.fence, &other.fence] {
        assert_eq!(done(store.upsert_document(fence, &delivery("e1", "same"), at(1)).await), Upsert::Create);
    }
    let removed = done(store.remove_documents(&one.fence, &["e1".to_owned()], Removal::Delete, at(2)).await);
    assert_eq!(removed, ["e1"]);
    assert_eq!(original(&store, "e1").await, None);
    assert_eq!(store.document_original(&tenant(), &key("b", "e1")).await.unwrap().unwrap(), "same");
}

pub(super) async fn family(store: &Arc<dyn Store>) -> BegunRun {
    let begun = running(store, "a").await;
    let family = [delivery("p", "p"), child("p", "p#file#1"), child("p", "p#file#2"), delivery("p2", "p2")];
    for new in family.iter().chain([&child("p2", "p2#file#1")]) {
        done(store.upsert_document(&begun.fence, new, at(1)).await);
    }
    begun
}

pub(super) async fn present(store: &Arc<dyn Store>, filter: DocumentFilter) -> Vec<String> {
    let query = DocumentQuery { knowledge_base: base(), data_source: None, filter, after: None, limit: 1000 };
    let documents = store.documents(&tenant(), &query).await.unwrap();
    documents.into_iter().map(|document| document.key.external_id).collect()
}

pub async fn documents_come_in_pages_in_the_order_of_their_keys(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    store
        .create_data_source(&DataSource { knowledge_base: KnowledgeBaseId("2".into()), ..source("b", 0) })
        .await
        .unwrap();
    let other = begin(&*store, "b", "r2", 0).await;
    let names = ["B", "a", "b", "Ä", "ä", "a#1", "a-1", "ab", "中", "\u{1f4f0}"];
    for name in names {
        done(store.upsert_document(&begun.fence, &delivery(name, name), at(1)).await);
        let elsewhere = NewDocument { knowledge_base: KnowledgeBaseId("2".into()), ..delivery(name, name) };
        done(store.upsert_document(&other.fence, &elsewhere, at(1)).await);
    }
    for data_source in [None, Some(id("a"))] {
        let mut seen: Vec<_> = Vec::new();
        loop {
            let query = DocumentQuery {
                knowledge_base: base(),
                data_source: data_source.clone(),
                filter: DocumentFilter::Present,
                after: seen.last().cloned(),
                limit: 3,
            };
            let page = store.documents(&tenant(), &query).await.unwrap();
            assert!(page.len() <= 3);
            if page.is_empty() {
                break;
            }
            seen.extend(page.into_iter().map(|document| document.key));
        }
        let mut expected = names.map(|name| key("a", name)).to_vec();
        expected.sort();
        assert_eq!(seen, expected);
    }
    let query = DocumentQuery {
        knowledge_base: base(),
        data_source: Some(id("b")),
        filter: DocumentFilter::Present,
        after: None,
        limit: 100,
    };
    assert!(store.documents(&tenant(), &query).await.unwrap().is_empty());
}

pub async fn concurrent_deliveries_leave_each_document_once(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    let workers: Vec<_> = (0..16)
        .map(|worker| {
            let (store, fence) = (Arc::clone(&store), begun.fence.clone());
            tokio::spawn(async move {
                let mut created = 0;
                for n in 0..25 {
                    let name = format!("e{}", (n + worker) % 25);
                    let plan = done(store.upsert_document(&fence, &delivery(&name, "same for all"), at(1)).await);
                    created += usize::from(plan == Upsert::Create);
                }
                created
            })
        })
        .collect();
    let mut created = 0;
    for worker in workers {
        created += worker.await.unwrap();
    }
    assert_eq!(created, 25, "one worker made each");
    assert_eq!(present(&store, DocumentFilter::Present).await.len(), 25);
    for n in 0..25 {
        assert_eq!(document(&store, &format!("e{n}")).await.version, 1);
        assert_eq!(original(&store, &format!("e{n}")).await.unwrap(), "same for all");
    }
}

pub async fn a_finished_run_delivers_no_more(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    done(store.finish_run(&begun.fence, &RunFinish::new(RunEnd::Complete, created(5)), at(2)).await);
    assert!(refused(store.upsert_document(&begun.fence, &delivery("p", "late"), at(3)).await));
    assert!(refused(store.upsert_document(&begun.fence, &delivery("new", "late"), at(3)).await));
    assert!(refused(store.remove_documents(&begun.fence, &["p".to_owned()], Removal::Delete, at(3)).await));
    assert!(refused(store.sweep_children(&begun.fence, "p", &[], at(3)).await));
    assert_eq!(present(&store, DocumentFilter::Present).await.len(), 5);
    assert_eq!(original(&store, "p").await.unwrap(), "p");
}

pub async fn documents_of_tenants_never_meet(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    let theirs = forged(&begun.fence);
    assert!(refused(store.upsert_document(&theirs, &delivery("p", "stolen"), at(2)).await));
    assert!(refused(store.remove_documents(&theirs, &["p".to_owned()], Removal::Delete, at(2)).await));
    assert!(refused(store.sweep_children(&theirs, "p", &[], at(2)).await));

    // With a source and a run of the same names.
    store.create_data_source(&DataSource { tenant: stranger(), ..source("a", 0) }).await.unwrap();
    let Begin::Begun(own) = store.begin_run(&stranger(), &id("a"), &claim("run of a", 0)).await.unwrap() else {
        panic!("it is free");
    };
    assert!(done(store.remove_documents(&own.fence, &["p".to_owned()], Removal::Delete, at(2)).await).is_empty());
    assert!(done(store.sweep_children(&own.fence, "p", &[], at(2)).await).is_empty());
    let place = key("a", "p");
    assert_eq!(store.document(&stranger(), &place).await.unwrap(), None);
    assert_eq!(store.document_original(&stranger(), &place).await.unwrap(), None);
    assert_eq!(store.document_text(&stranger(), &place).await.unwrap(), None);
    assert_eq!(store.count_documents(&stranger(), &id("a")).await.unwrap(), 0);
    assert!(!store.delete_document(&stranger(), &place, at(2)).await.unwrap());
    let query = DocumentQuery {
        knowledge_base: base(),
        data_source: None,
        filter: DocumentFilter::Present,
        after: None,
        limit: 10,
    };
    assert!(store.documents(&stranger(), &query).await.unwrap().is_empty());
    assert!(store.delete_document(&tenant(), &place, at(3)).await.unwrap());
    assert_eq!(store.restore_document(&stranger(), &place, at(4)).await.unwrap(), Restored::Missing);
    assert_eq!(done(store.upsert_document(&own.fence, &delivery("p", "theirs"), at(5)).await), Upsert::Create);
    assert!(document(&store, "p").await.tombstone.is_some());
}
