//! How a cursor lives in a file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use headwater_domain::ErrorKind;
use headwater_domain::sync::{CursorChange, SyncCursor};
use headwater_ports::{Error, Result};

use crate::input;
use crate::out_file::OutFile;

/// The file of a cursor, and the cursor as the file will have it next.
pub(super) struct CursorFile {
    path: Option<PathBuf>,
    kept: SyncCursor,
    written_at: Option<Instant>,
    cost: Duration,
}

impl CursorFile {
    /// Reads the cursor; an empty one where there is no file yet. Makes sure that the file can be written.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<(Self, SyncCursor)> {
        let kept = path.map(read).transpose()?.unwrap_or_default();
        if let Some(path) = path {
            drop(OutFile::create(path)?);
        }
        let file = Self { path: path.map(Path::to_owned), kept: kept.clone(), written_at: None, cost: Duration::ZERO };
        Ok((file, kept))
    }

    /// Takes changes over, and replaces the file unless it was just replaced: the whole of it costs more the more
    /// documents there are, and shall not cost more than a tenth of a run. Says whether the file has the changes.
    pub(super) fn apply(&mut self, changes: Vec<CursorChange>) -> Result<bool> {
        changes.into_iter().for_each(|change| self.kept.apply(change));
        let is_due = self.written_at.is_none_or(|at| at.elapsed() >= self.cost * SHARE);
        if is_due {
            self.write()?;
        }
        Ok(is_due)
    }

    /// Replaces the file.
    pub(super) fn write(&mut self) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let began = Instant::now();
        let text = serde_json::to_vec(&self.kept)
            .map_err(|error| store("the cursor could not be written down").with_source(error))?;
        OutFile::create(path).and_then(|file| file.commit(&text)).map_err(|error| store(&format!("{error:#}")))?;
        self.cost = began.elapsed();
        self.written_at = Some(Instant::now());
        Ok(())
    }
}

fn read(path: &Path) -> anyhow::Result<SyncCursor> {
    match input::read_whole(path, MAX_CURSOR_BYTES) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).map_err(|error| {
            store(&format!("{} holds something else than a cursor", path.display())).with_source(error)
        })?),
        Err(error) if error.is_missing() => Ok(SyncCursor::default()),
        Err(error) => Err(store(&error.to_string()).with_source(error).into()),
    }
}

fn store(detail: &str) -> Error {
    Error::new(ErrorKind::Store, "keep the cursor", detail)
}

/// Bytes of a cursor: some million documents.
const MAX_CURSOR_BYTES: u64 = 1024 * 1024 * 1024;

/// Between two writings passes so many times what the last one cost.
const SHARE: u32 = 10;
