//! Does a connector lose or delete nothing when something fails?
#![expect(missing_docs, reason = "a check is named by the promise that it tests")]

use std::sync::Arc;

use headwater_domain::ErrorKind;
use jiff::SignedDuration;

use super::changes::change;
use super::run::{fill, id_of, sync, text_of};
use super::stops::dice;
use super::{Fault, World, sync_all};
use crate::fakes::MemoryKnowledgeBase;

pub async fn a_failed_document_keeps_its_version_and_comes_again(world: Arc<dyn World>) {
    fill(world.as_ref(), 3).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let (id, resource) = (id_of(&knowledge_base, "a-1"), world.resource(0));
    let before = knowledge_base.cursor.version(&resource, &id).map(str::to_owned);
    let old = knowledge_base.documents[&id].clone();
    world.clock().advance(SignedDuration::from_hours(1));
    for document in ["a-1", "a-2"] {
        world.edit(0, document, &text_of(document, 2)).await;
    }
    world.break_document(0, "a-1").await;
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_failed_in_part(None);
    assert!(run.failed.iter().any(|failed| failed.external_id.as_deref() == Some(id.as_str())), "{:?}", run.failed);
    assert_eq!(knowledge_base.cursor.version(&resource, &id).map(str::to_owned), before);
    assert_eq!(knowledge_base.documents[&id], old, "a failure is no content");
    assert!(run.emitted.contains(&id_of(&knowledge_base, "a-2")), "one failure spares the others");

    world.heal().await;
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_success();
    assert_eq!(run.emitted, [id]);
    assert_eq!(knowledge_base.documents, sync_all(world.as_ref()).await.documents);
}

pub async fn a_failed_branch_hides_only_its_own_deletions(world: Arc<dyn World>) {
    fill(world.as_ref(), 4).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let ids = [id_of(&knowledge_base, "a-2"), id_of(&knowledge_base, "b-2")];
    let deletions = world.abilities().deletions;
    change(world.as_ref()).await;
    world.break_branch(0).await;
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_failed_in_part(None);
    assert!(run.failed.iter().any(|failed| failed.resource_id.is_some()), "the branch is named: {:?}", run.failed);
    assert!(knowledge_base.documents.contains_key(&ids[0]), "a branch that failed deletes nothing");
    assert_eq!(knowledge_base.documents.contains_key(&ids[1]), !deletions, "the other branch is complete");

    world.heal().await;
    sync(world.as_ref(), &mut knowledge_base).await.assert_success();
    assert_eq!(knowledge_base.documents.contains_key(&ids[0]), !deletions);
    if deletions {
        assert_eq!(knowledge_base.documents, sync_all(world.as_ref()).await.documents);
    }
}

pub async fn wrong_credentials_are_told_and_delete_nothing(world: Arc<dyn World>) {
    if !world.abilities().credentials {
        return;
    }
    fill(world.as_ref(), 2).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let documents = knowledge_base.documents.clone();
    world.refuse_credentials().await;
    let error = world.connector().validate(&world.config()).await.expect_err("the credentials are refused");
    assert!(is_refusal(error.kind), "validate says {}: {error}", error.kind);
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    assert!(is_refusal(run.error().kind), "the run says {}: {}", run.error().kind, run.error());
    assert_eq!(run.deleted, Vec::<String>::new());
    assert_eq!(knowledge_base.documents, documents);

    world.heal().await;
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_success();
    assert_eq!(run.emitted, Vec::<String>::new(), "nothing was forgotten");
}

fn is_refusal(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::InvalidCredentials | ErrorKind::Auth)
}

pub async fn a_fault_at_any_request_is_made_good(world: Arc<dyn World>) {
    fill(world.as_ref(), 4).await;
    let before = sync_all(world.as_ref()).await;
    change(world.as_ref()).await;
    let mut undisturbed = before.clone();
    let requests = sync(world.as_ref(), &mut undisturbed).await.requests.len();
    let mut dice = dice();
    let faults = [Fault::Status(500), Fault::NoAnswer(ErrorKind::Connect), Fault::Status(429), Fault::Status(403)];
    for fault in faults.iter().cycle().take(TRIES) {
        for start in [MemoryKnowledgeBase::default(), before.clone()] {
            let mut knowledge_base = start;
            world.gate().take_log();
            world.gate().fail_at(1 + dice(requests), *fault);
            let run = sync(world.as_ref(), &mut knowledge_base).await;
            let wrong: Vec<_> = run.deleted.iter().filter(|id| undisturbed.documents.contains_key(*id)).collect();
            assert!(wrong.is_empty(), "{fault:?} deleted {wrong:?}");
            world.gate().heal();
            sync(world.as_ref(), &mut knowledge_base).await.assert_success();
            assert_eq!(knowledge_base.documents, undisturbed.documents, "after {fault:?}");
        }
    }
}

const TRIES: usize = 12;
