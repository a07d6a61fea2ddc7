//! What becomes of documents at the command line: they are told, counted, and written where that is wanted.

use std::collections::HashSet;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::secret::redact_text;
use headwater_domain::sync::{Deletion, FetchedItem, Note, Receipt, SyncCursor};
use headwater_ports::{Error, Result, StreamHandler};

use super::cursor_file::CursorFile;
use super::events::{Counts, Event, Reason};
use super::into_folder::IntoFolder;
use crate::cli::Status;
use crate::output;

/// Takes what a connector reads.
pub(super) struct Report {
    json: bool,
    file: CursorFile,
    folder: Option<IntoFolder>,
    /// Documents of earlier runs, by resource and id.
    known: HashSet<(String, String)>,
    counts: Counts,
    /// Why the standard output took no more.
    broken: Option<anyhow::Error>,
}

impl Report {
    pub(super) fn new(json: bool, file: CursorFile, folder: Option<IntoFolder>, cursor: &SyncCursor) -> Self {
        let ids = |resource| cursor.known(resource).map(move |(id, _)| (resource.to_owned(), id.to_owned()));
        let known = cursor.resources().flat_map(ids).collect();
        Self { json, file, folder, known, counts: Counts::default(), broken: None }
    }

    /// Tells how the run ended.
    pub(super) fn end(mut self, error: Option<Error>, requests: u64) -> anyhow::Result<Status> {
        if let Some(broken) = self.broken.take() {
            return Err(broken);
        }
        let written = self.settle();
        let error = error.or(written.err());
        let status = self.status(error.as_ref());
        let outcome = match status {
            Status::Done => "success",
            Status::Partly => "partial",
            Status::Failed => "failed",
        };
        let error = error.map(|error| Reason::of(&error, redact_text(&error.to_string()).into_owned()));
        self.tell(&Event::End { outcome, counts: self.counts, requests, error });
        self.broken.map_or(Ok(status), Err)
    }

    fn status(&self, error: Option<&Error>) -> Status {
        let Counts { created, updated, deleted, skipped, failed, unchanged } = self.counts;
        let has_read = created + updated + deleted + skipped + unchanged > 0;
        match error {
            Some(error) if error.kind == ErrorKind::Interrupted => Status::Partly,
            Some(_) => Status::Failed,
            None if failed > 0 && !has_read => Status::Failed,
            None if failed > 0 => Status::Partly,
            None => Status::Done,
        }
    }

    /// What is written lies there for good.
    fn settle(&mut self) -> Result<()> {
        if let Some(folder) = &mut self.folder {
            folder.save()?;
        }
        self.file.write()
    }

    fn tell(&mut self, event: &Event<'_>) {
        let told =
            if self.json { output::json(event) } else { event.line().map_or(Ok(()), |line| output::text(&line)) };
        if let Err(error) = told {
            self.broken = self.broken.take().or(Some(error));
        }
    }

    /// Ends the run where nobody listens any more.
    fn heard(&self) -> Result<()> {
        match self.broken {
            None => Ok(()),
            Some(_) => Err(Error::new(ErrorKind::Interrupted, "tell what is read", "nobody listens any more")),
        }
    }
}

#[async_trait]
impl StreamHandler for Report {
    async fn emit(&mut self, item: FetchedItem) -> Result<Receipt> {
        if let Some(folder) = &mut self.folder {
            folder.write(&item)?;
        }
        let key = (item.source_resource_id.clone(), item.external_id.clone());
        if self.known.contains(&key) {
            self.counts.updated += 1
        } else {
            self.counts.created += 1
        }
        self.tell(&Event::item(&item));
        self.heard()?;
        Ok(Receipt::Kept)
    }

    async fn delete(&mut self, deletions: Vec<Deletion>) -> Result<Vec<Receipt>> {
        for deletion in &deletions {
            if let Some(folder) = &mut self.folder {
                folder.remove(deletion)?;
            }
            self.counts.deleted += 1;
            self.tell(&Event::deleted(deletion));
        }
        self.heard()?;
        Ok(vec![Receipt::Kept; deletions.len()])
    }

    async fn note(&mut self, note: Note) -> Result<()> {
        match note {
            Note::Unchanged(count) => self.counts.unchanged += count,
            Note::Skipped(skipped) => {
                self.counts.skipped += 1;
                self.tell(&Event::skipped(&skipped));
            }
            Note::Failed(failed) => {
                self.counts.failed += 1;
                let message = redact_text(&failed.message);
                self.tell(&Event::failed(&failed, &message));
            }
        }
        self.heard()
    }

    async fn checkpoint(&mut self, cursor: &mut SyncCursor) -> Result<()> {
        if let Some(folder) = &mut self.folder {
            folder.save()?;
        }
        if self.file.apply(cursor.take_changes())? {
            self.tell(&Event::Checkpoint);
        }
        let Counts { created, updated, .. } = self.counts;
        tracing::info!(created, updated, "checkpoint");
        self.heard()
    }
}
