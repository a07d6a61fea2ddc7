//! What a command keeps in a file from one call to the next.

use std::io;
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
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self { value: T::default(), file: None });
        };
        let value = match input::read_whole(path, MAX_KEPT_BYTES) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let detail = format!("{} holds something else than this command keeps there", path.display());
                Error::new(ErrorKind::Store, "read what was kept", detail).with_source(error)
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => T::default(),
            Err(error) => {
                let detail = format!("could not read {}", path.display());
                return Err(Error::new(ErrorKind::Store, "read what was kept", detail).with_source(error).into());
            }
        };
        Ok(Self { value, file: Some(OutFile::create(path)?) })
    }

    /// Puts the value in place.
    pub(super) fn save(self) -> anyhow::Result<()> {
        let text = serde_json::to_vec(&self.value)?;
        self.file.map_or(Ok(()), |file| file.commit(&text).map(drop))
    }
}

/// Bytes of a state or cursor file; a feed of the most items there may be needs a hundredth.
const MAX_KEPT_BYTES: u64 = 64 * 1024 * 1024;
