//! What happens to what a connector reads: documents are kept, deletions judged, everything counted.

use async_trait::async_trait;
use headwater_domain::sync::{
    Deletion, DeletionVerdict, DocumentKey, ErrorSample, ErrorSamples, FetchedItem, ItemOutcome, NewDocument, Note,
    Progress, Receipt, RunCounts, SkipReason, SyncCursor, Upsert,
};
use headwater_ports::{Advice, BegunRun, Error, Fenced, Removal, Result, StreamHandler};

use super::engine::{Engine, superseded};

/// Takes what a connector reads in one run.
pub(super) struct RunHandler<'e> {
    engine: &'e Engine,
    begun: &'e BegunRun,
    /// Documents that the cursor knew when the run began.
    known: u64,
    counts: RunCounts,
    errors: ErrorSamples,
    /// There are samples that no checkpoint has.
    has_new_errors: bool,
    confirmation_used: bool,
}

impl<'e> RunHandler<'e> {
    pub(super) fn new(engine: &'e Engine, begun: &'e BegunRun, known: u64) -> Self {
        Self {
            engine,
            begun,
            known,
            counts: RunCounts::default(),
            errors: ErrorSamples::default(),
            has_new_errors: false,
            confirmation_used: false,
        }
    }

    /// Whether a person's yes to many deletions was used up.
    pub(super) fn confirmation_used(&self) -> bool {
        self.confirmation_used
    }

    /// Everything that the run met.
    pub(super) fn into_progress(self) -> Progress {
        Progress { counts: self.counts, errors: Some(self.errors) }
    }

    fn failed(&mut self, sample: ErrorSample) {
        self.counts.add(ItemOutcome::Failed);
        self.has_new_errors |= self.errors.add(sample);
    }

    /// What one document alone is to blame for costs that document; everything else ends the run.
    fn refused(&mut self, item: &FetchedItem, error: Error) -> Result<Receipt> {
        if error.advice() != Advice::Skip {
            return Err(error);
        }
        let sample = ErrorSample::new(error.kind, &error.to_string());
        self.failed(sample.about(Some(&item.title), Some(&item.external_id)));
        Ok(Receipt::NotKept)
    }

    /// Children that their document no longer names go.
    async fn sweep(&mut self, parent: &str, children: &[String]) -> Result<()> {
        let now = self.engine.clock.now();
        let swept = self.engine.store.sweep_children(&self.begun.fence, parent, children, now).await?;
        let Fenced::Done(swept) = swept else { return Err(superseded()) };
        self.counts.add_many(ItemOutcome::Deleted, swept.len() as u64);
        Ok(())
    }

    /// Whether the document stands below another resource by now, and so is not gone.
    async fn has_moved(&self, deletion: &Deletion) -> Result<bool> {
        let fence = &self.begun.fence;
        let key = DocumentKey { data_source: fence.data_source.clone(), external_id: deletion.external_id.clone() };
        let there = self.engine.store.document(&fence.tenant, &key).await?;
        Ok(there.is_some_and(|document| document.facts.source_resource_id != deletion.source_resource_id))
    }

    /// Carries out, marks or holds back all deletions of a run; one receipt for all of them.
    async fn judge(&mut self, gone: &[String]) -> Result<Receipt> {
        let source = &self.begun.source;
        let (number, follow) = (gone.len() as u64, source.sync_deletions.into());
        match self.engine.policy.guard.judge(number, self.known, source.confirmed_deletions, follow) {
            DeletionVerdict::Wait => {
                self.counts.add_many(ItemOutcome::Waiting, number);
                return Ok(Receipt::NotKept);
            }
            DeletionVerdict::Mark => self.remove(gone, Removal::Mark).await?,
            DeletionVerdict::Delete => self.remove(gone, Removal::Delete).await?,
            DeletionVerdict::DeleteAsConfirmed => {
                self.remove(gone, Removal::Delete).await?;
                self.confirmation_used = true;
            }
        }
        Ok(Receipt::Kept)
    }

    async fn remove(&mut self, gone: &[String], how: Removal) -> Result<()> {
        let now = self.engine.clock.now();
        let removed = self.engine.store.remove_documents(&self.begun.fence, gone, how, now).await?;
        let Fenced::Done(removed) = removed else { return Err(superseded()) };
        let outcome = match how {
            Removal::Delete => ItemOutcome::Deleted,
            Removal::Mark => ItemOutcome::Marked,
        };
        self.counts.add_many(outcome, removed.len() as u64);
        Ok(())
    }
}

#[async_trait]
impl StreamHandler for RunHandler<'_> {
    async fn emit(&mut self, item: FetchedItem) -> Result<Receipt> {
        let source = &self.begun.source;
        let new = NewDocument {
            knowledge_base: source.knowledge_base.clone(),
            item,
            text: None,
            conflict: source.conflict_strategy,
        };
        let kept = self.engine.store.upsert_document(&self.begun.fence, &new, self.engine.clock.now()).await;
        let plan = match kept {
            Ok(Fenced::Done(plan)) => plan,
            Ok(Fenced::Stale) => return Err(superseded()),
            Err(error) => return self.refused(&new.item, error),
        };
        self.counts.add(match plan {
            Upsert::Create => ItemOutcome::Created,
            Upsert::Replace | Upsert::Refresh => ItemOutcome::Updated,
            Upsert::Keep => ItemOutcome::Unchanged,
            Upsert::Yield => ItemOutcome::Skipped(SkipReason::Conflict),
            Upsert::StayAway => ItemOutcome::Skipped(SkipReason::DeletedByPerson),
        });
        let is_there = !matches!(plan, Upsert::Yield | Upsert::StayAway);
        if let Some(children) = new.item.children.as_ref().filter(|_| is_there) {
            self.sweep(&new.item.external_id, children).await?;
        }
        Ok(Receipt::Kept)
    }

    async fn delete(&mut self, deletions: Vec<Deletion>) -> Result<Vec<Receipt>> {
        let mut gone = Vec::new();
        let mut receipts = Vec::with_capacity(deletions.len());
        for deletion in deletions {
            let moved = self.has_moved(&deletion).await?;
            receipts.push(moved);
            if !moved {
                gone.push(deletion.external_id);
            }
        }
        let of_the_gone = self.judge(&gone).await?;
        Ok(receipts.into_iter().map(|moved| if moved { Receipt::Kept } else { of_the_gone }).collect())
    }

    async fn note(&mut self, note: Note) -> Result<()> {
        match note {
            Note::Unchanged(number) => self.counts.add_many(ItemOutcome::Unchanged, number),
            Note::Skipped(skipped) => self.counts.add(ItemOutcome::Skipped(skipped.reason)),
            Note::Failed(failed) => self.failed(ErrorSample::from(&failed)),
        }
        Ok(())
    }

    async fn checkpoint(&mut self, cursor: &mut SyncCursor) -> Result<()> {
        let errors = self.has_new_errors.then(|| self.errors.clone());
        let progress = Progress { counts: self.counts.clone(), errors };
        let (now, policy) = (self.engine.clock.now(), self.engine.policy.lease);
        let changes = cursor.take_changes();
        match self.engine.store.checkpoint(&self.begun.fence, &changes, &progress, now, &policy).await? {
            Fenced::Done(()) => self.has_new_errors = false,
            Fenced::Stale => return Err(superseded()),
        }
        Ok(())
    }
}
