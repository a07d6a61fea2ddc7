//! How a draft is written beside a file by one process at a time, and put in its place.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file beside another one, which nobody else writes: it is locked as long as this lives.
///
/// Its name does not change, so that whoever writes the same file meets the lock. The lock ends with the process, however
/// that ends.
#[derive(Debug)]
pub(super) struct Draft {
    file: File,
    path: PathBuf,
}

impl Draft {
    /// An empty draft beside `target`; `None` where another process has one.
    pub(super) fn beside(target: &Path) -> io::Result<Option<Self>> {
        let name = target.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
        let mut draft_name = std::ffi::OsString::from(".");
        draft_name.push(name);
        draft_name.push(".part");
        let path = target.with_file_name(draft_name);
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                // Some file systems know no locks; there as well a file is replaced whole.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) => return Ok(None),
            }
            // Whoever held the lock before may have put the very file in its place, or removed it.
            if is_still_at(&file, &path)? {
                file.set_len(0)?;
                return Ok(Some(Self { file, path }));
            }
        }
    }

    pub(super) fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.file.set_permissions(permissions)
    }

    /// Writes the content and puts it in the target's place.
    pub(super) fn replace(self, target: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        super::buffered(&self.file, write)?;
        self.file.sync_all()?;
        fs::rename(&self.path, target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After it was put in place there is no draft any more, or that of whoever came next.
        if is_still_at(&self.file, &self.path).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let open = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Where an open file cannot be renamed by others, it stays where it is.
#[cfg(not(unix))]
fn is_still_at(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}
