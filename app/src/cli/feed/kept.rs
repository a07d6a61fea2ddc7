//! What a command keeps in a file from one call to the next.

use std::path::Path;

use headwater_domain::ErrorKind;
use headwater_ports::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::input;
use crate::out_file::OutFile;

/// A value that lives in a file, and the means to replace it whole or not at all.
pub(super) struct Kept<T> {
    /// As it was when the file was read; the default where there is no file yet.
    pub(super) value: T,
    file: Option<OutFile>,
}

impl<T: Serialize + DeserializeOwned + Default> Kept<T> {
    /// Reads the file, and makes sure that it can be written before anything else is done. Without a path nothing is
    /// kept.
    ///
    /// # Errors
    /// `store`, or `already_running` while another process is at it.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = path else {
            return Ok(Self { value: T::default(), file: None });
        };
        // First of all: until it is saved nobody else reads what is about to change.
        let file = OutFile::create_lasting(path)?;
        let failure = |detail| Error::new(ErrorKind::Store, "read what was kept", detail);
        let value = match input::read_whole(path, MAX_KEPT_BYTES) {
            // Somebody made room for what will be kept.
            Ok(bytes) if bytes.is_empty() => T::default(),
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let detail = format!("{} holds something else than this command keeps there", path.display());
                failure(detail).with_source(error)
            })?,
            Err(unreadable) if unreadable.is_missing() => T::default(),
            Err(unreadable) => return Err(failure(unreadable.to_string())),
        };
        Ok(Self { value, file: Some(file) })
    }

    /// Puts the value in place.
    pub(super) fn save(self) -> anyhow::Result<()> {
        let text = serde_json::to_vec(&self.value)?;
        if let Some(file) = self.file {
            file.commit(&text)?;
        }
        Ok(())
    }
}

/// Bytes of a state or cursor file; a feed of the most items there may be needs a hundredth.
const MAX_KEPT_BYTES: u64 = 64 * 1024 * 1024;
