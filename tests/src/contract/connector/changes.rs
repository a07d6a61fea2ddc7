//! Does a connector bring what changed, all of it, and nothing else?
#![expect(missing_docs, reason = "a check is named by the promise that it tests")]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use headwater_domain::sync::{Deletion, FetchedItem, Note, Receipt, SyncCursor};
use headwater_ports::{Result, StreamHandler};

use super::run::{fill, id_of, name, sync, sync_with, text_of};
use super::{World, sync_all};
use crate::fakes::MemoryKnowledgeBase;

pub async fn everything_arrives_once_and_under_safe_names(world: Arc<dyn World>) {
    fill(world.as_ref(), 3).await;
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_success();
    assert_eq!(run.emitted_ids().len(), run.emitted.len(), "a document came twice: {:?}", run.emitted);
    for branch in 0..super::BRANCHES {
        for number in 0..3 {
            let document = name(branch, number);
            let item = &knowledge_base.documents[&id_of(&knowledge_base, &document)];
            let text = String::from_utf8_lossy(&item.content);
            assert!(text.contains(&text_of(&document, 1)), "{document} says {text:?}");
            assert_eq!(item.source_resource_id, world.resource(branch));
        }
    }
    assert!(knowledge_base.cursor.last_sync_at().is_some(), "a complete run is remembered as one");
}

pub async fn an_unchanged_run_asks_for_no_content_and_hands_over_nothing(world: Arc<dyn World>) {
    fill(world.as_ref(), 3).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    for _ in 0..2 {
        let run = sync(world.as_ref(), &mut knowledge_base).await;
        run.assert_success();
        assert_eq!(run.emitted, Vec::<String>::new());
        assert_eq!(run.deleted, Vec::<String>::new());
        let contents: Vec<_> = run.requests.iter().filter(|target| world.content_of(target).is_some()).collect();
        assert!(contents.is_empty(), "an unchanged run asked for {contents:?}");
    }
}

pub async fn changes_lead_to_what_a_first_run_would_give(world: Arc<dyn World>) {
    fill(world.as_ref(), 4).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let untouched = id_of(&knowledge_base, "b-3");
    change(world.as_ref()).await;
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_success();
    assert!(!run.emitted.contains(&untouched), "{untouched} did not change");
    let reference = sync_all(world.as_ref()).await;
    assert_eq!(knowledge_base.documents, reference.documents);
    assert!(knowledge_base.documents.contains_key(&id_of(&knowledge_base, "a-new")));
}

/// Adds, edits, renames and, where that can be told, deletes.
pub(super) async fn change(world: &dyn World) {
    world.clock().advance(jiff::SignedDuration::from_hours(1));
    world.add(0, "a-new", &text_of("a-new", 1)).await;
    world.edit(0, "a-0", &text_of("a-0", 2)).await;
    world.edit(1, "b-0", &text_of("b-0", 2)).await;
    world.rename(1, "b-1", "b-renamed").await;
    if world.abilities().deletions {
        world.delete(0, "a-2").await;
        world.delete(1, "b-2").await;
    }
}

pub async fn a_document_that_was_turned_down_comes_again(world: Arc<dyn World>) {
    fill(world.as_ref(), 3).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let (id, resource) = (id_of(&knowledge_base, "a-1"), world.resource(0));
    let before = knowledge_base.cursor.version(&resource, &id).map(str::to_owned);
    world.clock().advance(jiff::SignedDuration::from_hours(1));
    world.edit(0, "a-1", &text_of("a-1", 2)).await;
    knowledge_base.refused.insert(id.clone());
    for _ in 0..2 {
        sync(world.as_ref(), &mut knowledge_base).await;
        let now = knowledge_base.cursor.version(&resource, &id).map(str::to_owned);
        assert_eq!(now, before, "the cursor keeps what the knowledge base has");
    }
    knowledge_base.refused.clear();
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_success();
    assert!(run.emitted.contains(&id));
    assert_eq!(knowledge_base.documents, sync_all(world.as_ref()).await.documents);
}

pub async fn a_deletion_that_was_turned_down_comes_again(world: Arc<dyn World>) {
    fill(world.as_ref(), 3).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    if !world.abilities().deletions {
        return;
    }
    let id = id_of(&knowledge_base, "a-1");
    world.delete(0, "a-1").await;
    knowledge_base.refused.insert(id.clone());
    sync(world.as_ref(), &mut knowledge_base).await;
    assert!(knowledge_base.documents.contains_key(&id));
    knowledge_base.refused.clear();
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_success();
    assert!(run.deleted.contains(&id));
    assert_eq!(sync(world.as_ref(), &mut knowledge_base).await.deleted, Vec::<String>::new(), "it is deleted once");
}

pub async fn what_is_no_longer_selected_is_left_alone(world: Arc<dyn World>) {
    fill(world.as_ref(), 3).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let documents = knowledge_base.documents.clone();
    let mut config = world.config();
    config.resource_ids = vec![world.resource(0)];
    let run = sync_with(world.as_ref(), &config, &mut knowledge_base).await;
    run.assert_success();
    assert_eq!((run.emitted, run.deleted), (vec![], vec![]));
    assert_eq!(knowledge_base.documents, documents);
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_success();
    assert_eq!((run.emitted, run.deleted), (vec![], vec![]), "selected again, it is known");
}

pub async fn checkpoints_come_on_the_way(world: Arc<dyn World>) {
    fill(world.as_ref(), 60).await;
    let mut knowledge_base = MemoryKnowledgeBase::default();
    sync(world.as_ref(), &mut knowledge_base).await.assert_success();
    assert!(knowledge_base.checkpoints >= 3, "120 documents came with {} checkpoints", knowledge_base.checkpoints);
}

pub async fn one_document_is_in_memory_at_a_time(world: Arc<dyn World>) {
    fill(world.as_ref(), 15).await;
    let most = Arc::new(Mutex::new(0));
    let mut watch = Watch { world: Arc::clone(&world), inner: MemoryKnowledgeBase::default(), most: Arc::clone(&most) };
    world.gate().take_log();
    let outcome = world.connector().fetch_stream(&world.config(), SyncCursor::default(), &mut watch).await;
    assert!(outcome.is_ok(), "{outcome:?}");
    // A branch may be a document too.
    assert!(watch.inner.emitted.len() >= 30, "{:?}", watch.inner.emitted);
    let (most, allowed) = (*most.lock().expect("nobody panicked with it"), world.abilities().lookahead);
    assert!(most <= allowed, "{most} documents were in memory at once, {allowed} may be");
}

/// Counts, as each document comes, how many were asked for and have not come.
struct Watch {
    world: Arc<dyn World>,
    inner: MemoryKnowledgeBase,
    most: Arc<Mutex<usize>>,
}

#[async_trait]
impl StreamHandler for Watch {
    async fn emit(&mut self, item: FetchedItem) -> Result<Receipt> {
        let log = self.world.gate().log();
        let asked: BTreeSet<_> = log.iter().filter_map(|target| self.world.content_of(target)).collect();
        let come = self.inner.documents.values().filter(|item| item.parent_id.is_none()).count();
        let mut most = *self.most.lock().expect("nobody panicked with it");
        most = most.max(asked.len().saturating_sub(come));
        *self.most.lock().expect("nobody panicked with it") = most;
        self.inner.emit(item).await
    }

    async fn delete(&mut self, deletions: Vec<Deletion>) -> Result<Vec<Receipt>> {
        self.inner.delete(deletions).await
    }

    async fn note(&mut self, note: Note) -> Result<()> {
        self.inner.note(note).await
    }

    async fn checkpoint(&mut self, cursor: &mut SyncCursor) -> Result<()> {
        self.inner.checkpoint(cursor).await
    }
}
