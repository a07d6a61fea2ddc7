//! How lists of feeds are exchanged with other readers.

use headwater_domain::feed::outline::{Outline, OutlineFeed};
use jiff::Timestamp;

use crate::Result;

/// Reads and writes lists of feeds (OPML).
///
/// An adapter MUST be linear in the input, bound its memory by the input, refuse documents with an internal DTD, and
/// keep what can be kept: a broken entry costs that entry and is named in the outline's problems.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait OutlineFormat: Send + Sync {
    /// Reads a list.
    ///
    /// # Errors
    /// `empty_body`, `malformed` where it is no list at all, `dtd_forbidden`, `too_deep`, `body_too_large`.
    fn read(&self, bytes: &[u8]) -> Result<Outline>;

    /// Writes a list that [`read`](Self::read) gives back: the same feeds in the same folders, those of one folder
    /// together.
    fn write(&self, feeds: &[OutlineFeed], options: &WriteOptions) -> String;
}

/// How a list is written.
#[derive(Debug, Clone)]
pub struct WriteOptions {
    /// What the list is called.
    pub title: String,
    /// When it is written.
    pub created_at: Timestamp,
    /// What becomes of passkeys and the like in URLs.
    pub secrets: SecretsInUrls,
}

/// What becomes of the secrets in the URLs of a list that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SecretsInUrls {
    /// They are replaced by `[REDACTED]`: the list may be shown to anybody.
    #[default]
    Redacted,
    /// They are written out: the list is a key.
    Kept,
}
