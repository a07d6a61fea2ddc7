//! Versions enter with receipts, checkpoints come by count and by time, deletions at the end.

use headwater_domain::ErrorKind;
use headwater_domain::sync::SkipReason;
use headwater_ports::Error;
use headwater_tests::fakes::{FakeClock, MemoryKnowledgeBase};
use jiff::SignedDuration;

use super::*;

fn item(id: &str) -> FetchedItem {
    FetchedItem {
        external_id: id.to_owned(),
        title: id.to_owned(),
        content_type: "text/markdown".to_owned(),
        file_name: format!("{id}.md"),
        source_resource_id: "space".to_owned(),
        ..FetchedItem::default()
    }
}

fn failure() -> FailedItem {
    FailedItem {
        external_id: Some("a".to_owned()),
        resource_id: None,
        title: None,
        kind: ErrorKind::Timeout,
        params: std::collections::BTreeMap::new(),
        message: "too late".to_owned(),
    }
}

#[tokio::test]
async fn only_what_was_kept_enters_the_cursor() {
    let mut knowledge_base = MemoryKnowledgeBase::default();
    knowledge_base.refused.insert("b".to_owned());
    let mut delivery = Delivery::new(&mut knowledge_base, SyncCursor::default(), Arc::new(FakeClock::default()));
    assert_eq!(delivery.emit(item("a"), "1").await.unwrap(), Receipt::Kept);
    assert_eq!(delivery.emit(item("b"), "1").await.unwrap(), Receipt::NotKept);
    assert!(!delivery.is_complete());
    let cursor = delivery.finish().await.unwrap();
    assert_eq!(cursor.version("space", "a"), Some("1"));
    assert_eq!(cursor.version("space", "b"), None);
    assert_eq!(cursor.last_sync_at(), None, "a run in which something was turned down is not complete");
    assert_eq!(knowledge_base.cursor, cursor);
}

#[tokio::test]
async fn checkpoints_come_by_count_and_by_time() {
    let clock = Arc::new(FakeClock::default());
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let mut delivery = Delivery::new(&mut knowledge_base, SyncCursor::default(), Arc::clone(&clock) as Arc<dyn Clock>);
    for number in 0..CHECKPOINT_ITEMS {
        assert_eq!(delivery.emit(item(&number.to_string()), "1").await.unwrap(), Receipt::Kept);
    }
    clock.advance(SignedDuration::from_secs(CHECKPOINT_SECONDS - 1));
    assert_eq!(delivery.emit(item("too soon"), "1").await.unwrap(), Receipt::Kept);
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(delivery.emit(item("after a while"), "1").await.unwrap(), Receipt::Kept);
    delivery.finish().await.unwrap();
    assert_eq!(knowledge_base.checkpoints, 3);
}

#[tokio::test]
async fn deletions_go_over_together_and_leave_the_cursor_when_carried_out() {
    let mut cursor = SyncCursor::default();
    ["a", "b", "c"].iter().for_each(|id| cursor.record("space", id, "1"));
    cursor.take_changes();
    let mut knowledge_base = MemoryKnowledgeBase::default();
    knowledge_base.cursor = cursor.clone();
    knowledge_base.documents.insert("c".to_owned(), item("c"));
    knowledge_base.refused.insert("b".to_owned());
    let mut delivery = Delivery::new(&mut knowledge_base, cursor, Arc::new(FakeClock::default()));
    delivery.delete("space", "a");
    delivery.delete("space", "b");
    delivery.unchanged(1);
    let cursor = delivery.finish().await.unwrap();
    assert_eq!(cursor.known("space").map(|(id, _)| id).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(knowledge_base.notes, [Note::Unchanged(1)]);
    assert_eq!(cursor.last_sync_at(), None);
}

#[tokio::test]
async fn a_run_is_complete_unless_something_failed() {
    let clock = Arc::new(FakeClock::default());
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let skipped = SkippedItem { external_id: "d".to_owned(), title: None, reason: SkipReason::Draft };
    let mut delivery = Delivery::new(&mut knowledge_base, SyncCursor::default(), Arc::clone(&clock) as Arc<dyn Clock>);
    delivery.skip(skipped).await.unwrap();
    let cursor = delivery.finish().await.unwrap();
    assert_eq!(cursor.last_sync_at(), Some(clock.now()), "what is left out on purpose is no failure");

    clock.advance(SignedDuration::from_secs(60));
    let mut delivery = Delivery::new(&mut knowledge_base, cursor.clone(), Arc::clone(&clock) as Arc<dyn Clock>);
    delivery.fail(failure()).await.unwrap();
    assert_eq!(delivery.finish().await.unwrap().last_sync_at(), cursor.last_sync_at());
}

/// Fails at once.
struct Broken;

#[async_trait::async_trait]
impl StreamHandler for Broken {
    async fn emit(&mut self, _item: FetchedItem) -> Result<Receipt> {
        Err(Error::new(ErrorKind::Store, "keep the document", "the disk is full"))
    }

    async fn delete(&mut self, _deletions: Vec<Deletion>) -> Result<Vec<Receipt>> {
        Ok(Vec::new())
    }

    async fn note(&mut self, _note: Note) -> Result<()> {
        Ok(())
    }

    async fn checkpoint(&mut self, _cursor: &mut SyncCursor) -> Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_handlers_error_ends_the_run() {
    let mut broken = Broken;
    let mut delivery = Delivery::new(&mut broken, SyncCursor::default(), Arc::new(FakeClock::default()));
    assert_eq!(delivery.emit(item("a"), "1").await.unwrap_err().kind, ErrorKind::Store);
    assert_eq!(delivery.cursor().version("space", "a"), None);
}
