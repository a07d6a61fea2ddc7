//! How documents become files of a folder, each under a name of its own that stays.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use headwater_domain::ErrorKind;
use headwater_domain::sync::{Deletion, FetchedItem, file_name};
use headwater_ports::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::input;
use crate::out_file::OutFile;

/// A folder of documents, with a list in it of which file is which document.
pub(super) struct IntoFolder {
    root: PathBuf,
    placed: BTreeMap<String, Placed>,
    /// Who has a path, in lower case: some file systems do not tell letters of different case apart.
    taken: HashMap<String, String>,
    is_changed: bool,
}

/// Where a document is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Placed {
    /// Below the folder, with `/` between names.
    file: String,
    /// The resource below which it was found.
    resource: String,
    /// The document whose file it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
}

impl IntoFolder {
    /// The folder, made if need be, with what earlier runs put there.
    pub(super) fn open(root: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(root).map_err(|error| store(root, error))?;
        let placed: BTreeMap<String, Placed> = match input::read_whole(&root.join(LIST), MAX_LIST_BYTES) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|_| Error::new(ErrorKind::Store, "write documents", format!("{LIST} is damaged")))?,
            Err(error) if error.is_missing() => BTreeMap::new(),
            Err(error) => {
                return Err(Error::new(ErrorKind::Store, "write documents", error.to_string())
                    .with_source(error)
                    .into());
            }
        };
        // What somebody else wrote into the list shall lead nowhere else.
        let placed: BTreeMap<_, _> = placed.into_iter().filter(|(_, placed)| is_safe(&placed.file)).collect();
        let taken = placed.iter().map(|(id, placed)| (placed.file.to_lowercase(), id.clone())).collect();
        Ok(Self { root: root.to_owned(), placed, taken, is_changed: false })
    }

    /// Writes a document. The new file is there before the old one, under another name, goes.
    pub(super) fn write(&mut self, item: &FetchedItem) -> Result<()> {
        let file = self.place(item);
        let path = self.root.join(&file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| store(folder, error))?;
        }
        let written = OutFile::create(&path).and_then(|out| out.commit(&item.content));
        written.map_err(|error| Error::new(ErrorKind::Store, "write documents", format!("{error:#}")))?;
        let placed = Placed { file, resource: item.source_resource_id.clone(), parent: item.parent_id.clone() };
        let before = self.placed.get(&item.external_id).cloned();
        if before.as_ref() == Some(&placed) {
            return self.forget_children(item);
        }
        if let Some(before) = before.filter(|before| before.file != placed.file) {
            self.erase(&before.file)?;
        }
        self.taken.insert(placed.file.to_lowercase(), item.external_id.clone());
        self.placed.insert(item.external_id.clone(), placed);
        self.is_changed = true;
        self.forget_children(item)
    }

    /// Removes a document and its files, unless it has moved to another resource.
    pub(super) fn remove(&mut self, deletion: &Deletion) -> Result<()> {
        let Some(placed) = self.placed.get(&deletion.external_id) else { return Ok(()) };
        if placed.resource != deletion.source_resource_id {
            return Ok(());
        }
        let children = self.children(&deletion.external_id);
        children.iter().chain([&deletion.external_id]).try_for_each(|id| self.take_out(id))
    }

    /// Writes the list, if it changed.
    pub(super) fn save(&mut self) -> Result<()> {
        if !self.is_changed {
            return Ok(());
        }
        let text = serde_json::to_vec(&self.placed)
            .map_err(|error| Error::new(ErrorKind::Internal, "write documents", error.to_string()))?;
        let written = OutFile::create(&self.root.join(LIST)).and_then(|out| out.commit(&text));
        written.map_err(|error| Error::new(ErrorKind::Store, "write documents", format!("{error:#}")))?;
        self.is_changed = false;
        Ok(())
    }

    /// A path that no other document has; the one that it had, where its name is the same.
    fn place(&self, item: &FetchedItem) -> String {
        let folders: Vec<String> = item.path.iter().map(|name| file_name(name, "")).collect();
        let (stem, ending) = match item.file_name.rsplit_once('.') {
            Some((stem, ending)) if ending.len() <= 16 => (stem, ending),
            _ => (item.file_name.as_str(), ""),
        };
        let mut number = 1_u32;
        loop {
            let title = if number == 1 { stem.to_owned() } else { numbered(stem, number) };
            let name = file_name(&title, ending);
            let file = folders.iter().chain([&name]).cloned().collect::<Vec<_>>().join("/");
            match self.taken.get(&file.to_lowercase()) {
                Some(other) if *other != item.external_id => number += 1,
                _ => return file,
            }
        }
    }

    fn forget_children(&mut self, item: &FetchedItem) -> Result<()> {
        let Some(kept) = &item.children else { return Ok(()) };
        let gone = self.children(&item.external_id);
        gone.iter().filter(|id| !kept.contains(*id)).try_for_each(|id| self.take_out(id))
    }

    /// Ids of children begin with that of their parent.
    fn children(&self, parent: &str) -> Vec<String> {
        let prefix = format!("{parent}#");
        let below = self.placed.range(prefix.clone()..).take_while(|(id, _)| id.starts_with(&prefix));
        below.filter(|(_, placed)| placed.parent.as_deref() == Some(parent)).map(|(id, _)| id.clone()).collect()
    }

    fn take_out(&mut self, id: &str) -> Result<()> {
        let Some(placed) = self.placed.remove(id) else { return Ok(()) };
        self.is_changed = true;
        self.erase(&placed.file)
    }

    fn erase(&mut self, file: &str) -> Result<()> {
        self.taken.remove(&file.to_lowercase());
        let path = self.root.join(file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(store(&path, error)),
            _ => Ok(()),
        }
    }
}

/// A title with a number behind it, short enough for the number to survive.
fn numbered(stem: &str, number: u32) -> String {
    format!("{} ({number})", &stem[..stem.floor_char_boundary(MAX_NUMBERED)])
}

fn is_safe(file: &str) -> bool {
    !file.is_empty() && Path::new(file).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

fn store(path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Store, "write documents", format!("could not write {}", path.display())).with_source(error)
}

/// The list of the documents in the folder. No document's name begins with a dot.
const LIST: &str = ".headwater.json";

const MAX_LIST_BYTES: u64 = 1024 * 1024 * 1024;

/// Bytes of a title before its number.
const MAX_NUMBERED: usize = 160;

#[cfg(test)]
mod tests;
