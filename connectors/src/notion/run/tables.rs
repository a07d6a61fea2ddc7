//! How a database is read: its rows as documents of their own, and a table of them for each data source.

use std::collections::BTreeMap;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::sync::{FetchedItem, Receipt, SkipReason, file_name};
use headwater_ports::{Error, Result};
use jiff::Timestamp;

use super::{Kind, Run, Work};
use crate::notion::answer::{Particular, is, is_absent};
use crate::notion::api::Ask;
use crate::notion::blocks::row_line;
use crate::notion::escape::{Place, escaped};
use crate::notion::id::{normal_id, stable_link};
use crate::notion::index::{moment, title_of};
use crate::notion::paging::Pages;
use crate::notion::parent::Id;
use crate::notion::properties::{Values, looked_up, sorted};
use crate::notion::rich_text::markdown;
use crate::notion::version::{Version, hash, is_settled};
use crate::notion::wire::{Listing, Object};

/// The table of a data source while its rows are listed.
pub(super) struct Table {
    id: Id,
    title: String,
    edited: Option<Timestamp>,
    /// Names of the properties, but for the title and what has no value.
    columns: Vec<String>,
    /// The text so far, with marks in it.
    text: String,
    rows: usize,
    root: usize,
    parent: String,
}

/// How far the listing of rows came.
struct Rows {
    pages: Pages,
    /// When the last row that was seen was made.
    last: Option<String>,
    /// From when on the present window lists.
    since: Option<String>,
    windows: u32,
}

impl Run<'_> {
    /// Goes on to the data sources of a database.
    pub(super) async fn read_database(&mut self, work: Work) -> Result<()> {
        let database = match work.object {
            Some(object) => *object,
            None => match self.api.database(&work.id).await {
                Ok(database) => database,
                Err(error) if is_absent(&error) => return Ok(()),
                Err(error) => return self.fail_document(&work.id, None, error).await,
            },
        };
        if database.in_trash {
            return Ok(());
        }
        if database.data_sources.is_empty() {
            // A view of a database elsewhere, or one whose rows are not shared.
            return self.skip(&work.id, &title_of(&database), SkipReason::Empty).await;
        }
        for source in &database.data_sources {
            let kind = Kind::DataSource { database: Some(Arc::clone(&work.id)) };
            let id = Id::from(normal_id(&source.id));
            self.queue.push_back(Work { kind, id, above: work.above.clone(), root: work.root, object: None });
        }
        Ok(())
    }

    /// Lists the rows of a data source, reads each that changed, and builds the table.
    pub(super) async fn read_data_source(&mut self, work: Work, database: Option<Id>) -> Result<()> {
        if self.tree.contains(&work.id) {
            return Ok(());
        }
        let source = match work.object {
            Some(object) => *object,
            None => match self.api.data_source(&work.id).await {
                Ok(source) => source,
                Err(error) if is_absent(&error) => return Ok(()),
                Err(error) => return self.fail_document(&work.id, None, error).await,
            },
        };
        if source.in_trash {
            return Ok(());
        }
        let title = title_of(&source);
        self.tree.enter(&work.id, &title, work.above.as_ref(), work.root);
        self.titles.learn(&work.id, &title);
        let above = [database.as_deref(), work.above.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("/");
        let mut table = Table::new(work.id, title, &source, work.root, above);
        match self.list_rows(&mut table).await? {
            Ok(()) if table.rows == 0 && self.knows_rows_of(&table) => {
                self.unconfirmed.push(table);
                Ok(())
            }
            Ok(()) => self.hand_over_table(table).await,
            Err(error) => self.fail_document(&table.id, Some(&table.title), error).await,
        }
    }

    /// Lists the rows, window by window where there are more than the service lists at once. The inner error is of the
    /// listing; what was listed before it stands.
    async fn list_rows(&mut self, table: &mut Table) -> Result<Result<()>> {
        let mut rows = Rows::new(&table.id);
        loop {
            let listing = match rows.pages.next::<Object>(self.api).await {
                Ok(Some(listing)) => listing,
                Ok(None) => return Ok(Ok(())),
                Err(error) if is(&error, Particular::CursorExpired) && rows.next_window(&table.id) => continue,
                Err(error) => return Ok(Err(error)),
            };
            let is_capped = listing.request_status.as_ref().is_some_and(|status| status.kind == "incomplete");
            let is_last = !listing.has_more;
            self.on_rows(listing, table, &mut rows).await?;
            if is_capped && is_last && !rows.next_window(&table.id) {
                return Ok(Err(capped(table.rows)));
            }
        }
    }

    async fn on_rows(&mut self, listing: Listing<Object>, table: &mut Table, rows: &mut Rows) -> Result<()> {
        for row in listing.results {
            if row.created_time.is_some() {
                rows.last.clone_from(&row.created_time);
            }
            let id = Id::from(normal_id(&row.id));
            if row.in_trash || self.tree.contains(&id) {
                continue;
            }
            if row.object == "data_source" {
                let kind = Kind::DataSource { database: None };
                self.queue.push_back(Work {
                    kind,
                    id,
                    above: Some(Arc::clone(&table.id)),
                    root: table.root,
                    object: None,
                });
                continue;
            }
            let cells = table.cells(&row, Values { page: &id, place: Place::Cell, titles: &self.titles });
            table.push(&cells);
            let listed = self.shown(&row);
            drop(row);
            self.read_listed(listed, Some(Arc::clone(&table.id)), table.root).await?;
        }
        Ok(())
    }

    /// Hands over the tables that were found empty, as far as all their rows are found to be gone.
    pub(super) async fn confirm_tables(&mut self) -> Result<()> {
        for table in std::mem::take(&mut self.unconfirmed) {
            if !self.knows_rows_of(&table) {
                self.hand_over_table(table).await?;
            }
        }
        Ok(())
    }

    /// Whether the knowledge base has rows of a table that are not known to be gone.
    fn knows_rows_of(&self, table: &Table) -> bool {
        let is_of = |version: &str| Version::parse(version).is_some_and(|version| version.parent == *table.id);
        let known = self.delivery.cursor().known(&self.roots[table.root].name);
        known.filter(|(id, _)| !self.gone.contains(*id)).any(|(_, version)| is_of(version))
    }

    /// Hands the table over if a row came, went or changed.
    async fn hand_over_table(&mut self, table: Table) -> Result<()> {
        let name = self.roots[table.root].name.clone();
        let path = self.tree.path(&table.id);
        let outline = hash(path.iter().map(String::as_str).chain([table.text.as_str()]));
        let known = self.delivery.cursor().version(&name, &table.id).and_then(Version::parse);
        if known.as_ref().is_some_and(|known| !known.is_open && known.outline == outline) {
            self.delivery.unchanged(1);
            return Ok(());
        }
        let text = match looked_up(&table.text, Place::Cell, self.api, &mut self.titles).await {
            Ok(text) => text,
            Err(error) => return self.fail_document(&table.id, Some(&table.title), error).await,
        };
        let content = hash(path.iter().map(String::as_str).chain([text.as_str()]));
        let is_open = !is_settled(table.edited, self.api.account().now());
        let version = Version { edited: table.edited, outline, content, parent: table.parent.clone(), is_open };
        if known.is_some_and(|known| known.content == version.content) {
            self.delivery.unchanged(1);
        } else if self.delivery.emit_unversioned(table.item(text, path, &name)).await? == Receipt::NotKept {
            return self.delivery.checkpoint_if_due().await;
        }
        self.own(table.root, &table.id);
        self.delivery.cursor_mut().record(&name, &table.id, version.to_string());
        self.delivery.checkpoint_if_due().await
    }
}

impl Table {
    fn new(id: Id, title: String, source: &Object, root: usize, parent: String) -> Self {
        let has_column = |kind: &str| !matches!(kind, "title" | "button");
        let columns = sorted(&source.properties)
            .into_iter()
            .filter(|(_, property)| property.get("type").and_then(|kind| kind.as_str()).is_some_and(has_column))
            .map(|(name, _)| name.clone());
        let columns: Vec<_> = columns.collect();
        let heading = if title.is_empty() { "Untitled" } else { &title };
        let mut text = format!("# {}\n\n", escaped(heading, Place::Line));
        let description = markdown(&source.description, Place::Line);
        if !description.trim().is_empty() {
            text.push_str(&format!("{description}\n\n"));
        }
        let edited = moment(source.last_edited_time.as_deref());
        let mut table = Self { id, title, edited, columns, text, rows: 0, root, parent };
        table.push_head(source);
        table
    }

    fn push_head(&mut self, source: &Object) {
        let is_title =
            |(_, property): &(&String, &serde_json::Value)| property.get("type").is_some_and(|kind| kind == "title");
        let title = source.properties.iter().find(is_title).map_or("Title", |(name, _)| name.as_str());
        let names = std::iter::once(title).chain(self.columns.iter().map(String::as_str));
        let names: Vec<_> = names.map(|name| escaped(name, Place::Cell)).collect();
        let rule = vec!["---".to_owned(); names.len()];
        self.text.push_str(&format!("{}\n{}\n", row_line(&names), row_line(&rule)));
    }

    fn cells(&self, row: &Object, values: Values<'_>) -> Vec<String> {
        let title = title_of(row);
        let title = if title.is_empty() { "Untitled".to_owned() } else { escaped(&title, Place::Cell) };
        let mut cells = vec![format!("[{title}]({})", stable_link(values.page))];
        let value = |name: &String| row.properties.get(name).map(|property| values.of(property)).unwrap_or_default();
        cells.extend(self.columns.iter().map(value));
        cells
    }

    fn push(&mut self, cells: &[String]) {
        self.rows += 1;
        self.text.push_str(&row_line(cells));
        self.text.push('\n');
    }

    fn item(&self, text: String, path: Vec<String>, resource: &str) -> FetchedItem {
        let metadata = [("object_type", "database".to_owned()), ("rows", self.rows.to_string())];
        FetchedItem {
            external_id: self.id.to_string(),
            title: self.title.clone(),
            content: text.into(),
            content_type: "text/markdown".to_owned(),
            file_name: file_name(&self.title, "md"),
            url: Some(stable_link(self.parent.split('/').next().filter(|id| !id.is_empty()).unwrap_or(&self.id))),
            path,
            updated_at: self.edited,
            metadata: BTreeMap::from(metadata.map(|(name, value)| (name.to_owned(), value))),
            source_resource_id: resource.to_owned(),
            parent_id: None,
            children: None,
        }
    }
}

impl Rows {
    fn new(source: &str) -> Self {
        let pages = Pages::new(Ask::Rows { source: source.to_owned(), since: None });
        Self { pages, last: None, since: None, windows: 0 }
    }

    /// Lists on from the last row that was seen; whether that leads any further.
    fn next_window(&mut self, source: &str) -> bool {
        self.windows += 1;
        if self.last.is_none() || self.last == self.since || self.windows > MAX_WINDOWS {
            return false;
        }
        self.since.clone_from(&self.last);
        self.pages = Pages::new(Ask::Rows { source: source.to_owned(), since: self.since.clone() });
        true
    }
}

fn capped(rows: usize) -> Error {
    let detail = format!(
        "Notion lists no more than 10,000 rows made in one minute: {rows} rows were read, and none counts as deleted"
    );
    Error::new(ErrorKind::PartialFetch, "list the rows", detail)
}

const MAX_WINDOWS: u32 = 10_000;
