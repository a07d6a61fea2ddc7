//! How a page or a row is read: only if it may have changed, handed over only if it has.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use headwater_domain::sync::{FetchedItem, Receipt, SkipReason, SkippedItem, file_name};
use headwater_ports::Result;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::roots::listed_work;
use super::{Kind, Run, Work};
use crate::notion::answer::{Particular, is, is_absent};
use crate::notion::blocks::{Attachment, Body, Walk};
use crate::notion::escape::{Place, escaped};
use crate::notion::id::stable_link;
use crate::notion::index::{moment, title_of};
use crate::notion::parent::{Id, Parent};
use crate::notion::properties::{Values, held_files, icon, looked_up, sorted};
use crate::notion::version::{Version, hash, is_settled};
use crate::notion::wire::Object;

/// A page or a row, as a listing shows it.
pub(super) struct Listed {
    pub(super) id: Id,
    pub(super) title: String,
    pub(super) edited: Option<Timestamp>,
    created: Option<Timestamp>,
    icon: Option<String>,
    /// The data source of a row.
    source: Option<Id>,
    /// The properties of a row as lines, with marks in them.
    properties: String,
    files: Vec<Attachment>,
}

impl Run<'_> {
    /// Reads a page that stands in another, or is a root.
    pub(super) async fn read_page(&mut self, work: Work) -> Result<()> {
        if self.tree.contains(&work.id) {
            return Ok(());
        }
        let Some(listed) = self.listed(&work).await? else { return Ok(()) };
        self.read_listed(listed, work.above, work.root).await
    }

    /// What is known of a page without its content; none if it is not there, or not where it was thought to be.
    async fn listed(&mut self, work: &Work) -> Result<Option<Listed>> {
        if let Some(object) = &work.object {
            return Ok(Some(self.shown(object)));
        }
        if let Some(entry) = self.titles.index.entry(&work.id)
            && entry.database.is_none()
            && entry.edited.is_some()
            && !matches!(entry.parent, Parent::DataSource(_))
        {
            let (id, title, edited) = (Arc::clone(&work.id), entry.title.to_string(), entry.edited);
            let stays = stands_in(&entry.parent, work.above.as_ref());
            let listed = Listed {
                id,
                title,
                edited,
                created: entry.created,
                icon: entry.icon.as_deref().map(str::to_owned),
                source: None,
                properties: String::new(),
                files: vec![],
            };
            return Ok(stays.then_some(listed));
        }
        match self.api.page(&work.id).await {
            Ok(page) if page.in_trash || !stands_in(&Parent::from(&page.parent), work.above.as_ref()) => Ok(None),
            Ok(page) => Ok(Some(self.shown(&page))),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => {
                self.fail_document(&work.id, None, error).await?;
                Ok(None)
            }
        }
    }

    /// What an object says of itself.
    pub(super) fn shown(&self, object: &Object) -> Listed {
        let id = Id::from(crate::notion::id::normal_id(&object.id));
        let source = match Parent::from(&object.parent) {
            Parent::DataSource(source) => Some(source),
            _ => None,
        };
        let properties = source.as_ref().map(|_| self.property_lines(&id, object)).unwrap_or_default();
        Listed {
            title: title_of(object),
            edited: moment(object.last_edited_time.as_deref()),
            created: moment(object.created_time.as_deref()),
            icon: icon(&object.icon),
            files: held_files(&id, &object.properties),
            source,
            properties,
            id,
        }
    }

    fn property_lines(&self, id: &str, object: &Object) -> String {
        let values = Values { page: id, place: Place::Line, titles: &self.titles };
        let mut lines = String::new();
        for (name, property) in sorted(&object.properties) {
            let value = values.of(property).replace('\n', "\n  ");
            let is_title = property.get("type").is_some_and(|kind| kind == "title");
            if !is_title && !value.is_empty() {
                lines.push_str(&format!("- **{}**: {value}\n", escaped(name, Place::Line)));
            }
        }
        lines
    }

    /// Reads a page that a listing shows, if it may have changed, and goes on to what is in it.
    pub(super) async fn read_listed(&mut self, listed: Listed, above: Option<Id>, root: usize) -> Result<()> {
        if !self.tree.enter(&listed.id, &listed.title, above.as_ref(), root) {
            return Ok(());
        }
        self.titles.learn(&listed.id, &listed.title);
        let path = self.tree.path(&listed.id);
        let outline = hash(path.iter().map(String::as_str).chain([listed.title.as_str(), &listed.properties]));
        let name = self.roots[root].name.clone();
        let known = self.delivery.cursor().version(&name, &listed.id).and_then(Version::parse);
        if known.as_ref().is_some_and(|known| known.is_current(listed.edited, &outline)) {
            self.delivery.unchanged(1);
            self.go_below(&listed.id, root);
            return Ok(());
        }
        let read_at = self.api.account().now();
        let (body, text) = match self.content(&listed).await {
            Ok(content) => content,
            Err(error) => {
                self.fail_document(&listed.id, Some(&listed.title), error).await?;
                self.go_below(&listed.id, root);
                return Ok(());
            }
        };
        self.streak = 0;
        let version = Version {
            edited: listed.edited,
            content: hash(path.iter().map(String::as_str).chain([text.as_str()])),
            outline,
            parent: above.as_deref().unwrap_or_default().to_owned(),
            is_open: !is_settled(listed.edited, read_at),
        };
        self.hand_over(Read { listed, path, body, text, version, known, root }).await
    }

    /// The whole text of a page, and what was found on the way.
    async fn content(&mut self, listed: &Listed) -> Result<(Body, String)> {
        let properties = looked_up(&listed.properties, Place::Line, self.api, &mut self.titles).await?;
        let body = match Walk::new(self.api, &mut self.titles, &listed.id).run().await {
            // What the next part of a listing was to begin with went away meanwhile: the document is read from its start.
            Err(error) if is(&error, Particular::CursorExpired) => {
                Walk::new(self.api, &mut self.titles, &listed.id).run().await?
            }
            body => body?,
        };
        let title = if listed.title.is_empty() { "Untitled" } else { &listed.title };
        let parts = [format!("# {}\n", escaped(title, Place::Line)), properties, body.markdown.clone()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Ok((Body { markdown: String::new(), ..body }, parts.join("\n")))
    }

    /// Hands a page over if it says something new, then its files, and remembers both as far as they were kept.
    async fn hand_over(&mut self, mut read: Read) -> Result<()> {
        let (id, name) = (Arc::clone(&read.listed.id), self.roots[read.root].name.clone());
        let files = distinct(read.listed.files.drain(..).chain(read.body.files.drain(..)));
        let below = below_note(&read.body);
        let says_new = read.known.as_ref().is_none_or(|known| known.content != read.version.content);
        let mut receipt = Receipt::Kept;
        if says_new {
            let item = self.item(&mut read, &files, &name);
            receipt = self.delivery.emit_unversioned(item).await?;
        } else {
            self.delivery.unchanged(1);
        }
        drop(std::mem::take(&mut read.text));
        if receipt == Receipt::Kept {
            self.own(read.root, &id);
            read.version.is_open |= !self.hand_over_files(&id, files, read.root).await?;
            let cursor = self.delivery.cursor_mut();
            cursor.record(&name, &id, read.version.to_string());
            cursor.record_state(&below_name(&id), below.clone());
        }
        self.delivery.checkpoint_if_due().await?;
        self.go_below_noted(&id, below.as_ref(), read.root);
        Ok(())
    }

    fn item(&self, read: &mut Read, files: &[Attachment], resource: &str) -> FetchedItem {
        let listed = &read.listed;
        let kind = if listed.source.is_some() { "row" } else { "page" };
        let mut metadata = BTreeMap::from([("object_type".to_owned(), kind.to_owned())]);
        let mut add = |name: &str, value: Option<String>| {
            metadata.extend(value.map(|value| (name.to_owned(), value)));
        };
        add("data_source_id", listed.source.as_deref().map(str::to_owned));
        add("created_at", listed.created.map(|at| at.to_string()));
        add("icon", listed.icon.clone());
        let unread: Vec<_> = read.body.unread.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
        add("unread_blocks", Some(unread.join(", ")).filter(|unread| !unread.is_empty()));
        FetchedItem {
            external_id: listed.id.to_string(),
            title: listed.title.clone(),
            content: std::mem::take(&mut read.text).into(),
            content_type: "text/markdown".to_owned(),
            file_name: file_name(&listed.title, "md"),
            url: Some(stable_link(&listed.id)),
            path: read.path.clone(),
            updated_at: listed.edited,
            metadata,
            source_resource_id: resource.to_owned(),
            parent_id: None,
            children: Some(files.iter().map(|file| file.external_id.clone()).collect()),
        }
    }

    /// Goes on to what stood in a page when it was last read, and to what the index says that stands in it.
    pub(super) fn go_below(&mut self, id: &Id, root: usize) {
        let below = self.delivery.cursor().state(&below_name(id)).cloned();
        self.go_below_noted(id, below.as_ref(), root);
    }

    fn go_below_noted(&mut self, id: &Id, below: Option<&Value>, root: usize) {
        let ids = |kind: &str| below.and_then(|below| below.get(kind)).and_then(Value::as_array);
        let noted = |kind: &str| ids(kind).into_iter().flatten().filter_map(Value::as_str).map(Id::from);
        let mut found: Vec<_> = noted("pages").map(|page| (Kind::Page, page)).collect();
        found.extend(noted("databases").map(|database| (Kind::Database, database)));
        let noted: HashSet<_> = found.iter().map(|(_, id)| Arc::clone(id)).collect();
        for (kind, below) in found {
            self.queue.push_back(Work { kind, id: below, above: Some(Arc::clone(id)), root, object: None });
        }
        for below in self.titles.index.inside(id) {
            if !noted.contains(below)
                && let Some(entry) = self.titles.index.entry(below)
            {
                self.queue.push_back(listed_work(entry, Arc::clone(below), Some(id), root));
            }
        }
    }

    /// Says that a document was left out, and why.
    pub(super) async fn skip(&mut self, id: &str, title: &str, reason: SkipReason) -> Result<()> {
        let title = Some(title.to_owned()).filter(|title| !title.is_empty());
        self.delivery.skip(SkippedItem { external_id: id.to_owned(), title, reason }).await
    }
}

/// A page that was read.
struct Read {
    listed: Listed,
    path: Vec<String>,
    body: Body,
    text: String,
    version: Version,
    known: Option<Version>,
    root: usize,
}

/// The name of the cursor's note of what stands in a page: a page that did not change is not read for it again.
pub(super) fn below_name(id: &str) -> String {
    format!("below:{id}")
}

fn below_note(body: &Body) -> Option<Value> {
    let ids = |is_database: bool| -> Vec<_> {
        body.children.iter().filter(|child| child.is_database == is_database).map(|child| child.id.as_str()).collect()
    };
    let (pages, databases) = (ids(false), ids(true));
    match (pages.is_empty(), databases.is_empty()) {
        (true, true) => None,
        (false, true) => Some(json!({ "pages": pages })),
        (true, false) => Some(json!({ "databases": databases })),
        (false, false) => Some(json!({ "pages": pages, "databases": databases })),
    }
}

/// Whether something whose parent is this can stand in that page. Within a page, only the page knows.
fn stands_in(parent: &Parent, above: Option<&Id>) -> bool {
    match (parent, above) {
        (Parent::Page(page), Some(above)) => page == above,
        (Parent::Workspace, Some(_)) => false,
        _ => true,
    }
}

/// A synced block shows one file twice.
fn distinct(files: impl Iterator<Item = Attachment>) -> Vec<Attachment> {
    let mut seen = HashSet::new();
    files.filter(|file| seen.insert(file.external_id.clone())).collect()
}
