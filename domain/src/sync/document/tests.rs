//! What a delivery changes: content, facts, or nothing; and what cannot be kept.

use super::*;

fn delivery(content: &str) -> NewDocument {
    let item = FetchedItem {
        external_id: "e1".to_owned(),
        title: "Title".to_owned(),
        content: Bytes::copy_from_slice(content.as_bytes()),
        path: vec!["Folder".to_owned()],
        ..FetchedItem::default()
    };
    NewDocument {
        knowledge_base: KnowledgeBaseId("kb".to_owned()),
        item,
        text: None,
        conflict: ConflictStrategy::Overwrite,
    }
}

fn there(new: &NewDocument) -> Document {
    Document {
        key: DocumentKey { data_source: DataSourceId("d1".to_owned()), external_id: new.item.external_id.clone() },
        knowledge_base: new.knowledge_base.clone(),
        version: 1,
        content_hash: new.content_hash(),
        size_bytes: 1,
        facts: new.facts(),
        kept_at: Timestamp::UNIX_EPOCH,
        missing_at: None,
        tombstone: None,
    }
}

fn tombstone(by: DeletedBy) -> Option<Tombstone> {
    Some(Tombstone { deleted_at: Timestamp::UNIX_EPOCH, by })
}

#[track_caller]
fn check(there: Option<&Document>, new: &NewDocument, expected: Upsert) {
    assert_eq!(Document::plan(there, &new.content_hash(), &new.facts(), new.conflict), expected);
}

#[test]
fn a_delivery_changes_no_more_than_is_different() {
    let known = there(&delivery("a"));
    check(None, &delivery("a"), Upsert::Create);
    check(Some(&known), &delivery("a"), Upsert::Keep);
    check(Some(&known), &delivery("b"), Upsert::Replace);
    let mut moved = delivery("a");
    moved.item.path = vec!["Other".to_owned()];
    check(Some(&known), &moved, Upsert::Refresh);
    let missing = Document { missing_at: Some(Timestamp::UNIX_EPOCH), ..known };
    check(Some(&missing), &delivery("a"), Upsert::Refresh);
}

#[test]
fn a_new_text_is_new_content() {
    let mut with_text = delivery("a");
    with_text.text = Some("words".to_owned());
    check(Some(&there(&delivery("a"))), &with_text, Upsert::Replace);
    let split = |original: &str, text: &str| ContentHash::of(&Bytes::copy_from_slice(original.as_bytes()), Some(text));
    assert_ne!(split("ab", "c"), split("a", "bc"), "the border counts");
}

#[test]
fn the_source_brings_back_what_it_took_and_not_what_a_person_took() {
    let known = there(&delivery("a"));
    let by_source = Document { tombstone: tombstone(DeletedBy::Source), ..known.clone() };
    check(Some(&by_source), &delivery("a"), Upsert::Create);
    let by_person = Document { tombstone: tombstone(DeletedBy::Person), ..known };
    check(Some(&by_person), &delivery("b"), Upsert::StayAway);
    assert!(by_person.is_restorable(Timestamp::from_second(29 * 86_400).unwrap()));
    assert!(!by_person.is_restorable(Timestamp::from_second(30 * 86_400).unwrap()));
}

#[test]
fn what_is_not_to_be_overwritten_stays() {
    let known = there(&delivery("a"));
    let skipping = |content| NewDocument { conflict: ConflictStrategy::Skip, ..delivery(content) };
    check(Some(&known), &skipping("b"), Upsert::Yield);
    check(Some(&known), &skipping("a"), Upsert::Keep);
    check(None, &skipping("a"), Upsert::Create);
}

#[test]
fn facts_hold_no_secret_and_no_nul() {
    let mut new = delivery("a");
    new.item.url = Some("https://e.example/d?access_token=0123456789abcdef0123456789abcdef".to_owned());
    new.item.title = "a\0b".to_owned();
    let facts = new.facts();
    assert!(!facts.url.unwrap().contains("0123456789abcdef"));
    assert_eq!(facts.title, "a\u{fffd}b");
}

#[track_caller]
fn check_fault(change: impl FnOnce(&mut NewDocument), expected: Result<(), InvalidDocument>) {
    let mut new = delivery("a");
    change(&mut new);
    assert_eq!(new.check(), expected);
}

#[test]
fn every_bound_has_its_own_fault() {
    check_fault(|_| (), Ok(()));
    check_fault(|new| new.item.external_id.clear(), Err(InvalidDocument::NoId));
    check_fault(|new| new.item.external_id = "e".repeat(MAX_ID_BYTES), Ok(()));
    check_fault(|new| new.item.external_id = "e".repeat(MAX_ID_BYTES + 1), Err(InvalidDocument::LongId));
    check_fault(|new| new.item.parent_id = Some("e".repeat(MAX_ID_BYTES + 1)), Err(InvalidDocument::LongId));
    check_fault(|new| new.item.content = vec![0; MAX_DOCUMENT_BYTES + 1].into(), Err(InvalidDocument::TooLarge));
    check_fault(|new| new.item.title = "t".repeat(MAX_FACTS_BYTES + 1), Err(InvalidDocument::LargeFacts));
}
