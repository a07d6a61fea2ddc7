//! What files, pictures and recordings are in Markdown, and which of them become documents of their own.

use headwater_domain::secret::PrivateUrl;
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::Url;

use super::{Inside, Piece, exact};
use crate::notion::escape::{Place, escaped, target};
use crate::notion::id::{normal_id, without_signature};
use crate::notion::rich_text::{markdown, plain};
use crate::notion::wire::{Block, rich_text, text};

/// A file that the service holds: its address dies within the hour.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::notion) struct Attachment {
    /// The id of its document, `<page>#file#<token>`.
    pub(in crate::notion) external_id: String,
    /// Where a fresh address comes from.
    pub(in crate::notion) source: Source,
    /// Its name, with its extension.
    pub(in crate::notion) name: String,
    /// What people say of it.
    pub(in crate::notion) caption: String,
    /// Where it is now.
    pub(in crate::notion) url: PrivateUrl,
}

/// What names a file's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::notion) enum Source {
    /// A block.
    Block(String),
    /// A property of a page, and which of its files.
    Property(String, usize),
}

impl Attachment {
    /// Tells one file from another under the same id: the address without its signature, and the name.
    pub(in crate::notion) fn version(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(without_signature(self.url.expose().as_str()));
        hash.update([0]);
        hash.update(&self.name);
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The id of a document that is a file of a page.
pub(in crate::notion) fn child_id(page: &str, token: &str) -> String {
    format!("{page}#file#{token}")
}

/// The file of a block or of a property; none where somebody else holds it.
pub(in crate::notion) fn attachment(file: &Value, external_id: String, source: Source) -> Option<Attachment> {
    let url = file.get("file").and_then(|file| text(file, "url"))?;
    let url = Url::parse(url).ok()?;
    let name = text(file, "name").map_or_else(|| name_of(&url), str::to_owned);
    let caption = plain(&rich_text(file, "caption"));
    Some(Attachment { external_id, source, name, caption, url: PrivateUrl::new(url) })
}

pub(super) fn piece(block: &Block, page: &str) -> Piece {
    let (payload, id) = (block.payload(), normal_id(&block.id));
    let caption = markdown(&rich_text(payload, "caption"), Place::Line).replace("  \n", " ");
    let file = attachment(payload, child_id(page, &id), Source::Block(id));
    let external = payload.get("external").and_then(|external| text(external, "url")).map(without_signature);
    let place = match (&file, external) {
        (Some(file), _) => file.external_id.clone(),
        (None, Some(url)) => url,
        (None, None) => return super::unread(&block.kind, payload),
    };
    let name = file.as_ref().map(|file| file.name.clone()).or_else(|| named(payload, &place));
    let words = match block.kind.as_str() {
        "image" => format!("![{}]({})", without_links(&caption), target(&place)),
        _ => {
            let link =
                format!("[{}]({})", escaped(&name.unwrap_or_else(|| place.clone()), Place::Line), target(&place));
            if caption.is_empty() { link } else { format!("{link}  \n{caption}") }
        }
    };
    Piece { file, inside: Inside::Own, ..exact(words) }
}

fn named(payload: &Value, url: &str) -> Option<String> {
    text(payload, "name").map(str::to_owned).or_else(|| Some(name_of(&Url::parse(url).ok()?)))
}

/// The last part of an address, as people would write it.
fn name_of(url: &Url) -> String {
    let last = url.path_segments().and_then(|mut segments| segments.next_back()).filter(|last| !last.is_empty());
    let Some(last) = last else { return url.host_str().unwrap_or("file").to_owned() };
    // A form decoder reads a plus sign as a blank; in a path it is a plus sign.
    let query = format!("n={}", last.replace('+', "%2B").replace('&', "%26"));
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    pairs.next().map_or_else(|| last.to_owned(), |(_, name)| name.into_owned())
}

/// A picture's text may hold no link.
fn without_links(caption: &str) -> String {
    if caption.contains("](") { caption.replace("](", "] (") } else { caption.to_owned() }
}
