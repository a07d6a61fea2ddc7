//! How the content of one document is read, with the files and images inside of it.

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{FetchedItem, Receipt, file_name};
use headwater_ports::{Error, Result};

use super::api::{Api, Found};
use super::blocks::{Blocks, Embedded, EmbeddedKind, Found as FoundThings};
use super::calls::Listing;
use super::embedded;
use super::export::{Exported, export};
use super::node::{Content, Form, Node, exported_type};
use crate::delivery::Delivery;

/// What reading a document came to.
pub(super) enum Read {
    /// Its content, and whether every file inside of it was had.
    Content(Content, Wholeness),
    /// It is gone.
    Missing,
    /// The app may not read it.
    Hidden,
    /// It is too large.
    TooLarge,
}

/// Whether every file and image of a document is with the knowledge base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wholeness {
    /// It is, or never will be.
    Whole,
    /// Something may be had the next time.
    Partial,
}

/// Reads a document. Files and images inside of it are handed over on the way, one at a time.
pub(super) async fn read(
    api: &Api,
    node: &Node,
    source: &str,
    form: Form,
    delivery: &mut Delivery<'_>,
) -> Result<Read> {
    match form {
        Form::File => file(api, node).await,
        Form::Blocks => blocks(api, node, source, delivery).await,
        Form::Export(extension) => match export(api, &node.obj_token, &node.obj_type, extension).await? {
            Exported::File(bytes) => {
                let content = Content::file(&node.title, extension, exported_type(extension), bytes);
                Ok(Read::Content(content, Wholeness::Whole))
            }
            // Owners may forbid copies of what may still be read.
            Exported::Forbidden if node.obj_type == "docx" => blocks(api, node, source, delivery).await,
            Exported::Forbidden => Ok(Read::Hidden),
            Exported::Missing => Ok(Read::Missing),
            Exported::TooLarge => Ok(Read::TooLarge),
        },
    }
}

async fn file(api: &Api, node: &Node) -> Result<Read> {
    Ok(match api.file(&node.obj_token).await? {
        Found::Here((bytes, content_type)) => {
            let (stem, extension) = split_name(&node.title);
            let content_type = content_type.unwrap_or_else(|| "application/octet-stream".to_owned());
            Read::Content(Content::file(stem, extension, &content_type, bytes), Wholeness::Whole)
        }
        Found::Missing => Read::Missing,
        Found::Hidden(_) => Read::Hidden,
    })
}

async fn blocks(api: &Api, node: &Node, source: &str, delivery: &mut Delivery<'_>) -> Result<Read> {
    let mut all = Vec::new();
    let mut listing = Listing::new();
    while !listing.is_over() {
        match api.blocks(&node.obj_token, &mut listing).await? {
            Found::Here(page) => all.extend(page),
            Found::Missing => return Ok(Read::Missing),
            Found::Hidden(_) => return Ok(Read::Hidden),
        }
        if all.len() > MAX_BLOCKS {
            return Ok(Read::TooLarge);
        }
    }
    let blocks = Blocks::new(all);
    let mut found = FoundThings::new();
    let mut children = Vec::new();
    let mut wholeness = Wholeness::Whole;
    for thing in blocks.embedded() {
        let shown = match thing.kind {
            EmbeddedKind::Sheet => Some(embedded::sheet(api, &thing.token).await?),
            EmbeddedKind::Bitable => Some(embedded::bitable(api, &thing.token, &api.settings.zone).await?),
            EmbeddedKind::File | EmbeddedKind::Image => {
                let child = Child { node, source, thing: &thing };
                children.push(child.id());
                child.hand_over(api, delivery, &mut wholeness).await?
            }
        };
        if let Some(shown) = shown {
            found.insert(thing.token.clone(), shown);
        }
    }
    let rendered = blocks.render(&found);
    let bytes = Bytes::from(rendered.markdown);
    let mut content = Content::file(&node.title, "md", "text/markdown", bytes);
    if rendered.unsupported > 0 {
        content.facts.insert("unsupported_blocks".to_owned(), rendered.unsupported.to_string());
    }
    content.children = Some(children);
    Ok(Read::Content(content, wholeness))
}

/// A file or an image inside of a document.
struct Child<'a> {
    node: &'a Node,
    source: &'a str,
    thing: &'a Embedded,
}

impl Child<'_> {
    fn id(&self) -> String {
        let kind = if self.thing.kind == EmbeddedKind::Image { "image" } else { "file" };
        format!("{}#{kind}#{}", self.node.id, self.thing.token)
    }

    /// Hands the child over unless the knowledge base has it: what a token names never changes. Gives its file's name, none
    /// where it could not be had.
    async fn hand_over(
        &self,
        api: &Api,
        delivery: &mut Delivery<'_>,
        wholeness: &mut Wholeness,
    ) -> Result<Option<String>> {
        if let Some(name) = delivery.cursor().version(self.source, &self.id()) {
            return Ok(Some(name.to_owned()));
        }
        let (bytes, content_type) = match api.media(&self.thing.token).await {
            Ok(Found::Here(file)) => file,
            Ok(Found::Missing | Found::Hidden(_)) => return Ok(None),
            Err(error) if error.kind == ErrorKind::BodyTooLarge => return Ok(None),
            Err(error) if is_of_this_file(&error) => {
                *wholeness = Wholeness::Partial;
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let item = self.item(bytes, content_type);
        let name = item.file_name.clone();
        let receipt = delivery.emit(item, &name).await?;
        if receipt == Receipt::NotKept {
            *wholeness = Wholeness::Partial;
        }
        Ok(Some(name))
    }

    fn item(&self, content: Bytes, content_type: Option<String>) -> FetchedItem {
        let sniffed = image_type(&content);
        let content_type =
            sniffed.map(str::to_owned).or(content_type).unwrap_or_else(|| "application/octet-stream".to_owned());
        let (stem, extension) = match (self.thing.name.as_str(), sniffed) {
            ("", Some(image)) => ("image", image.trim_start_matches("image/")),
            ("", None) => ("file", "bin"),
            (name, _) => split_name(name),
        };
        FetchedItem {
            external_id: self.id(),
            title: if self.thing.name.is_empty() { stem.to_owned() } else { self.thing.name.clone() },
            content,
            content_type,
            file_name: file_name(&format!("{stem}-{}", self.thing.token), extension),
            url: Some(self.node.url.clone()).filter(|url| !url.is_empty()),
            path: self.node.path.clone(),
            source_resource_id: self.source.to_owned(),
            parent_id: Some(self.node.id.clone()),
            ..FetchedItem::default()
        }
    }
}

/// Whether an error is about one file: others of the same account may still be had.
fn is_of_this_file(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::HttpStatus | ErrorKind::Timeout | ErrorKind::Connect | ErrorKind::Malformed)
}

fn split_name(name: &str) -> (&str, &str) {
    match name.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty()
                && (1..=8).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            (stem, extension)
        }
        _ => (name, ""),
    }
}

/// The type of a picture by its first bytes: the vendor's header often says nothing.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Blocks of one document; a larger one is left out.
const MAX_BLOCKS: usize = 50_000;
