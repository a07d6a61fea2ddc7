//! How a file is replaced: whole, or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// A file that will be there, whole, once it is committed. Until then, and if it never is, what stood there stays.
#[derive(Debug)]
pub(crate) struct OutFile {
    file: File,
    path: PathBuf,
    draft: PathBuf,
}

impl OutFile {
    /// Makes sure that the file can be written, before any work is done for it.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().with_context(|| format!("{} names no file", path.display()))?;
        let mut draft_name = std::ffi::OsString::from(".");
        draft_name.push(name);
        draft_name.push(format!(".{}.part", std::process::id()));
        let draft = path.with_file_name(draft_name);
        let file = File::create(&draft).with_context(|| format!("could not write to {}", path.display()))?;
        Ok(Self { file, path: path.to_owned(), draft })
    }

    /// Puts the content in place; gives the path.
    pub(crate) fn commit(mut self, content: &[u8]) -> anyhow::Result<PathBuf> {
        let written = self.file.write_all(content).and_then(|()| self.file.sync_all());
        written
            .and_then(|()| fs::rename(&self.draft, &self.path))
            .with_context(|| format!("could not write {}", self.path.display()))?;
        Ok(self.path.clone())
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        // After a commit there is no draft any more.
        let _ = fs::remove_file(&self.draft);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("digest.html");
        fs::write(&path, "old").unwrap();
        drop(OutFile::create(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        OutFile::create(&path).unwrap().commit(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no draft stays behind");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_noticed_before_the_work() {
        let directory = tempfile::tempdir().unwrap();
        assert!(OutFile::create(&directory.path().join("none/digest.html")).is_err());
        assert!(OutFile::create(Path::new("..")).is_err());
    }
}
