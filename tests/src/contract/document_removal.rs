//! What a [`KnowledgeBase`](headwater_ports::KnowledgeBase) promises of documents that go, and come back.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::sync::{DeletedBy, RESTORE_DAYS, Upsert};
use headwater_ports::{DocumentFilter, Removal, Restored, Store};

use super::knowledge_base::{document, family, original, present, running};
use super::sync_fixture::{at, child, created, delivery, done, id, key, known, policy, tenant};

/// Makes tests, or a list, of every promise of a `KnowledgeBase` about deletions.
#[macro_export]
macro_rules! document_removal_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] document_removal: [
            removed_documents_go_with_their_children,
            marked_documents_stay,
            the_source_brings_back_what_it_took,
            what_a_person_deleted_stays_away_until_it_is_restored,
            a_deletion_can_be_undone_for_a_while,
            children_that_are_not_listed_are_swept,
            many_documents_are_removed_at_once,
        ] }
    };
}

pub async fn removed_documents_go_with_their_children(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    let ids = ["p", "none", "p"].map(str::to_owned);
    let mut removed = done(store.remove_documents(&begun.fence, &ids, Removal::Delete, at(2)).await);
    removed.sort();
    assert_eq!(removed, ["p", "p#file#1", "p#file#2"]);
    assert_eq!(present(&store, DocumentFilter::Present).await, ["p2", "p2#file#1"]);
    assert_eq!(present(&store, DocumentFilter::Deleted).await, ["p", "p#file#1", "p#file#2"]);
    let tombstone = document(&store, "p").await.tombstone.unwrap();
    assert_eq!((tombstone.by, tombstone.deleted_at), (DeletedBy::Source, at(2)));
    assert_eq!(store.count_documents(&tenant(), &id("a")).await.unwrap(), 2);
    assert!(done(store.remove_documents(&begun.fence, &ids, Removal::Delete, at(3)).await).is_empty());
    assert!(done(store.remove_documents(&begun.fence, &[], Removal::Delete, at(3)).await).is_empty());
    assert_eq!(document(&store, "p").await.tombstone, Some(tombstone));
}

pub async fn marked_documents_stay(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    let mut marked = done(store.remove_documents(&begun.fence, &["p2".to_owned()], Removal::Mark, at(2)).await);
    marked.sort();
    assert_eq!(marked, ["p2", "p2#file#1"]);
    assert_eq!(document(&store, "p2").await.missing_at, Some(at(2)));
    assert_eq!(original(&store, "p2").await.unwrap(), "p2");
    assert_eq!(store.count_documents(&tenant(), &id("a")).await.unwrap(), 5);
    assert!(done(store.remove_documents(&begun.fence, &["p2".to_owned()], Removal::Mark, at(3)).await).is_empty());
    assert_eq!(done(store.upsert_document(&begun.fence, &delivery("p2", "p2"), at(4)).await), Upsert::Refresh);
    assert_eq!(document(&store, "p2").await.missing_at, None, "it is there again");
}

pub async fn the_source_brings_back_what_it_took(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    done(store.remove_documents(&begun.fence, &["p".to_owned()], Removal::Delete, at(2)).await);
    assert_eq!(done(store.upsert_document(&begun.fence, &delivery("p", "p"), at(3)).await), Upsert::Create);
    let back = document(&store, "p").await;
    assert_eq!((back.version, back.tombstone, back.kept_at), (2, None, at(3)));
    assert_eq!(original(&store, "p").await.unwrap(), "p");
}

pub async fn what_a_person_deleted_stays_away_until_it_is_restored(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    assert!(store.delete_document(&tenant(), &key("a", "p"), at(2)).await.unwrap());
    assert!(!store.delete_document(&tenant(), &key("a", "p"), at(3)).await.unwrap());
    assert!(!store.delete_document(&tenant(), &key("a", "none"), at(3)).await.unwrap());
    assert_eq!(done(store.upsert_document(&begun.fence, &delivery("p", "changed"), at(4)).await), Upsert::StayAway);
    assert_eq!(done(store.upsert_document(&begun.fence, &child("p", "p#file#1"), at(4)).await), Upsert::StayAway);
    assert_eq!(present(&store, DocumentFilter::Present).await, ["p2", "p2#file#1"]);
    done(store.checkpoint(&begun.fence, &known(&[("p", "2"), ("p2", "1")]), &created(2), at(4), &policy()).await);
    let restored = store.restore_document(&tenant(), &key("a", "p"), at(5)).await.unwrap();
    assert_eq!(restored, Restored::Done(Box::new(document(&store, "p").await)));
    assert_eq!(present(&store, DocumentFilter::Present).await.len(), 5, "its children came back with it");
    let cursor = store.sync_cursor(&tenant(), &id("a")).await.unwrap();
    assert_eq!((cursor.version("space", "p"), cursor.version("space", "p2")), (None, Some("1")), "it is read anew");
    assert_eq!(done(store.upsert_document(&begun.fence, &delivery("p", "changed"), at(6)).await), Upsert::Replace);
}

pub async fn a_deletion_can_be_undone_for_a_while(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    let day = 24 * 3600;
    // A child that went before its parent does not come back with it.
    done(store.remove_documents(&begun.fence, &["p#file#1".to_owned()], Removal::Delete, at(1)).await);
    done(store.remove_documents(&begun.fence, &["p".to_owned(), "p2".to_owned()], Removal::Delete, at(2)).await);
    let restore =
        async |name: &str, second| store.restore_document(&tenant(), &key("a", name), at(second)).await.unwrap();
    let last = 2 + i64::from(RESTORE_DAYS) * day - 1;
    assert!(matches!(restore("p", last).await, Restored::Done(_)));
    assert_eq!(original(&store, "p").await.unwrap(), "p");
    assert_eq!(present(&store, DocumentFilter::Present).await, ["p", "p#file#2"]);
    assert_eq!(restore("p", last).await, Restored::Missing, "it is not deleted");
    assert_eq!(restore("none", 3).await, Restored::Missing);
    assert_eq!(restore("p2", last + 1).await, Restored::TooLate);
}

pub async fn children_that_are_not_listed_are_swept(store: Arc<dyn Store>) {
    let begun = family(&store).await;
    let keep = ["p#file#2".to_owned(), "p#file#new".to_owned()];
    assert_eq!(done(store.sweep_children(&begun.fence, "p", &keep, at(2)).await), ["p#file#1"]);
    assert!(done(store.sweep_children(&begun.fence, "p", &keep, at(3)).await).is_empty());
    assert_eq!(present(&store, DocumentFilter::Present).await, ["p", "p#file#2", "p2", "p2#file#1"]);
    assert_eq!(done(store.sweep_children(&begun.fence, "p", &[], at(4)).await), ["p#file#2"]);
    assert!(
        done(store.sweep_children(&begun.fence, "p2#file", &[], at(4)).await).is_empty(),
        "a name that begins alike"
    );
}

pub async fn many_documents_are_removed_at_once(store: Arc<dyn Store>) {
    let begun = running(&store, "a").await;
    let ids: Vec<_> = (0..1200).map(|n| format!("e{n}")).collect();
    for external_id in ids.iter().step_by(60) {
        done(store.upsert_document(&begun.fence, &delivery(external_id, "x"), at(1)).await);
    }
    assert_eq!(done(store.remove_documents(&begun.fence, &ids, Removal::Delete, at(2)).await).len(), 20);
    assert_eq!(store.count_documents(&tenant(), &id("a")).await.unwrap(), 0);
}
