//! What a document of Yuque is to the knowledge base, and when it has changed.

use std::collections::BTreeMap;

use headwater_domain::sync::{FetchedItem, file_name};
use headwater_ports::Result;
use sha2::{Digest, Sha256};

use super::body::plain_markdown;
use super::config::Selected;
use super::sheet;
use super::wire::{Book, Doc};

/// The book of a document, and how it came to be read.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) book: &'a Book,
    /// The resource id that the user selected.
    pub(super) source: &'a str,
    /// The titles above the document.
    pub(super) path: &'a [String],
    /// Its address for people.
    pub(super) url: String,
}

/// A document's version: when it was touched, what it is called and where it stands, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    touched: String,
    named: String,
    book: String,
    says: String,
}

/// A text with its media type and its file's extension.
pub(super) type Content = (String, &'static str, &'static str);

/// What kinds of content are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Html,
    Sheet,
    Table,
}

impl Kind {
    /// The kind of a document; none: it has no text form.
    pub(super) fn of(doc: &Doc) -> Option<Self> {
        match doc.kind() {
            "Doc" if doc.format.as_deref() == Some("lakesheet") => Some(Self::Sheet),
            "Doc" if doc.format.as_deref() == Some("laketable") => Some(Self::Table),
            "Doc" if doc.format.as_deref() == Some("lakeboard") => None,
            "Doc" => Some(Self::Text),
            "HtmlDoc" => Some(Self::Html),
            "Sheet" => Some(Self::Sheet),
            "Table" => Some(Self::Table),
            _ => None,
        }
    }
}

impl Version {
    /// The version of a document as a listing shows it, with what is known of its content.
    pub(super) fn listed(doc: &Doc, place: &Place<'_>) -> Self {
        let touched = doc.updated_at.or(doc.content_updated_at).map(|at| at.to_string()).unwrap_or_default();
        let mut words = vec![doc.title.as_str(), place.url.as_str()];
        words.extend(place.path.iter().map(String::as_str));
        Self { touched, named: short_hash(&words), book: place.book.id.to_string(), says: String::new() }
    }

    /// The version with the content of an item.
    #[must_use]
    pub(super) fn with_content(mut self, content: &[u8]) -> Self {
        self.says = hex(&Sha256::digest(content)[..8]);
        self
    }

    /// Reads a version from a cursor.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('|').map(str::to_owned);
        Some(Self { touched: parts.next()?, named: parts.next()?, book: parts.next()?, says: parts.next()? })
    }

    /// The book in which the document was.
    pub(super) fn book(&self) -> Option<u64> {
        self.book.parse().ok()
    }

    /// Whether a listing shows nothing new. Without a time there is always something.
    pub(super) fn is_untouched(&self, known: &Self) -> bool {
        !self.touched.is_empty() && self.touched == known.touched && self.named == known.named
    }

    /// Whether it says the same under the same name: only its time moved.
    pub(super) fn is_same(&self, known: &Self) -> bool {
        self.named == known.named && self.says == known.says
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}|{}|{}|{}", self.touched, self.named, self.book, self.says)
    }
}

impl Selected {
    /// The resource id.
    pub(super) fn id(&self) -> String {
        match self {
            Self::Book(id) => id.clone(),
            Self::Shelf(shelf) => shelf.id(),
        }
    }
}

/// The content of a document other than a data table, with its media type and extension.
///
/// # Errors
/// `malformed`, where a sheet cannot be read.
pub(super) fn content(doc: &Doc, kind: Kind) -> Result<Content> {
    let body = doc.body.as_deref().unwrap_or_default();
    Ok(match kind {
        Kind::Html => (doc.body_html.as_deref().unwrap_or(body).to_owned(), "text/html", "html"),
        Kind::Sheet => (doc.body_sheet.as_deref().map_or(Ok(String::new()), sheet::sheets)?, "text/markdown", "md"),
        Kind::Text | Kind::Table => (plain_markdown(body), "text/markdown", "md"),
    })
}

/// The item of a document with that content.
pub(super) fn item(doc: &Doc, place: &Place<'_>, content: Content) -> FetchedItem {
    let (text, content_type, extension) = content;
    FetchedItem {
        external_id: doc.id.to_string(),
        title: doc.title.clone(),
        content: text.into(),
        content_type: content_type.to_owned(),
        file_name: file_name(&doc.title, extension),
        url: Some(place.url.clone()),
        path: std::iter::once(place.book.name.clone()).chain(place.path.iter().cloned()).collect(),
        updated_at: doc.content_updated_at.or(doc.updated_at),
        metadata: metadata(doc, place.book),
        source_resource_id: place.source.to_owned(),
        parent_id: None,
        children: None,
    }
}

fn metadata(doc: &Doc, book: &Book) -> BTreeMap<String, String> {
    let creator = doc.creator.as_ref().map(|creator| creator.name.clone().unwrap_or_else(|| creator.login.clone()));
    [
        ("channel", Some("yuque".to_owned())),
        ("doc_id", Some(doc.id.to_string())),
        ("book_id", Some(book.id.to_string())),
        ("book", Some(book.namespace.clone())),
        ("slug", Some(doc.slug.clone())),
        ("doc_type", Some(doc.kind().to_owned())),
        ("creator", creator),
        ("word_count", doc.word_count.map(|count| count.to_string())),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name.to_owned(), value.filter(|value| !value.is_empty())?)))
    .collect()
}

fn short_hash(words: &[&str]) -> String {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.len().to_le_bytes());
        hash.update(word.as_bytes());
    }
    hex(&hash.finalize()[..8])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
