//! Is a connector that was stopped anywhere resumed without loss?
#![expect(missing_docs, reason = "a check is named by the promise that it tests")]

use std::sync::Arc;

use super::changes::change;
use super::run::{fill, stop_at, sync};
use super::{World, sync_all};
use crate::fakes::MemoryKnowledgeBase;

pub async fn a_run_stopped_at_any_request_is_resumed(world: Arc<dyn World>) {
    fill(world.as_ref(), 4).await;
    let before = sync_all(world.as_ref()).await;
    change(world.as_ref()).await;
    let first = requests_of_a_first_run(world.as_ref()).await;
    let mut undisturbed = before.clone();
    let next = sync(world.as_ref(), &mut undisturbed).await.requests.len();

    let mut dice = dice();
    for _ in 0..STOPS {
        for (start, requests) in [(MemoryKnowledgeBase::default(), first), (before.clone(), next)] {
            let (mut knowledge_base, at) = (start, dice(requests));
            stop_at(world.as_ref(), at, &mut knowledge_base).await;
            sync(world.as_ref(), &mut knowledge_base).await.assert_success();
            assert_eq!(knowledge_base.documents, undisturbed.documents, "stopped at request {at} of {requests}");
        }
    }
    let mut knowledge_base = MemoryKnowledgeBase::default();
    for _ in 0..STOPS {
        stop_at(world.as_ref(), dice(first), &mut knowledge_base).await;
    }
    sync(world.as_ref(), &mut knowledge_base).await.assert_success();
    assert_eq!(knowledge_base.documents, undisturbed.documents, "stopped {STOPS} times in a row");
}

pub async fn a_dropped_run_is_over_at_once(world: Arc<dyn World>) {
    fill(world.as_ref(), 4).await;
    let reference = sync_all(world.as_ref()).await;
    let requests = requests_of_a_first_run(world.as_ref()).await;
    for at in 0..requests {
        let mut knowledge_base = MemoryKnowledgeBase::default();
        assert!(stop_at(world.as_ref(), at, &mut knowledge_base).await, "the run came to its request {at}");
        let asked = world.gate().log().len();
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        assert_eq!(world.gate().under_way(), 0, "a request goes on after the run was dropped at request {at}");
        assert_eq!(world.gate().log().len(), asked, "requests were made after the run was dropped at request {at}");
        if at == requests / 2 {
            sync(world.as_ref(), &mut knowledge_base).await.assert_success();
            assert_eq!(knowledge_base.documents, reference.documents, "the last checkpoint is good");
        }
    }
}

async fn requests_of_a_first_run(world: &dyn World) -> usize {
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let run = sync(world, &mut knowledge_base).await;
    run.assert_success();
    assert!(!run.requests.is_empty(), "the connector's requests pass the gate");
    run.requests.len()
}

/// Numbers below a bound, the same in every run (a linear congruential generator).
pub(super) fn dice() -> impl FnMut(usize) -> usize {
    let mut state = 20_260_101_u64;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % below.max(1) as u64).expect("it is below a usize")
    }
}

const STOPS: usize = 20;
