//! How a folder is walked, file by file, and what is gone found out.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{FailedItem, FetchedItem, SkipReason, SkippedItem, SyncCursor, file_name};
use headwater_ports::{Clock, Error, FileEntry, FileKind, FileTree, Result, StreamHandler};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::config::FolderConfig;
use super::media::media_type;
use super::{WHOLE, joined};
use crate::Delivery;

/// One run over a folder.
pub(super) struct FolderSync<'r> {
    files: &'r dyn FileTree,
    config: &'r FolderConfig,
    delivery: Delivery<'r>,
    /// What was met below the folder at hand.
    seen: HashSet<String>,
    /// Folders that could not be listed; nothing below them counts as gone.
    unlisted: Vec<String>,
}

/// A file at hand.
struct Found<'f> {
    resource: &'f str,
    path: String,
    size: u64,
    modified_at: Option<Timestamp>,
}

impl<'r> FolderSync<'r> {
    pub(super) fn new(
        files: &'r dyn FileTree,
        config: &'r FolderConfig,
        cursor: SyncCursor,
        handler: &'r mut dyn StreamHandler,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let delivery = Delivery::new(handler, cursor, clock);
        Self { files, config, delivery, seen: HashSet::new(), unlisted: Vec::new() }
    }

    pub(super) async fn run(mut self) -> Result<SyncCursor> {
        for folder in &self.config.selected {
            let resource = if folder.is_empty() { WHOLE } else { folder };
            self.walk(resource, folder).await?;
            self.find_deleted(resource).await?;
            self.seen.clear();
            self.unlisted.clear();
        }
        self.delivery.finish().await
    }

    /// Visits everything below a selected folder, in the order of the paths; only the folders still to visit are kept.
    async fn walk(&mut self, resource: &str, folder: &str) -> Result<()> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            match self.files.list(&self.config.root, &folder).await {
                Ok(entries) => self.visit(resource, &folder, entries, &mut folders).await?,
                Err(error) => self.fail_folder(resource, &folder, &error).await?,
            }
            self.delivery.checkpoint_if_due().await?;
        }
        Ok(())
    }

    async fn visit(
        &mut self,
        resource: &str,
        folder: &str,
        entries: Vec<FileEntry>,
        folders: &mut Vec<String>,
    ) -> Result<()> {
        let mut below = Vec::new();
        for entry in entries {
            let path = joined(folder, &entry.name);
            match entry.kind {
                FileKind::Folder if self.config.enters(&path) => below.push(path),
                FileKind::Folder => self.skip(path, SkipReason::Excluded).await?,
                FileKind::File { size, modified_at } => {
                    self.file(Found { resource, path, size, modified_at }).await?;
                }
                FileKind::Link { stays_inside: true } => self.skip(path, SkipReason::Shortcut).await?,
                FileKind::Link { stays_inside: false } => self.skip(path, SkipReason::Excluded).await?,
                FileKind::Other => self.skip(path, SkipReason::UnsupportedType).await?,
            }
        }
        folders.extend(below.into_iter().rev());
        Ok(())
    }

    async fn file(&mut self, found: Found<'_>) -> Result<()> {
        let is_taken = self.config.takes(&found.path);
        if !is_taken {
            return self.skip(found.path, SkipReason::Excluded).await;
        }
        self.seen.insert(found.path.clone());
        if found.size > self.config.max_bytes {
            return self.skip(found.path, SkipReason::TooLarge).await;
        }
        let known = self.delivery.cursor().version(found.resource, &found.path).unwrap_or_default();
        let (stamp, digest) = known.split_once(' ').unwrap_or_default();
        if stamp == found.stamp() {
            self.delivery.unchanged(1);
            return Ok(());
        }
        let digest = digest.to_owned();
        match self.files.read(&self.config.root, &found.path, self.config.max_bytes).await {
            Ok(content) => self.hand_over(found, content, &digest).await,
            // It grew between the listing and the reading.
            Err(error) if error.kind == ErrorKind::BodyTooLarge => self.skip(found.path, SkipReason::TooLarge).await,
            Err(error) => {
                let mut failed = failure(&error);
                failed.external_id = Some(found.path);
                self.delivery.fail(failed).await
            }
        }
    }

    /// Hands a file over if its bytes changed; a new time alone is only remembered.
    async fn hand_over(&mut self, found: Found<'_>, content: Bytes, known_digest: &str) -> Result<()> {
        let digest = short_digest(&content);
        let version = format!("{} {digest}", found.stamp());
        if digest == known_digest {
            self.delivery.cursor_mut().record(found.resource, &found.path, version);
            self.delivery.unchanged(1);
            return Ok(());
        }
        let _ = self.delivery.emit(found.into_item(content), &version).await?;
        Ok(())
    }

    /// Finds out which known files are gone. An empty listing deletes nothing unless the settings allow it.
    async fn find_deleted(&mut self, resource: &str) -> Result<()> {
        let is_hidden = |path: &str| {
            self.unlisted.iter().any(|folder| {
                folder.is_empty() || path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
            })
        };
        let known = self.delivery.cursor().known(resource).map(|(path, _)| path);
        let gone: Vec<String> = known
            .filter(|path| !self.seen.contains(*path) && !is_hidden(path) && self.config.reaches(path))
            .map(str::to_owned)
            .collect();
        if gone.is_empty() {
            return Ok(());
        }
        if self.seen.is_empty() && !self.config.allow_empty {
            let message = "the folder lists no files, though it had some: nothing was deleted; the setting allow_empty \
                           says that this is right";
            let error = Error::new(ErrorKind::PartialFetch, "list folder", message);
            let mut failed = failure(&error);
            failed.resource_id = Some(resource.to_owned());
            return self.delivery.fail(failed).await;
        }
        gone.iter().for_each(|path| self.delivery.delete(resource, path));
        Ok(())
    }

    async fn fail_folder(&mut self, resource: &str, folder: &str, error: &Error) -> Result<()> {
        // A folder that went away while the run was under way is simply gone; its parent is listed next time.
        self.unlisted.push(folder.to_owned());
        let mut failed = failure(error);
        failed.resource_id = Some(if folder.is_empty() { resource.to_owned() } else { folder.to_owned() });
        self.delivery.fail(failed).await
    }

    async fn skip(&mut self, path: String, reason: SkipReason) -> Result<()> {
        if !self.config.shows(&path) {
            return Ok(());
        }
        let title = path.rsplit('/').next().map(str::to_owned);
        self.delivery.skip(SkippedItem { external_id: path, title, reason }).await
    }
}

impl Found<'_> {
    /// What changes with the file without its being read.
    fn stamp(&self) -> String {
        let time = self.modified_at.map(|time| time.as_nanosecond()).unwrap_or_default();
        format!("{time}:{}", self.size)
    }

    fn into_item(self, content: Bytes) -> FetchedItem {
        let mut path: Vec<String> = self.path.split('/').map(str::to_owned).collect();
        let name = path.pop().unwrap_or_default();
        let (stem, ending) = match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() && ending.len() <= MAX_ENDING => (stem, ending),
            _ => (name.as_str(), ""),
        };
        FetchedItem {
            external_id: self.path,
            title: stem.to_owned(),
            content,
            content_type: media_type(&name).to_owned(),
            file_name: file_name(stem, ending),
            path,
            updated_at: self.modified_at,
            metadata: BTreeMap::from([("channel".to_owned(), "folder".to_owned())]),
            source_resource_id: self.resource.to_owned(),
            ..FetchedItem::default()
        }
    }
}

fn failure(error: &Error) -> FailedItem {
    FailedItem {
        external_id: None,
        resource_id: None,
        title: None,
        kind: error.kind,
        params: BTreeMap::new(),
        message: error.to_string(),
    }
}

fn short_digest(content: &[u8]) -> String {
    Sha256::digest(content)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Longer endings belong to the name.
const MAX_ENDING: usize = 16;
