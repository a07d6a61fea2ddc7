//! How the suite runs a connector once, in whole or until it is stopped.

use std::collections::BTreeSet;

use headwater_domain::ErrorKind;
use headwater_domain::sync::{DataSourceConfig, FailedItem, Note, SkippedItem};
use headwater_ports::{Error, Result};
use jiff::SignedDuration;

use super::{BRANCHES, World};
use crate::fakes::MemoryKnowledgeBase;

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// What was handed over, by id.
    pub emitted: Vec<String>,
    /// The ids of what was found deleted.
    pub deleted: Vec<String>,
    /// What failed.
    pub failed: Vec<FailedItem>,
    /// What was left out.
    pub skipped: Vec<SkippedItem>,
    /// Targets of the requests.
    pub requests: Vec<String>,
    /// How it ended.
    pub outcome: Result<()>,
}

/// Runs a fresh connector with everything selected, from where the last checkpoint stands.
pub async fn sync(world: &dyn World, knowledge_base: &mut MemoryKnowledgeBase) -> Run {
    sync_with(world, &world.config(), knowledge_base).await
}

/// As [`sync`], with another configuration.
pub async fn sync_with(world: &dyn World, config: &DataSourceConfig, knowledge_base: &mut MemoryKnowledgeBase) -> Run {
    // Some systems round their times, and a feed is not asked twice in the same minute.
    world.clock().advance(SignedDuration::from_hours(48));
    world.gate().take_log();
    knowledge_base.begin_run();
    let cursor = knowledge_base.cursor.clone();
    let outcome = world.connector().fetch_stream(config, cursor, knowledge_base).await;
    if let Ok(cursor) = &outcome {
        assert_eq!(*cursor, knowledge_base.cursor, "the cursor of the end was checkpointed");
    }
    Run::of(knowledge_base, world.gate().take_log(), outcome.map(drop))
}

/// Runs until nothing fails any more and gives the knowledge base: what a first, undisturbed sync leads to.
pub async fn sync_all(world: &dyn World) -> MemoryKnowledgeBase {
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let run = sync(world, &mut knowledge_base).await;
    run.assert_success();
    knowledge_base
}

/// Starts a run, drops it at its `n`th request, and says whether it came that far.
pub(super) async fn stop_at(world: &dyn World, n: usize, knowledge_base: &mut MemoryKnowledgeBase) -> bool {
    world.clock().advance(SignedDuration::from_hours(48));
    world.gate().take_log();
    world.gate().fail_at(n, super::Fault::Hang);
    knowledge_base.begin_run();
    let cursor = knowledge_base.cursor.clone();
    let (connector, config) = (world.connector(), world.config());
    let is_stopped = tokio::select! {
        biased;
        outcome = connector.fetch_stream(&config, cursor, knowledge_base) => {
            outcome.expect("a run that nobody disturbs succeeds");
            false
        }
        () = world.gate().hung() => true,
    };
    world.gate().heal();
    is_stopped
}

/// Adds documents of both branches: `a-0`, `b-0`, `a-1`, ….
pub(super) async fn fill(world: &dyn World, documents_each: usize) {
    for number in 0..documents_each {
        for branch in 0..BRANCHES {
            let name = name(branch, number);
            world.add(branch, &name, &text_of(&name, 1)).await;
        }
    }
}

/// The name of a document that [`fill`] made.
pub(super) fn name(branch: usize, number: usize) -> String {
    format!("{}-{number}", ["a", "b"][branch])
}

/// A text that tells documents and their revisions apart, long enough to be an article.
pub(super) fn text_of(name: &str, revision: usize) -> String {
    let sentence = format!("This is revision {revision} of the document {name}, which says what it says and no more. ");
    sentence.repeat(8).trim_end().to_owned()
}

/// The id of the one document whose title begins with a name.
#[track_caller]
pub(super) fn id_of(knowledge_base: &MemoryKnowledgeBase, name: &str) -> String {
    let with_name =
        |title: &str| title == name || title.starts_with(&format!("{name} ")) || title.starts_with(&format!("{name}."));
    let mut found = knowledge_base.documents.values().filter(|item| item.parent_id.is_none() && with_name(&item.title));
    let first = found.next().unwrap_or_else(|| panic!("the knowledge base has no document {name}"));
    assert!(found.next().is_none(), "the knowledge base has two documents {name}");
    first.external_id.clone()
}

impl Run {
    fn of(knowledge_base: &MemoryKnowledgeBase, requests: Vec<String>, outcome: Result<()>) -> Self {
        let notes = || knowledge_base.notes.iter();
        Self {
            emitted: knowledge_base.emitted.clone(),
            deleted: knowledge_base.deleted.iter().map(|deletion| deletion.external_id.clone()).collect(),
            failed: notes()
                .filter_map(|note| if let Note::Failed(failed) = note { Some(failed.clone()) } else { None })
                .collect(),
            skipped: notes()
                .filter_map(|note| if let Note::Skipped(item) = note { Some(item.clone()) } else { None })
                .collect(),
            requests,
            outcome,
        }
    }

    /// Nothing failed.
    #[track_caller]
    pub fn assert_success(&self) {
        if let Err(error) = &self.outcome {
            panic!("the run failed: {}: {error}", error.kind);
        }
        assert!(self.failed.is_empty(), "the run failed in part: {:?}", self.failed);
    }

    /// Some of it failed, but not all, and this kind is among the failures.
    #[track_caller]
    pub fn assert_failed_in_part(&self, kind: Option<ErrorKind>) {
        if let Err(error) = &self.outcome {
            panic!("the whole run failed: {}: {error}", error.kind);
        }
        assert!(!self.failed.is_empty(), "nothing was told to have failed");
        if let Some(kind) = kind {
            assert!(self.failed.iter().any(|failed| failed.kind == kind), "no failure is {kind}: {:?}", self.failed);
        }
    }

    /// The ids handed over, without repetitions.
    pub fn emitted_ids(&self) -> BTreeSet<&str> {
        self.emitted.iter().map(String::as_str).collect()
    }

    /// The error that ended the run.
    #[track_caller]
    pub fn error(&self) -> &Error {
        self.outcome.as_ref().expect_err("the run ends with an error")
    }
}
