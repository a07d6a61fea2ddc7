//! What is gone, among what was known and was not met: each is asked for by its id, since absence proves nothing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use headwater_domain::sync::SkipReason;
use headwater_ports::{Error, Result};

use super::pages::below_name;
use super::{Kind, Run, Work};
use crate::notion::answer::{Particular, is, is_absent, is_fatal};
use crate::notion::index::title_of;
use crate::notion::parent::{Id, Parent};
use crate::notion::version::Version;
use crate::notion::wire::Object;

/// What became of a document that was known and not met.
enum Fate {
    /// It is in the trash, or in something that is.
    Trashed,
    /// There is nothing of that id, or it is not shared any more.
    Absent,
    /// It is where it was; the listings lag behind.
    There(Box<Object>, Option<Id>),
    /// It exists, outside of what is selected.
    Elsewhere(String),
    /// That could not be found out.
    Unclear(Error),
}

/// What was found out about ids on the way up.
#[derive(Default)]
struct Known {
    /// In the trash.
    trashed: HashSet<Id>,
    /// Parents of pages and data sources that live.
    parents: HashMap<Id, Parent>,
}

impl Run<'_> {
    /// Finds out about every document that was known and not met. Deletes what is in the trash, and what is absent while
    /// the root is still there; all else stays.
    pub(super) async fn find_deleted(&mut self) -> Result<()> {
        let mut known = Known::default();
        for root in 0..self.roots.len() {
            if !self.roots[root].is_there {
                continue;
            }
            let (mut absent, mut there) = (Vec::new(), Vec::new());
            for id in self.missing(root) {
                match self.fate(&id, root, &mut known).await? {
                    Fate::Trashed => self.delete(root, &id),
                    Fate::Absent => absent.push(id),
                    Fate::There(object, above) => there.push((object, Id::from(id), above)),
                    Fate::Elsewhere(title) => self.skip(&id, &title, SkipReason::Excluded).await?,
                    Fate::Unclear(error) => self.fail_document(&id, None, error).await?,
                }
            }
            self.read_there(there, root).await?;
            if !absent.is_empty() && self.is_root_there(root).await? {
                absent.iter().for_each(|id| self.delete(root, id));
            }
        }
        Ok(())
    }

    /// The known documents of a root that were not met, and whose branch did not fail.
    fn missing(&self, root: usize) -> Vec<String> {
        let cursor = self.delivery.cursor();
        let name = &self.roots[root].name;
        let version = |id: &str| cursor.version(name, id).and_then(Version::parse);
        let is_missing = |id: &str| !id.contains('#') && !self.tree.contains(id);
        let known = cursor
            .known(name)
            .filter(|(id, _)| is_missing(id))
            .filter_map(|(id, text)| Some((id, Version::parse(text)?)));
        known.filter(|(id, known)| !self.is_hidden(id, known, version)).map(|(id, _)| id.to_owned()).collect()
    }

    /// Whether something above a document, or it itself, could not be listed.
    fn is_hidden(&self, id: &str, known: &Version, version: impl Fn(&str) -> Option<Version>) -> bool {
        if self.failed.contains(id) {
            return true;
        }
        let mut above = known.parent.clone();
        for _ in 0..MAX_LEVELS {
            if above.split('/').any(|part| self.failed.contains(part)) {
                return true;
            }
            match above.rsplit('/').next().and_then(&version) {
                Some(next) => above = next.parent,
                None => return false,
            }
        }
        true
    }

    async fn fate(&mut self, id: &str, root: usize, known: &mut Known) -> Result<Fate> {
        let answer = match self.api.page(id).await {
            Err(error) if is_other_kind(&error) => self.api.data_source(id).await,
            answer => answer,
        };
        let object = match answer {
            Ok(object) => object,
            Err(error) if is_fatal(&error) => return Err(error),
            Err(error) if is_absent(&error) => return Ok(Fate::Absent),
            Err(error) => return Ok(Fate::Unclear(error)),
        };
        let own = Id::from(id);
        if object.in_trash {
            known.trashed.insert(own);
            return Ok(Fate::Trashed);
        }
        let parent = if object.object == "data_source" {
            Parent::from(&object.database_parent)
        } else {
            Parent::from(&object.parent)
        };
        self.climb(object, parent, root, known).await
    }

    /// Goes up from a document that lives, until something is known to be read, in the trash, or the top.
    async fn climb(&mut self, object: Object, first: Parent, root: usize, known: &mut Known) -> Result<Fate> {
        let is_everything = self.roots[root].id.is_none();
        let (mut parent, mut page) = (first, None);
        for _ in 0..MAX_LEVELS {
            let id = match &parent {
                Parent::Block(block) => match self.page_above(block).await? {
                    Some(page) => page,
                    None => return Ok(Fate::Elsewhere(title_of(&object))),
                },
                Parent::Page(id) | Parent::DataSource(id) | Parent::Database(id) => Arc::clone(id),
                Parent::Workspace | Parent::Unknown if is_everything => return Ok(Fate::There(Box::new(object), page)),
                Parent::Workspace | Parent::Unknown => return Ok(Fate::Elsewhere(title_of(&object))),
            };
            let is_row = matches!(parent, Parent::DataSource(_)) && page.is_none();
            page.get_or_insert_with(|| Arc::clone(&id));
            if known.trashed.contains(&id) {
                return Ok(Fate::Trashed);
            }
            if self.tree.contains(&id) {
                // The rows of a table were listed in whole: one that lives and is not among them was set aside.
                return Ok(if is_row {
                    Fate::Elsewhere(title_of(&object))
                } else {
                    Fate::There(Box::new(object), page)
                });
            }
            parent = match self.above(&id, &parent, known).await? {
                Above::Parent(parent) => parent,
                Above::Trashed => return Ok(Fate::Trashed),
                Above::Absent if is_everything => return Ok(Fate::There(Box::new(object), None)),
                Above::Absent => return Ok(Fate::Elsewhere(title_of(&object))),
                Above::Unclear(error) => return Ok(Fate::Unclear(error)),
            };
        }
        Ok(Fate::Elsewhere(title_of(&object)))
    }

    async fn above(&mut self, id: &Id, kind: &Parent, known: &mut Known) -> Result<Above> {
        if let Some(parent) = known.parents.get(id) {
            return Ok(Above::Parent(parent.clone()));
        }
        let answer = match kind {
            Parent::DataSource(_) => self.api.data_source(id).await,
            Parent::Database(_) => self.api.database(id).await,
            _ => self.api.page(id).await,
        };
        match answer {
            Ok(object) if object.in_trash => {
                known.trashed.insert(Arc::clone(id));
                Ok(Above::Trashed)
            }
            Ok(object) => {
                let is_source = object.object == "data_source";
                let parent = Parent::from(if is_source { &object.database_parent } else { &object.parent });
                known.parents.insert(Arc::clone(id), parent.clone());
                Ok(Above::Parent(parent))
            }
            Err(error) if is_fatal(&error) => Err(error),
            Err(error) if is_absent(&error) => Ok(Above::Absent),
            Err(error) => Ok(Above::Unclear(error)),
        }
    }

    /// Reads documents that no listing showed and that are there all the same, each after what it is in.
    async fn read_there(&mut self, mut there: Vec<(Box<Object>, Id, Option<Id>)>, root: usize) -> Result<()> {
        while !there.is_empty() {
            let can_stand = |above: &Option<Id>| above.as_ref().is_none_or(|above| self.tree.contains(above));
            let next = there.iter().position(|(_, _, above)| can_stand(above));
            let (object, id, above) = there.swap_remove(next.unwrap_or(0));
            let above = above.filter(|_| next.is_some());
            let kind = match Parent::from(&object.parent) {
                Parent::Database(database) => Kind::DataSource { database: Some(database) },
                _ if object.object == "data_source" => Kind::DataSource { database: None },
                _ => Kind::Page,
            };
            self.queue.push_back(Work { kind, id, above, root, object: Some(object) });
            self.drain().await?;
        }
        Ok(())
    }

    /// Hands a document over as deleted, and its files with it.
    fn delete(&mut self, root: usize, id: &str) {
        let name = self.roots[root].name.clone();
        self.gone.insert(id.to_owned());
        self.delivery.delete(&name, id);
        for file in self.files.remove(id).unwrap_or_default() {
            self.delivery.delete(&name, &file);
        }
        self.delivery.record_state(&below_name(id), None);
    }
}

/// What is above something.
enum Above {
    Parent(Parent),
    Trashed,
    Absent,
    Unclear(Error),
}

fn is_other_kind(error: &Error) -> bool {
    is_absent(error) || is(error, Particular::OtherKind)
}

const MAX_LEVELS: usize = 1000;
