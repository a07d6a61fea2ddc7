//! How files are brought before their addresses die.

use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::sync::{FetchedItem, Receipt, SkipReason, file_name};
use headwater_ports::{Error, FetchLimits, FetchRequest, FetchResponse, Result};
use serde_json::Value;
use url::Url;

use super::Run;
use crate::notion::blocks::{Attachment, Source};
use crate::notion::id::stable_link;
use crate::notion::parent::Id;
use crate::notion::wire::text;

impl Run<'_> {
    /// Hands over the files of a page that are new or others, and forgets those that it shows no more. Whether all are
    /// there now.
    pub(super) async fn hand_over_files(&mut self, page: &Id, files: Vec<Attachment>, root: usize) -> Result<bool> {
        let name = self.roots[root].name.clone();
        for old in self.files.remove(&**page).unwrap_or_default() {
            if files.iter().all(|file| file.external_id != old) {
                self.delivery.cursor_mut().forget(&name, &old);
            }
        }
        let mut is_whole = true;
        for file in files {
            let version = file.version();
            if self.delivery.cursor().version(&name, &file.external_id) != Some(version.as_str()) {
                is_whole &= self.hand_over_file(page, &file, &version, root).await?;
            }
        }
        Ok(is_whole)
    }

    async fn hand_over_file(&mut self, page: &Id, file: &Attachment, version: &str, root: usize) -> Result<bool> {
        let response = match self.download(page, file).await {
            Ok(response) => response,
            Err(error) if error.kind == ErrorKind::BodyTooLarge => {
                self.skip(&file.external_id, &file.name, SkipReason::TooLarge).await?;
                return Ok(true);
            }
            Err(error) if error.kind == ErrorKind::InvalidCredentials => return Err(error),
            Err(error) => {
                self.fail(Some(&file.external_id), None, Some(&file.name), &error).await?;
                return Ok(false);
            }
        };
        let name = self.roots[root].name.clone();
        let item = item(page, file, response, &name, self.path_of_files(page));
        let receipt = self.delivery.emit_unversioned(item).await?;
        if receipt == Receipt::Kept {
            self.own(root, &file.external_id);
            self.delivery.cursor_mut().record(&name, &file.external_id, version);
        }
        Ok(receipt == Receipt::Kept)
    }

    fn path_of_files(&self, page: &str) -> Vec<String> {
        let mut path = self.tree.path(page);
        path.extend(self.titles.known(page).filter(|title| !title.is_empty()).map(str::to_owned));
        path
    }

    /// The bytes of a file. An address that has died is asked for anew, once.
    async fn download(&mut self, page: &Id, file: &Attachment) -> Result<FetchResponse> {
        let mut url = file.url.clone();
        let mut failures = 0;
        let mut is_fresh = false;
        loop {
            let error = match self.get(url.clone()).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            if is_dead(&error) && !is_fresh {
                url = self.fresh_address(page, &file.source).await?;
                is_fresh = true;
                continue;
            }
            failures += 1;
            if failures >= ATTEMPTS || !may_pass(&error) {
                return Err(error);
            }
            self.api.account().sleep(PAUSE * failures).await;
        }
    }

    /// One request, to whoever holds the file: no token goes there.
    async fn get(&mut self, url: PrivateUrl) -> Result<FetchResponse> {
        let limits = FetchLimits { timeout: TIMEOUT, ..FetchLimits::default() };
        let request = FetchRequest { limits, ..FetchRequest::get(url) };
        let response = self.ports.fetcher.fetch(request).await.outcome?;
        match response.status {
            200 if !response.body_cut => Ok(response),
            200 => Err(Error::new(ErrorKind::Connect, OPERATION, "the file was cut short")),
            status => Err(Error::new(ErrorKind::HttpStatus, OPERATION, format!("the file's host answered {status}"))
                .with_source(Status(status))),
        }
    }

    async fn fresh_address(&mut self, page: &Id, source: &Source) -> Result<PrivateUrl> {
        let url = match source {
            Source::Block(block) => address(self.api.block(block).await?.payload()),
            Source::Property(name, number) => {
                let page = self.api.page(page).await?;
                let files = page.properties.get(name).and_then(|property| property.get("files"));
                files.and_then(|files| address(files.get(*number)?))
            }
        };
        url.ok_or_else(|| Error::new(ErrorKind::Gone, OPERATION, "the file is no longer there"))
    }
}

fn item(page: &Id, file: &Attachment, response: FetchResponse, resource: &str, path: Vec<String>) -> FetchedItem {
    let (stem, extension) = file.name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((&file.name, ""));
    let told = response.headers.text("content-type").and_then(|value| value.split(';').next()).map(str::trim);
    let told =
        told.filter(|told| told.contains('/') && *told != "application/octet-stream" && *told != "binary/octet-stream");
    let content_type = told.map_or_else(|| by_extension(extension).to_owned(), str::to_ascii_lowercase);
    let mut metadata = std::collections::BTreeMap::from([("object_type".to_owned(), "attachment".to_owned())]);
    if !file.caption.is_empty() {
        metadata.insert("caption".to_owned(), file.caption.clone());
    }
    let block = match &file.source {
        Source::Block(block) => format!("#{}", block.replace('-', "")),
        Source::Property(..) => String::new(),
    };
    FetchedItem {
        external_id: file.external_id.clone(),
        title: file.name.clone(),
        content: response.body,
        content_type,
        file_name: file_name(stem, extension),
        url: Some(format!("{}{block}", stable_link(page))),
        path,
        updated_at: None,
        metadata,
        source_resource_id: resource.to_owned(),
        parent_id: Some(page.to_string()),
        children: None,
    }
}

fn address(file: &Value) -> Option<PrivateUrl> {
    let url = file.get("file").and_then(|file| text(file, "url"))?;
    Url::parse(url).ok().map(PrivateUrl::new)
}

/// What a file is by its name, where its host does not say.
fn by_extension(extension: &str) -> &'static str {
    match extension.to_ascii_lowercase().as_str() {
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        "txt" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "json" => "application/json",
        "mp3" => "audio/mpeg",
        "mp4" => "video/mp4",
        "zip" => "application/zip",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        _ => "application/octet-stream",
    }
}

/// The status of a file's host.
#[derive(Debug)]
struct Status(u16);

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "status {}", self.0)
    }
}

impl std::error::Error for Status {}

fn status(error: &Error) -> Option<u16> {
    error.source.as_ref()?.downcast_ref::<Status>().map(|status| status.0)
}

/// A signed address that has died answers 403; some hosts say 400 or 404.
fn is_dead(error: &Error) -> bool {
    matches!(status(error), Some(400 | 403 | 404 | 410))
}

fn may_pass(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Connect | ErrorKind::Timeout) || matches!(status(error), Some(429 | 500..))
}

const OPERATION: &str = "download the file";

const ATTEMPTS: u32 = 3;

const PAUSE: Duration = Duration::from_secs(1);

const TIMEOUT: Duration = Duration::from_secs(300);
