//! How folders and files of the machine are looked at.

use std::path::Path;

use async_trait::async_trait;
use bytes::Bytes;
use jiff::Timestamp;

use crate::Result;

/// Looks at folders below a root, and at nothing else.
///
/// An adapter MUST
/// - follow no link: one is listed as [`FileKind::Link`], and a path that leads through one is refused;
/// - refuse paths that leave the root;
/// - hold one folder's entries, or one file up to its cap, in memory;
/// - read files only, never devices or pipes.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait FileTree: Send + Sync {
    /// What stands directly in a folder, in the order of the names; `folder` is relative to the root, empty for the root.
    ///
    /// # Errors
    /// `gone` where there is no such folder, `auth` where it may not be read, `store` otherwise.
    async fn list(&self, root: &Path, folder: &str) -> Result<Vec<FileEntry>>;

    /// A file of at most so many bytes.
    ///
    /// # Errors
    /// As for [`list`](Self::list); `body_too_large` over the cap.
    async fn read(&self, root: &Path, file: &str, max_bytes: u64) -> Result<Bytes>;
}

/// Something that stands in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name, without a path.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
}

/// What stands in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    File {
        /// Its size in bytes.
        size: u64,
        /// When it was last written.
        modified_at: Option<Timestamp>,
    },
    /// A folder.
    Folder,
    /// A link to something below the root, or elsewhere.
    Link {
        /// Whether it leads to something below the root.
        stays_inside: bool,
    },
    /// Neither: a device, a pipe, or something whose name is no text.
    Other,
}
