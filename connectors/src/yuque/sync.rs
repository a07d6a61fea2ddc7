//! How one run reads what changed in the selected books.

use std::collections::{BTreeMap, HashSet};

use headwater_domain::ErrorKind;
use headwater_domain::sync::{Deletion, FailedItem, Note, Receipt, SkipReason, SkippedItem, SyncCursor};
use headwater_ports::{Error, Result, StreamHandler};
use jiff::Timestamp;

use super::api::{Api, Found, PAGE, TABLE_PAGE, missing};
use super::books;
use super::config::{OPERATION, Selected};
use super::document::{Content, Kind, Place, Version, content, item};
use super::sheet;
use super::toc::Toc;
use super::wire::{Book, Doc};
use crate::checkpoints::Checkpoints;

/// One run over the selected books.
pub(super) struct Run<'a> {
    api: &'a Api,
    cursor: SyncCursor,
    handler: &'a mut dyn StreamHandler,
    checkpoints: Checkpoints,
    began_at: Timestamp,
    /// The books that were read to their end or not, each once.
    books: HashSet<u64>,
    /// What is gone from its book: the book, the document, and where it is now.
    gone: Vec<Gone>,
    unchanged: u64,
    /// The first failure of a whole branch; while nothing could be listed it is the run's.
    failed: Option<Error>,
    any_listed: bool,
    any_failed: bool,
}

/// A document that is no longer in its book.
struct Gone {
    source: String,
    book: u64,
    doc: String,
    /// The book in which it is now.
    moved_to: Option<u64>,
}

/// A book being read.
struct Reading<'b> {
    book: &'b Book,
    source: &'b str,
    key: &'b str,
    toc: Toc,
}

impl<'a> Run<'a> {
    pub(super) fn new(api: &'a Api, cursor: SyncCursor, handler: &'a mut dyn StreamHandler) -> Self {
        let began_at = api.now();
        Self {
            api,
            cursor,
            handler,
            checkpoints: Checkpoints::new(began_at),
            began_at,
            books: HashSet::new(),
            gone: Vec::new(),
            unchanged: 0,
            failed: None,
            any_listed: false,
            any_failed: false,
        }
    }

    /// Reads the selected books, hands over what is gone, and gives the cursor of the end.
    pub(super) async fn run(mut self, selected: &[Selected]) -> Result<SyncCursor> {
        for one in selected {
            let read = match one {
                Selected::Book(id) => self.book(id, id).await,
                Selected::Shelf(shelf) => match books::of_shelf(self.api, shelf).await {
                    Ok(books) => self.shelf(&one.id(), &books).await,
                    Err(error) => self.on_branch_failed(&one.id(), error).await,
                },
            };
            if let Err(error) = read {
                // The first error says more than one of the checkpoint would.
                let _ = self.save().await;
                return Err(error);
            }
        }
        if let Some(error) = self.failed.take_if(|_| !self.any_listed) {
            return Err(error);
        }
        self.delete().await?;
        if !self.any_failed {
            self.cursor.record_sync(self.began_at);
        }
        self.save().await?;
        Ok(self.cursor)
    }

    async fn shelf(&mut self, source: &str, books: &[Book]) -> Result<()> {
        self.any_listed = true;
        for book in books {
            self.book(source, &book.id.to_string()).await?;
        }
        Ok(())
    }

    async fn book(&mut self, source: &str, id: &str) -> Result<()> {
        let found = async {
            let Found::Here(book) = self.api.book(id).await? else {
                return Err(missing(&format!("book {id}")));
            };
            let toc = match self.api.toc(book.id).await {
                Ok(entries) => Toc::new(&entries),
                Err(error) if error.kind == ErrorKind::Auth => Toc::default(),
                Err(error) => return Err(error),
            };
            Ok((book, toc))
        };
        let (book, toc) = match found.await {
            Ok(found) => found,
            Err(error) => return self.on_branch_failed(id, error).await,
        };
        if !self.books.insert(book.id) {
            return Ok(());
        }
        let key = book.id.to_string();
        let reading = Reading { book: &book, source, key: &key, toc };
        match self.docs(&reading).await? {
            Some(listed) => self.find_gone(&reading, &listed).await,
            None => Ok(()),
        }
    }

    /// Reads the documents of a book. Gives the ids of a listing that is known to be complete; while documents come and go
    /// rows move between pages, so a listing whose count does not agree with its own total is read again.
    async fn docs(&mut self, reading: &Reading<'_>) -> Result<Option<HashSet<u64>>> {
        let mut done = HashSet::new();
        for _ in 0..LISTINGS {
            let mut listed = HashSet::new();
            let mut total = None;
            for page in 0.. {
                let rows = match self.api.docs(reading.book.id, page * PAGE).await {
                    Ok(page) => {
                        self.any_listed = true;
                        total = page.total.or(total);
                        page.rows
                    }
                    Err(error) => return self.on_branch_failed(reading.key, error).await.map(|()| None),
                };
                let (full, before) = (rows.len() >= PAGE, listed.len());
                for doc in rows {
                    listed.insert(doc.id);
                    if done.insert(doc.id) {
                        self.doc(reading, doc).await?;
                    }
                }
                if !full {
                    break;
                }
                if listed.len() == before {
                    let detail = "the list of documents comes back to documents already read";
                    let error = Error::new(ErrorKind::PaginationLoop, OPERATION, detail);
                    return self.on_branch_failed(reading.key, error).await.map(|()| None);
                }
            }
            if total.is_none_or(|total| total == listed.len() as u64) {
                return Ok(Some(listed));
            }
        }
        let detail = "the list of documents does not agree with its own count, so nothing in it counts as deleted";
        let error = Error::new(ErrorKind::PartialFetch, OPERATION, detail);
        self.on_branch_failed(reading.key, error).await.map(|()| None)
    }

    async fn doc(&mut self, reading: &Reading<'_>, listed: Doc) -> Result<()> {
        let Some(kind) = Kind::of(&listed) else {
            return self.skip(&listed, SkipReason::UnsupportedType).await;
        };
        if listed.is_draft() {
            return self.skip(&listed, SkipReason::Draft).await;
        }
        let place = Place {
            book: reading.book,
            source: reading.source,
            path: reading.toc.path(listed.id),
            url: self.api.page_url(&reading.book.namespace, &listed.slug),
        };
        let id = listed.id.to_string();
        let known = self.cursor.version(reading.key, &id).and_then(Version::parse);
        let version = Version::listed(&listed, &place);
        if known.as_ref().is_some_and(|known| version.is_untouched(known)) {
            self.unchanged += 1;
            return Ok(());
        }
        let item = match read(self.api, &listed, kind).await {
            Ok(Found::Here((detail, content))) => item(&detail, &place, content),
            Ok(Found::Missing) => return self.skip(&listed, SkipReason::Hidden).await,
            Err(error) if error.kind == ErrorKind::BodyTooLarge => {
                return self.skip(&listed, SkipReason::TooLarge).await;
            }
            Err(error) => return self.on_doc_failed(id, Some(listed.title), error).await,
        };
        let version = version.with_content(&item.content);
        if known.is_some_and(|known| version.is_same(&known)) {
            self.unchanged += 1;
            self.cursor.record(reading.key, &id, version.to_string());
        } else if self.handler.emit(item).await? == Receipt::Kept {
            self.cursor.record(reading.key, &id, version.to_string());
        }
        self.checkpoints.on_item();
        if self.checkpoints.poll_due(self.api.now()) {
            self.save().await?;
        }
        Ok(())
    }

    /// Finds out what became of the known documents that a complete listing lacks: each is asked for by its id.
    async fn find_gone(&mut self, reading: &Reading<'_>, listed: &HashSet<u64>) -> Result<()> {
        let is_listed = |id: &str| id.parse().is_ok_and(|id| listed.contains(&id));
        let absent: Vec<String> =
            self.cursor.known(reading.key).map(|(id, _)| id).filter(|id| !is_listed(id)).map(str::to_owned).collect();
        for id in absent {
            let Ok(number) = id.parse() else {
                continue;
            };
            let moved_to = match self.api.doc(number).await {
                Ok(Found::Missing) => None,
                Ok(Found::Here(doc)) => match doc.book_id.filter(|book| *book != reading.book.id) {
                    Some(book) => Some(book),
                    // It is where it was: the listing left it out.
                    None => continue,
                },
                Err(error) => {
                    self.on_doc_failed(id, None, error).await?;
                    continue;
                }
            };
            self.gone.push(Gone { source: reading.source.to_owned(), book: reading.book.id, doc: id, moved_to });
        }
        Ok(())
    }

    /// Hands over what is gone. What moved to another book of this run was handed over there, under the same id.
    async fn delete(&mut self) -> Result<()> {
        let read = |book: &Gone| book.moved_to.is_some_and(|book| self.books.contains(&book));
        let (moved, deleted): (Vec<_>, Vec<_>) = std::mem::take(&mut self.gone).into_iter().partition(read);
        for gone in moved {
            self.cursor.forget(&gone.book.to_string(), &gone.doc);
        }
        if deleted.is_empty() {
            return Ok(());
        }
        let deletion =
            |gone: &Gone| Deletion { external_id: gone.doc.clone(), source_resource_id: gone.source.clone() };
        let receipts = self.handler.delete(deleted.iter().map(deletion).collect()).await?;
        for (gone, receipt) in deleted.iter().zip(receipts) {
            if receipt == Receipt::Kept {
                self.cursor.forget(&gone.book.to_string(), &gone.doc);
            }
        }
        Ok(())
    }

    async fn skip(&mut self, doc: &Doc, reason: SkipReason) -> Result<()> {
        let skipped = SkippedItem { external_id: doc.id.to_string(), title: Some(doc.title.clone()), reason };
        self.handler.note(Note::Skipped(skipped)).await
    }

    /// A document could not be had: it is tried again in the next run. An error that holds for all ends the run.
    async fn on_doc_failed(&mut self, id: String, title: Option<String>, error: Error) -> Result<()> {
        if ends_the_run(error.kind) {
            return Err(error);
        }
        self.any_failed = true;
        let failed = FailedItem { external_id: Some(id), title, ..failed_item(&error) };
        self.handler.note(Note::Failed(failed)).await
    }

    /// A whole branch could not be listed: nothing below it counts as deleted.
    async fn on_branch_failed(&mut self, resource: &str, error: Error) -> Result<()> {
        if ends_the_run(error.kind) {
            return Err(error);
        }
        self.any_failed = true;
        let failed = FailedItem { resource_id: Some(resource.to_owned()), ..failed_item(&error) };
        self.failed.get_or_insert(error);
        self.handler.note(Note::Failed(failed)).await
    }

    async fn save(&mut self) -> Result<()> {
        if self.unchanged > 0 {
            self.handler.note(Note::Unchanged(std::mem::take(&mut self.unchanged))).await?;
        }
        self.handler.checkpoint(&mut self.cursor).await
    }
}

/// A document with its content, as text, media type and extension.
async fn read(api: &Api, listed: &Doc, kind: Kind) -> Result<Found<(Doc, Content)>> {
    if kind != Kind::Table {
        let Found::Here(detail) = api.doc(listed.id).await? else {
            return Ok(Found::Missing);
        };
        let content = content(&detail, kind)?;
        return Ok(Found::Here((detail, content)));
    }
    let mut records = Vec::new();
    for number in 1.. {
        let Found::Here(detail) = api.table_page(listed.id, number).await? else {
            return Ok(Found::Missing);
        };
        let page = detail.body_table.as_deref().map(sheet::table_page).transpose()?;
        let (rows, total) = page.map(|page| (page.records, page.total_count)).unwrap_or_default();
        let last = rows.is_empty()
            || total
                .map_or((rows.len() as u64) < TABLE_PAGE, |total| records.len() as u64 + rows.len() as u64 >= total);
        records.extend(rows);
        if last || number >= MAX_TABLE_PAGES {
            return Ok(Found::Here((detail, (sheet::table(&records), "text/markdown", "md"))));
        }
    }
    Ok(Found::Missing)
}

fn failed_item(error: &Error) -> FailedItem {
    FailedItem {
        external_id: None,
        resource_id: None,
        title: None,
        kind: error.kind,
        params: BTreeMap::new(),
        message: error.to_string(),
    }
}

/// Whether nothing else of this account can be had either.
fn ends_the_run(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::InvalidCredentials | ErrorKind::Throttled | ErrorKind::BlockedAddress | ErrorKind::TooManyRedirects
    )
}

/// Times that a listing is read until it agrees with its own count.
const LISTINGS: usize = 3;

/// Pages of one data table: 200,000 rows.
const MAX_TABLE_PAGES: u64 = 1000;
