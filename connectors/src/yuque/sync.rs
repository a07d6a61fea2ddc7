//! How one run reads what changed in the selected books.

use std::collections::{BTreeMap, HashMap, HashSet};

use headwater_domain::ErrorKind;
use headwater_domain::sync::{FailedItem, SkipReason, SkippedItem, SyncCursor};
use headwater_ports::{Error, Result};

use super::api::{Api, Found, PAGE, TABLE_PAGE, missing};
use super::books;
use super::config::{OPERATION, Selected};
use super::document::{Content, Kind, Place, Version, content, item};
use super::sheet;
use super::toc::Toc;
use super::wire::{Book, Doc};
use crate::delivery::Delivery;

/// One run over the selected books.
pub(super) struct Run<'a> {
    api: &'a Api,
    delivery: Delivery<'a>,
    /// The documents of each book that was read: none where its listing is not known to be complete.
    books: HashMap<u64, Option<HashSet<u64>>>,
    /// The first failure of a whole branch; while nothing could be listed it is the run's.
    failed: Option<Error>,
    any_listed: bool,
}

/// A book being read.
struct Reading<'b> {
    book: &'b Book,
    source: &'b str,
    toc: Toc,
}

impl<'a> Run<'a> {
    pub(super) fn new(api: &'a Api, delivery: Delivery<'a>) -> Self {
        Self { api, delivery, books: HashMap::new(), failed: None, any_listed: false }
    }

    /// Reads the selected books, hands over what is gone, and gives the cursor of the end.
    pub(super) async fn run(mut self, selected: &[Selected]) -> Result<SyncCursor> {
        match self.read_all(selected).await {
            Ok(()) => self.delivery.finish().await,
            Err(error) => {
                // The first error says more than one of the checkpoint would.
                let _ = self.delivery.checkpoint().await;
                Err(error)
            }
        }
    }

    async fn read_all(&mut self, selected: &[Selected]) -> Result<()> {
        for one in selected {
            match one {
                Selected::Book(id) => self.book(id, id).await?,
                Selected::Shelf(shelf) => match books::of_shelf(self.api, shelf).await {
                    Ok(books) => self.shelf(&one.id(), &books).await?,
                    Err(error) => self.on_branch_failed(&one.id(), error).await?,
                },
            }
        }
        if let Some(error) = self.failed.take_if(|_| !self.any_listed) {
            return Err(error);
        }
        for one in selected {
            self.find_gone(&one.id()).await?;
        }
        Ok(())
    }

    async fn shelf(&mut self, source: &str, books: &[Book]) -> Result<()> {
        self.any_listed = true;
        for book in books {
            self.book(source, &book.id.to_string()).await?;
        }
        Ok(())
    }

    async fn book(&mut self, source: &str, id: &str) -> Result<()> {
        let (book, toc) = match book_and_toc(self.api, id).await {
            Ok(found) => found,
            Err(error) => return self.on_branch_failed(id, error).await,
        };
        if self.books.contains_key(&book.id) {
            return Ok(());
        }
        self.books.insert(book.id, None);
        let listed = self.docs(&Reading { book: &book, source, toc }).await?;
        self.books.insert(book.id, listed);
        Ok(())
    }

    /// Reads the documents of a book. Gives the ids of a listing that is known to be complete; while documents come and go
    /// rows move between pages, so a listing whose count does not agree with its own total is read again.
    async fn docs(&mut self, reading: &Reading<'_>) -> Result<Option<HashSet<u64>>> {
        let mut done = HashSet::new();
        for _ in 0..LISTINGS {
            match self.listing(reading, &mut done).await {
                Ok((listed, total)) if total.is_none_or(|total| total == listed.len() as u64) => {
                    return Ok(Some(listed));
                }
                Ok(_) => {}
                Err(Stop::Branch(error)) => {
                    self.on_branch_failed(&reading.book.id.to_string(), error).await?;
                    return Ok(None);
                }
                Err(Stop::Run(error)) => return Err(error),
            }
        }
        let detail = "the list of documents does not agree with its own count, so nothing in it counts as deleted";
        let error = Error::new(ErrorKind::PartialFetch, OPERATION, detail);
        self.on_branch_failed(&reading.book.id.to_string(), error).await?;
        Ok(None)
    }

    /// Reads a listing once, and the documents that were not seen before. Gives the ids, and the total that it claims.
    async fn listing(
        &mut self,
        reading: &Reading<'_>,
        done: &mut HashSet<u64>,
    ) -> Result<(HashSet<u64>, Option<u64>), Stop> {
        let mut listed = HashSet::new();
        let mut total = None;
        for page in 0.. {
            let page = self.api.docs(reading.book.id, page * PAGE).await.map_err(Stop::Branch)?;
            self.any_listed = true;
            total = page.total.or(total);
            let (full, before) = (page.rows.len() >= PAGE, listed.len());
            for doc in page.rows {
                listed.insert(doc.id);
                if done.insert(doc.id) {
                    self.doc(reading, doc).await.map_err(Stop::Run)?;
                }
            }
            if !full {
                break;
            }
            if listed.len() == before {
                let detail = "the list of documents comes back to documents already read";
                return Err(Stop::Branch(Error::new(ErrorKind::PaginationLoop, OPERATION, detail)));
            }
        }
        Ok((listed, total))
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
        let known = self.delivery.cursor().version(reading.source, &id).and_then(Version::parse);
        let version = Version::listed(&listed, &place);
        if known.as_ref().is_some_and(|known| version.is_untouched(known)) {
            self.delivery.unchanged(1);
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
            self.delivery.unchanged(1);
            self.delivery.cursor_mut().record(reading.source, &id, version.to_string());
            return self.delivery.checkpoint_if_due().await;
        }
        self.delivery.emit(item, &version.to_string()).await.map(|_| ())
    }

    /// Finds out what became of the known documents that a complete listing of their book lacks: each is asked for by its id.
    /// What moved to another book of this run was handed over there, under the same id.
    async fn find_gone(&mut self, source: &str) -> Result<()> {
        let known = self.delivery.cursor().known(source);
        let absent: Vec<(String, u64, u64)> = known
            .filter_map(|(id, version)| Some((id.to_owned(), id.parse().ok()?, Version::parse(version)?.book()?)))
            .filter(|(_, doc, book)| self.books.get(book).is_some_and(|listed| is_absent(listed.as_ref(), *doc)))
            .collect();
        for (id, doc, book) in absent {
            match self.api.doc(doc).await {
                Ok(Found::Missing) => self.delivery.delete(source, &id),
                Ok(Found::Here(doc)) => match doc.book_id.filter(|now| *now != book) {
                    Some(now) if self.books.contains_key(&now) => self.delivery.cursor_mut().forget(source, &id),
                    Some(_) => self.delivery.delete(source, &id),
                    // It is where it was: the listing left it out.
                    None => {}
                },
                Err(error) => self.on_doc_failed(id, None, error).await?,
            }
        }
        Ok(())
    }

    async fn skip(&mut self, doc: &Doc, reason: SkipReason) -> Result<()> {
        let skipped = SkippedItem { external_id: doc.id.to_string(), title: Some(doc.title.clone()), reason };
        self.delivery.skip(skipped).await
    }

    /// A document could not be had: it is tried again in the next run. An error that holds for all ends the run.
    async fn on_doc_failed(&mut self, id: String, title: Option<String>, error: Error) -> Result<()> {
        if ends_the_run(error.kind) {
            return Err(error);
        }
        self.delivery.fail(FailedItem { external_id: Some(id), title, ..failed_item(&error) }).await
    }

    /// A whole branch could not be listed: nothing below it counts as deleted.
    async fn on_branch_failed(&mut self, resource: &str, error: Error) -> Result<()> {
        if ends_the_run(error.kind) {
            return Err(error);
        }
        let failed = FailedItem { resource_id: Some(resource.to_owned()), ..failed_item(&error) };
        self.failed.get_or_insert(error);
        self.delivery.fail(failed).await
    }
}

/// How far an error reaches.
enum Stop {
    Branch(Error),
    Run(Error),
}

async fn book_and_toc(api: &Api, id: &str) -> Result<(Book, Toc)> {
    let Found::Here(book) = api.book(id).await? else {
        return Err(missing(&format!("book {id}")));
    };
    let toc = match api.toc(book.id).await {
        Ok(entries) => Toc::new(&entries),
        Err(error) if error.kind == ErrorKind::Auth => Toc::default(),
        Err(error) => return Err(error),
    };
    Ok((book, toc))
}

/// A document with its content.
async fn read(api: &Api, listed: &Doc, kind: Kind) -> Result<Found<(Doc, Content)>> {
    if kind == Kind::Table {
        return read_table(api, listed.id).await;
    }
    let Found::Here(detail) = api.doc(listed.id).await? else {
        return Ok(Found::Missing);
    };
    let content = content(&detail, kind)?;
    Ok(Found::Here((detail, content)))
}

/// A data table with all its pages.
async fn read_table(api: &Api, id: u64) -> Result<Found<(Doc, Content)>> {
    let mut records = Vec::new();
    let mut number = 1;
    loop {
        let Found::Here(detail) = api.table_page(id, number).await? else {
            return Ok(Found::Missing);
        };
        let page = detail.body_table.as_deref().map(sheet::table_page).transpose()?;
        let (rows, total) = page.map(|page| (page.records, page.total_count)).unwrap_or_default();
        let count = rows.len() as u64;
        records.extend(rows);
        let over = total.map_or(count < TABLE_PAGE, |total| records.len() as u64 >= total);
        if count == 0 || over || number >= MAX_TABLE_PAGES {
            return Ok(Found::Here((detail, (sheet::table(&records), "text/markdown", "md"))));
        }
        number += 1;
    }
}

fn is_absent(listed: Option<&HashSet<u64>>, doc: u64) -> bool {
    listed.is_some_and(|listed| !listed.contains(&doc))
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
