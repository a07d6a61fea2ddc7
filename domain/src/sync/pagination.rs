//! Whether a listing goes in circles.

use std::collections::HashSet;
use std::fmt;

use sha2::{Digest, Sha256};

/// Watches the page tokens of one listing. A token that comes again means that the listing would never end.
#[derive(Debug)]
pub struct PageGuard {
    seen: HashSet<[u8; 16]>,
    max_pages: usize,
}

/// A listing came back to a page already read, or has more pages than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaginationLoop {
    /// Pages read so far.
    pub pages: usize,
}

impl PageGuard {
    /// A guard for a listing of at most so many pages.
    pub fn new(max_pages: usize) -> Self {
        Self { seen: HashSet::new(), max_pages }
    }

    /// To be asked before each further page.
    ///
    /// # Errors
    /// [`PaginationLoop`] if the token was seen before, or the limit is reached.
    pub fn on_next(&mut self, token: &str) -> Result<(), PaginationLoop> {
        let hash: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let short = hash[..16].try_into().expect("a half of a hash has 16 bytes");
        if self.seen.len() >= self.max_pages || !self.seen.insert(short) {
            return Err(PaginationLoop { pages: self.seen.len() + 1 });
        }
        Ok(())
    }
}

impl Default for PageGuard {
    /// 100,000 pages.
    fn default() -> Self {
        Self::new(100_000)
    }
}

impl fmt::Display for PaginationLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the listing came back to a page already read after {} pages", self.pages)
    }
}

impl std::error::Error for PaginationLoop {}
