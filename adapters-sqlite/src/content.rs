//! How do the bytes of documents stand in columns?
//!
//! Compressed where that pays: not the small ones, and not what is compressed already, as a look at the beginning tells.

use bytes::Bytes;
use zstd_safe::CompressionLevel;

/// Bytes as a column holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packed {
    /// What is stored.
    pub(crate) bytes: Bytes,
    /// How: `plain` or `zstd`.
    pub(crate) coding: &'static str,
    /// How many bytes it was.
    pub(crate) size: usize,
}

/// Packs bytes; large ones away from the threads that serve others.
pub(crate) async fn pack(content: Bytes) -> Packed {
    if content.len() < LARGE {
        return packed(content);
    }
    let plain = Packed { bytes: content.clone(), coding: PLAIN, size: content.len() };
    tokio::task::spawn_blocking(move || packed(content)).await.unwrap_or(plain)
}

/// Unpacks what a row holds; none if it is not what it says.
pub(crate) async fn unpack(stored: Vec<u8>, coding: String, size: i64) -> Option<Bytes> {
    let size = usize::try_from(size).ok()?;
    if size < LARGE {
        return unpacked(stored, &coding, size);
    }
    tokio::task::spawn_blocking(move || unpacked(stored, &coding, size)).await.ok()?
}

fn packed(content: Bytes) -> Packed {
    let size = content.len();
    let smaller = pays(&content).then(|| compressed(&content, LEVEL)).flatten();
    match smaller.filter(|smaller| is_worth_it(smaller.len(), size)) {
        Some(smaller) => Packed { bytes: smaller.into(), coding: ZSTD, size },
        None => Packed { bytes: content, coding: PLAIN, size },
    }
}

/// A row that claims to be larger than any document can be is not believed.
fn unpacked(stored: Vec<u8>, coding: &str, size: usize) -> Option<Bytes> {
    match coding {
        PLAIN => (stored.len() == size).then(|| stored.into()),
        ZSTD if size <= headwater_domain::sync::MAX_DOCUMENT_BYTES => {
            // The capacity bounds what comes out.
            let mut content = Vec::with_capacity(size);
            zstd_safe::decompress(&mut content, &stored).ok()?;
            (content.len() == size).then(|| content.into())
        }
        _ => None,
    }
}

/// Whether the beginning of large bytes lets itself be compressed.
fn pays(content: &[u8]) -> bool {
    match content.len() {
        0..SMALL => false,
        SMALL..LARGE => true,
        _ => compressed(&content[..SAMPLE], 1).is_some_and(|smaller| is_worth_it(smaller.len(), SAMPLE)),
    }
}

fn compressed(content: &[u8], level: CompressionLevel) -> Option<Vec<u8>> {
    let mut smaller = Vec::with_capacity(zstd_safe::compress_bound(content.len()));
    zstd_safe::compress(&mut smaller, content, level).ok()?;
    smaller.shrink_to_fit();
    Some(smaller)
}

fn is_worth_it(smaller: usize, size: usize) -> bool {
    smaller < size - size / 10
}

const PLAIN: &str = "plain";
const ZSTD: &str = "zstd";
const LEVEL: CompressionLevel = 3;

/// Fewer bytes than this fit into a row as they are.
const SMALL: usize = 512;

/// From so many bytes on, work is done aside.
const LARGE: usize = 128 * 1024;

/// So many bytes tell whether compression pays.
const SAMPLE: usize = 64 * 1024;

#[cfg(test)]
mod tests;
