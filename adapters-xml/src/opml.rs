//! How lists of feeds in OPML are read, as other readers export them, and written.

mod read;
mod tags;
#[cfg(test)]
mod tests;
mod write;

use headwater_domain::ErrorKind;
use headwater_domain::feed::outline::{Outline, OutlineFeed};
use headwater_ports::{Error, OutlineFormat, Result, WriteOptions};

use crate::charset::{self, Hints};

/// Reads and writes OPML 1 and 2.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpmlFormat;

impl OutlineFormat for OpmlFormat {
    fn read(&self, bytes: &[u8]) -> Result<Outline> {
        if bytes.len() > MAX_BYTES {
            let detail = format!("the list is larger than {MAX_BYTES} bytes");
            return Err(Error::new(ErrorKind::BodyTooLarge, OPERATION, detail));
        }
        let decoded = charset::decode(bytes, Hints::default());
        if decoded.text.trim().is_empty() {
            return Err(Error::new(ErrorKind::EmptyBody, OPERATION, "the list is empty"));
        }
        read::read(&decoded.text)
    }

    fn write(&self, feeds: &[OutlineFeed], options: &WriteOptions) -> String {
        write::write(feeds, options)
    }
}

const OPERATION: &str = "read OPML";

/// Bytes of a list: some hundred thousand feeds.
const MAX_BYTES: usize = 16 * 1024 * 1024;
