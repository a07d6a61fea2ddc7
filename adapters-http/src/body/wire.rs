//! The bytes of a body as they came over the wire.

use bytes::{Bytes, BytesMut};

/// Chunks in order; small ones are gathered, since each chunk has its own cost and some servers send bytes one by one.
#[derive(Default)]
pub(super) struct Wire {
    chunks: Vec<Bytes>,
    tail: Vec<u8>,
    len: u64,
}

impl Wire {
    pub(super) fn push(&mut self, chunk: &Bytes) {
        self.len += chunk.len() as u64;
        if chunk.len() < SMALL {
            self.tail.extend_from_slice(chunk);
        }
        if self.tail.len() >= GATHERED || chunk.len() >= SMALL {
            self.gather();
        }
        if chunk.len() >= SMALL {
            self.chunks.push(chunk.clone());
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The first bytes, by which the whole is judged.
    pub(super) fn head(&self) -> Vec<u8> {
        self.parts().flatten().copied().take(512).collect()
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(|chunk| &chunk[..]).chain([&self.tail[..]])
    }

    /// The chunks, to be let go one by one.
    pub(super) fn into_chunks(mut self) -> Vec<Bytes> {
        self.gather();
        self.chunks
    }

    /// All in one, without a copy where it came in one.
    pub(super) fn join(self) -> Bytes {
        match <[Bytes; 1]>::try_from(self.into_chunks()) {
            Ok([only]) => only,
            Err(chunks) => {
                let mut whole = BytesMut::with_capacity(chunks.iter().map(Bytes::len).sum());
                // Each chunk is let go as soon as it is copied.
                chunks.into_iter().for_each(|chunk| whole.extend_from_slice(&chunk));
                whole.freeze()
            }
        }
    }

    fn gather(&mut self) {
        if !self.tail.is_empty() {
            self.chunks.push(std::mem::take(&mut self.tail).into());
        }
    }
}

/// Chunks under this are gathered …
const SMALL: usize = 4 * 1024;

/// … into chunks of this.
const GATHERED: usize = 32 * 1024;
