//! How the machine's own folders are looked at without leaving their root.

use std::fs::{self, DirEntry, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use async_trait::async_trait;
use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, FileEntry, FileKind, FileTree, Result};
use jiff::Timestamp;

use crate::error::{of_io, outside};

/// The folders of this machine.
#[derive(Debug, Clone, Copy)]
pub struct LocalFileTree;

#[async_trait]
impl FileTree for LocalFileTree {
    async fn list(&self, root: &Path, folder: &str) -> Result<Vec<FileEntry>> {
        let (root, folder) = (root.to_owned(), folder.to_owned());
        blocking(move || list(&root, &folder)).await
    }

    async fn read(&self, root: &Path, file: &str, max_bytes: u64) -> Result<Bytes> {
        let (root, file) = (root.to_owned(), file.to_owned());
        blocking(move || read(&root, &file, max_bytes)).await
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(Error::new(ErrorKind::Internal, "look at files", "looking at files failed unexpectedly"))
    })
}

fn list(root: &Path, folder: &str) -> Result<Vec<FileEntry>> {
    let failed = |error| of_io("list folder", folder, error);
    let root = fs::canonicalize(root).map_err(|error| of_io("list folder", "", error))?;
    let path = below(&root, folder, "list folder")?;
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        // What vanishes between the listing and the look is no longer there.
        if let Some(entry) = described(&root, &entry.map_err(failed)?).map_err(failed)? {
            entries.push(entry);
        }
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

fn described(root: &Path, entry: &DirEntry) -> io::Result<Option<FileEntry>> {
    let metadata = match entry.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let (name, is_text) = match entry.file_name().into_string() {
        Ok(name) => (name, true),
        Err(name) => (name.to_string_lossy().into_owned(), false),
    };
    let kind = match metadata.file_type() {
        _ if !is_text => FileKind::Other,
        kind if kind.is_symlink() => FileKind::Link { stays_inside: stays_inside(root, &entry.path()) },
        kind if kind.is_dir() => FileKind::Folder,
        kind if kind.is_file() => {
            let modified_at = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
            FileKind::File { size: metadata.len(), modified_at }
        }
        _ => FileKind::Other,
    };
    Ok(Some(FileEntry { name, kind }))
}

fn stays_inside(root: &Path, link: &Path) -> bool {
    fs::canonicalize(link).is_ok_and(|target| target.starts_with(root))
}

fn read(root: &Path, file: &str, max_bytes: u64) -> Result<Bytes> {
    let failed = |error| of_io("read file", file, error);
    let root = fs::canonicalize(root).map_err(|error| of_io("read file", "", error))?;
    let path = below(&root, file, "read file")?;
    if !fs::symlink_metadata(&path).map_err(failed)?.is_file() {
        return Err(outside("read file", file));
    }
    let opened = File::open(&path).map_err(failed)?;
    let size = opened.metadata().map_err(failed)?.len();
    if size > max_bytes {
        return Err(failed(io::ErrorKind::FileTooLarge.into()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    opened.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > max_bytes {
        return Err(failed(io::ErrorKind::FileTooLarge.into()));
    }
    Ok(bytes.into())
}

/// The path of something below a root, none of whose folders is a link.
fn below(root: &Path, relative: &str, operation: &'static str) -> Result<PathBuf> {
    let relative_path = Path::new(relative);
    if !relative_path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(outside(operation, relative));
    }
    let path = root.join(relative_path);
    let real = fs::canonicalize(&path).map_err(|error| of_io(operation, relative, error))?;
    if real == path { Ok(path) } else { Err(outside(operation, relative)) }
}

#[cfg(test)]
mod tests;
