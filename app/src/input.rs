//! How a file that the user names is read: in whole, up to a bound, whatever kind of file it is.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::failure::UsageError;

/// A file that cannot be read: wrong usage, since the user named it.
#[derive(Debug)]
pub(crate) struct Unreadable {
    path: PathBuf,
    error: io::Error,
}

impl Unreadable {
    /// Whether there is no such file.
    pub(crate) fn is_missing(&self) -> bool {
        self.error.kind() == io::ErrorKind::NotFound
    }
}

/// The bytes of a file, or of standard input for `-`: at most one more than `max_bytes`, so that a parser with that cap
/// sees that there are more. Devices and pipes have no size that could be asked for beforehand.
pub(crate) fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Unreadable> {
    bytes(path, max_bytes).map_err(|error| Unreadable { path: path.to_owned(), error })
}

/// As [`read`]; more than `max_bytes` are an error.
pub(crate) fn read_whole(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Unreadable> {
    let bytes = read(path, max_bytes)?;
    if bytes.len() as u64 > max_bytes {
        let reason = format!("it is larger than {max_bytes} bytes");
        let error = io::Error::new(io::ErrorKind::FileTooLarge, reason);
        return Err(Unreadable { path: path.to_owned(), error });
    }
    Ok(bytes)
}

/// A file to be read piece by piece.
pub(crate) fn open(path: &Path) -> Result<BufReader<File>, Unreadable> {
    File::open(path).map(BufReader::new).map_err(|error| Unreadable { path: path.to_owned(), error })
}

/// Whether there is a file to be read, before any work is done. Nothing is opened, which a pipe would notice.
pub(crate) fn expect(path: &Path) -> Result<(), Unreadable> {
    let there = match path.as_os_str() == "-" {
        true => return Ok(()),
        false => fs::metadata(path),
    };
    let error = match there {
        Ok(metadata) if metadata.is_dir() => io::ErrorKind::IsADirectory.into(),
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    Err(Unreadable { path: path.to_owned(), error })
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not read {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for Unreadable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<Unreadable> for UsageError {
    fn from(unreadable: Unreadable) -> Self {
        Self(unreadable.to_string())
    }
}

fn bytes(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = max_bytes.saturating_add(1);
    if path.as_os_str() == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        let size = file.metadata()?.len().min(limit);
        bytes.reserve_exact(usize::try_from(size).unwrap_or(0) + 1);
        file.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
