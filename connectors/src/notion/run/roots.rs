//! Where a reading begins: the selected pages, databases and data sources, or the top of the workspace.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};

use super::{Kind, Run, Work};
use crate::notion::answer::{Particular, is, is_absent, is_fatal};
use crate::notion::api::Api;
use crate::notion::index::Entry;
use crate::notion::parent::{Id, Parent};
use crate::notion::wire::Object;

/// What an id names.
pub(in crate::notion) enum Named {
    /// A page, or a row.
    Page(Object),
    /// A database.
    Database(Object),
    /// A data source.
    DataSource(Object),
}

/// What an id names: the service has no one question for that.
///
/// # Errors
/// That of the last question.
pub(in crate::notion) async fn named(api: &Api, id: &str) -> Result<Named> {
    match api.page(id).await {
        Err(error) if is_other(&error) => {}
        answer => return answer.map(Named::Page),
    }
    match api.database(id).await {
        Err(error) if is_other(&error) => {}
        answer => return answer.map(Named::Database),
    }
    api.data_source(id).await.map(Named::DataSource)
}

impl Run<'_> {
    /// Opens every selected resource. One that is not there is named, and spares the others.
    pub(super) async fn open_roots(&mut self) -> Result<()> {
        for root in 0..self.roots.len() {
            match self.roots[root].id.clone() {
                None => self.open_workspace(root),
                Some(id) => self.open_root(root, id).await?,
            }
        }
        Ok(())
    }

    /// Whether the service still shows a root: it may have been taken from us while it was read.
    pub(super) async fn is_root_there(&mut self, root: usize) -> Result<bool> {
        let Some(id) = &self.roots[root].id else { return Ok(!self.titles.index.is_empty()) };
        match named(self.api, id).await {
            Ok(named) => Ok(!named.object().in_trash),
            Err(error) if is_fatal(&error) => Err(error),
            Err(_) => Ok(false),
        }
    }

    async fn open_root(&mut self, root: usize, id: Id) -> Result<()> {
        let name = self.roots[root].name.clone();
        let named = match named(self.api, &id).await {
            Ok(named) => named,
            Err(error) if is_fatal(&error) => return Err(error),
            Err(error) => return self.fail(None, Some(name), None, &error).await,
        };
        if named.object().in_trash {
            let detail = format!("the selected resource {id} is in Notion's trash");
            let error = Error::new(ErrorKind::Gone, "open the resource", detail)
                .with_hint("restore it in Notion, or select something else");
            return self.fail(None, Some(name), None, &error).await;
        }
        self.roots[root].is_there = true;
        let (kind, object) = match named {
            Named::Page(object) => (Kind::Page, object),
            Named::Database(object) => (Kind::Database, object),
            Named::DataSource(object) => (Kind::DataSource { database: None }, object),
        };
        self.queue.push_back(Work { kind, id, above: None, root, object: Some(Box::new(object)) });
        self.drain().await
    }

    /// Begins with what stands in nothing that we see; all else is found from there.
    fn open_workspace(&mut self, root: usize) {
        for id in self.titles.index.ids() {
            let Some(entry) = self.titles.index.entry(&id) else { continue };
            let is_top = match &entry.parent {
                Parent::Workspace | Parent::Unknown => true,
                Parent::Page(above) | Parent::DataSource(above) | Parent::Database(above) => {
                    self.titles.index.entry(above).is_none()
                }
                Parent::Block(_) => false,
            };
            if is_top {
                let work = listed_work(entry, id, None, root);
                self.queue.push_back(work);
            }
        }
    }
}

impl Named {
    pub(in crate::notion) fn object(&self) -> &Object {
        match self {
            Self::Page(object) | Self::Database(object) | Self::DataSource(object) => object,
        }
    }
}

/// What the index lists, as something to be read.
pub(super) fn listed_work(entry: &Entry, id: Id, above: Option<&Id>, root: usize) -> Work {
    let kind = match &entry.database {
        Some(database) => Kind::DataSource { database: Some(Arc::clone(database)) },
        None => Kind::Page,
    };
    Work { kind, id, above: above.cloned(), root, object: None }
}

fn is_other(error: &Error) -> bool {
    is_absent(error) || is(error, Particular::OtherKind)
}
