//! How a file is replaced: whole, or not at all, and by one process at a time.

mod draft;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Page};

use self::draft::Draft;

/// A file that will be there, whole, once it is committed. Until then, and if it never is, what stood there stays.
///
/// A symbolic link stays a link: what it leads to is replaced. A device or a pipe is written to as it is.
#[derive(Debug)]
pub(crate) struct OutFile {
    path: PathBuf,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// A draft beside the file is put in its place.
    Replace { draft: Draft, target: PathBuf },
    /// There is nothing to replace.
    Through(File),
}

/// What stands at a path, links followed.
enum Found {
    Nothing,
    File(fs::Metadata),
    /// A device, a pipe or a socket.
    Other,
}

impl OutFile {
    /// Makes sure that the file can be written, before any work is done for it, and that nobody else writes it meanwhile.
    ///
    /// # Errors
    /// `store` where it cannot be written, `already_running` where another process is at it.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let way = match found(path).map_err(|error| unwritable(path, error))? {
            Found::Other => {
                let file = OpenOptions::new().write(true).open(path).map_err(|error| unwritable(path, error))?;
                Way::Through(file)
            }
            Found::File(metadata) => {
                let target = fs::canonicalize(path).map_err(|error| unwritable(path, error))?;
                let draft = Self::draft(path, &target)?;
                // What only its owner could read stays so.
                draft.set_permissions(metadata.permissions()).map_err(|error| unwritable(path, error))?;
                Way::Replace { draft, target }
            }
            Found::Nothing => {
                let target = followed(path).map_err(|error| unwritable(path, error))?;
                Way::Replace { draft: Self::draft(path, &target)?, target }
            }
        };
        Ok(Self { path: path.to_owned(), way })
    }

    /// As [`create`](Self::create), for what is read again: a device or a pipe is refused.
    pub(crate) fn create_lasting(path: &Path) -> Result<Self, Error> {
        if matches!(found(path), Ok(Found::Other)) {
            let detail = format!("{} is a device or a pipe, and nothing can be kept there", path.display());
            return Err(failure(detail).with_hint("name a file, or leave the option out to keep nothing"));
        }
        Self::create(path)
    }

    /// Puts the content in place; gives the path.
    ///
    /// # Errors
    /// `store`; what stood there is as it was.
    pub(crate) fn commit(self, content: &[u8]) -> Result<PathBuf, Error> {
        self.fill(|out| out.write_all(content))
    }

    /// Puts a page in place, piece by piece; gives the path.
    ///
    /// # Errors
    /// `store`; what stood there is as it was.
    pub(crate) fn commit_page(self, page: &dyn Page) -> Result<PathBuf, Error> {
        self.fill(|out| page.write_to(out))
    }

    fn fill(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<PathBuf, Error> {
        let written = match self.way {
            Way::Through(file) => buffered(file, write),
            Way::Replace { draft, target } => draft.replace(&target, write),
        };
        written.map_err(|error| unwritable(&self.path, error))?;
        Ok(self.path)
    }

    fn draft(path: &Path, target: &Path) -> Result<Draft, Error> {
        let draft = Draft::beside(target).map_err(|error| unwritable(path, error))?;
        draft.ok_or_else(|| {
            let detail = format!("another process is about to write {}", path.display());
            Error::new(ErrorKind::AlreadyRunning, OPERATION, detail).with_hint("try again when it has ended")
        })
    }
}

/// Writes piece by piece, in blocks.
fn buffered(file: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out).and_then(|()| out.flush())
}

fn found(path: &Path) -> io::Result<Found> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if metadata.is_file() => Ok(Found::File(metadata)),
        Ok(_) => Ok(Found::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(error),
    }
}

/// Where a path leads to when links are followed, though there is nothing yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&place) else { return Ok(place) };
        place = place.parent().unwrap_or_else(|| Path::new("")).join(next);
    }
    Err(io::Error::other("too many symbolic links lead to each other"))
}

fn unwritable(path: &Path, error: io::Error) -> Error {
    let shown = path.display();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let hint = match (error.kind(), folder) {
        (io::ErrorKind::NotFound, Some(folder)) => Some(format!("make the folder {} first", folder.display())),
        (io::ErrorKind::IsADirectory, _) => Some("name a file in it".to_owned()),
        _ => None,
    };
    let failure = match error.kind() {
        io::ErrorKind::IsADirectory => failure(format!("could not write to {shown}: it is a folder")),
        _ => failure(format!("could not write to {shown}")).with_source(error),
    };
    match hint {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

fn failure(detail: String) -> Error {
    Error::new(ErrorKind::Store, OPERATION, detail)
}

const OPERATION: &str = "write the file";

/// So many links are followed, as the system does.
const MAX_LINKS: usize = 40;

#[cfg(test)]
mod tests;
