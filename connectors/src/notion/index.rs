//! What the service's search says that there is: a hint where to look, and never a proof that something is gone.

use std::collections::HashMap;
use std::sync::Arc;

use headwater_ports::{Error, Result};
use jiff::Timestamp;

use super::answer::is_fatal;
use super::api::{Api, Ask};
use super::id::normal_id;
use super::paging::Pages;
use super::parent::{Id, Parent};
use super::properties::icon;
use super::rich_text::plain;
use super::wire::{Object, runs};

/// Pages and data sources by their ids, as the search lists them.
#[derive(Debug, Default)]
pub(super) struct Index {
    entries: HashMap<Id, Entry>,
    inside: HashMap<Id, Vec<Id>>,
    /// Why the listing ended before its end, if it failed.
    pub(super) failure: Option<Error>,
}

/// What the search says of one.
#[derive(Debug)]
pub(super) struct Entry {
    /// What it is in; a data source is in what its database is in.
    pub(super) parent: Parent,
    /// When it was last edited, to the minute.
    pub(super) edited: Option<Timestamp>,
    /// When it was made, to the minute.
    pub(super) created: Option<Timestamp>,
    /// Its title.
    pub(super) title: Box<str>,
    /// Its icon, if that has a text.
    pub(super) icon: Option<Box<str>>,
    /// The database of a data source; none: it is a page.
    pub(super) database: Option<Id>,
}

/// Titles by ids: those of the index, and those that were asked for besides.
#[derive(Debug, Default)]
pub(super) struct Titles {
    pub(super) index: Index,
    asked: HashMap<Id, Option<Box<str>>>,
}

impl Index {
    /// Reads the listing, as far as so many of its pages. What was read before a failure is kept.
    pub(super) async fn read(api: &Api, max_pages: usize) -> Self {
        let (mut index, mut pages) = (Self::default(), Pages::new(Ask::Search));
        for _ in 0..max_pages {
            match pages.next::<Object>(api).await {
                Ok(Some(listing)) => listing.results.iter().for_each(|object| index.add(object)),
                Ok(None) => break,
                Err(error) => {
                    index.failure = Some(error);
                    break;
                }
            }
        }
        index.order();
        index
    }

    pub(super) fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.get(id)
    }

    /// What is directly in a page, by id.
    pub(super) fn inside(&self, page: &str) -> &[Id] {
        self.inside.get(page).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All ids, in order.
    pub(super) fn ids(&self) -> Vec<Id> {
        let mut ids: Vec<_> = self.entries.keys().cloned().collect();
        ids.sort();
        ids
    }

    fn add(&mut self, object: &Object) {
        if object.in_trash || object.id.is_empty() {
            return;
        }
        let is_source = object.object == "data_source";
        let own = Parent::from(&object.parent);
        let (parent, database) = match own {
            Parent::Database(database) if is_source => (Parent::from(&object.database_parent), Some(database)),
            own if is_source => (Parent::from(&object.database_parent), Some(Id::from(own_id(&own)))),
            own => (own, None),
        };
        let edited = moment(object.last_edited_time.as_deref());
        let created = moment(object.created_time.as_deref());
        let title = title_of(object).into_boxed_str();
        let icon = icon(&object.icon).map(String::into_boxed_str);
        self.entries.insert(Arc::from(normal_id(&object.id)), Entry { parent, edited, created, title, icon, database });
    }

    fn order(&mut self) {
        for id in self.ids() {
            if let Some(Entry { parent: Parent::Page(page), .. }) = self.entries.get(&id) {
                self.inside.entry(Arc::clone(page)).or_default().push(id);
            }
        }
    }
}

impl Titles {
    /// The title, if it is known without a request.
    pub(super) fn known(&self, id: &str) -> Option<&str> {
        let asked = || self.asked.get(id).and_then(Option::as_deref);
        self.index.entry(id).map(|entry| &*entry.title).or_else(asked)
    }

    /// The title; none where the service does not show it.
    ///
    /// # Errors
    /// The token is refused, or the service cannot be asked.
    pub(super) async fn title(&mut self, api: &Api, id: &str) -> Result<Option<String>> {
        if let Some(title) = self.known(id) {
            return Ok(Some(title.to_owned()));
        }
        if self.asked.contains_key(id) {
            return Ok(None);
        }
        let title = match api.page(id).await {
            Ok(page) => Some(title_of(&page)),
            Err(error) if is_fatal(&error) || is_passing(&error) => return Err(error),
            Err(_) => None,
        };
        if self.asked.len() >= MAX_ASKED {
            self.asked.clear();
        }
        self.asked.insert(Arc::from(id), title.clone().map(String::into_boxed_str));
        Ok(title)
    }

    /// Remembers a title that came along.
    pub(super) fn learn(&mut self, id: &Id, title: &str) {
        if self.index.entry(id).is_none() && self.asked.len() < MAX_ASKED {
            self.asked.insert(Arc::clone(id), Some(title.into()));
        }
    }
}

/// The title of a page, a database or a data source.
pub(super) fn title_of(object: &Object) -> String {
    let of_page = || object.properties.values().find_map(|property| Some(runs(property.get("title")?)));
    let title = if object.title.is_empty() { plain(&of_page().unwrap_or_default()) } else { plain(&object.title) };
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A moment as the service writes it.
pub(super) fn moment(text: Option<&str>) -> Option<Timestamp> {
    text?.parse().ok()
}

/// Whether the same question may have another answer later, so that a text should not be written without it.
fn is_passing(error: &Error) -> bool {
    super::answer::refused(error).is_none_or(|refused| refused.status >= 409)
}

fn own_id(parent: &Parent) -> &str {
    match parent {
        Parent::Page(id) | Parent::DataSource(id) | Parent::Database(id) | Parent::Block(id) => id,
        Parent::Workspace | Parent::Unknown => "",
    }
}

/// Titles that are remembered beside the index.
const MAX_ASKED: usize = 20_000;
