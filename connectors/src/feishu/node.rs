//! What a document of a space or a folder is to the knowledge base, and when it has changed.

use std::collections::BTreeMap;
use std::fmt;

use headwater_domain::sync::{FetchedItem, file_name};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::config::{Mode, Settings};
use super::wire::{DriveFile, WikiNode};

/// A document, of a space or of the drive.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// By what it is known: the node's token, or the file's.
    pub(super) id: String,
    /// By what its content is had.
    pub(super) obj_token: String,
    /// `docx`, `sheet`, `file`, ….
    pub(super) obj_type: String,
    pub(super) title: String,
    /// When its content was last edited, as the vendor writes it.
    pub(super) edited: String,
    /// The node or folder right above it; empty at the top.
    pub(super) parent: String,
    /// The titles above it, the outermost first.
    pub(super) path: Vec<String>,
    pub(super) url: String,
    pub(super) is_shortcut: bool,
    /// Whether a listing of it may give more.
    pub(super) has_children: bool,
    pub(super) metadata: BTreeMap<String, String>,
}

/// A document's version: when it was edited, what it is called and where, what stands right above it, and how it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    edited: String,
    named: String,
    parent: String,
    mode: char,
}

/// In which form a document is had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Exported to a file with that extension.
    Export(&'static str),
    /// Markdown from its blocks.
    Blocks,
    /// The uploaded file itself.
    File,
}

impl Node {
    /// A node of a space.
    pub(super) fn wiki(node: WikiNode, path: Vec<String>, settings: &Settings) -> Self {
        let metadata = facts([
            ("channel", "feishu"),
            ("obj_token", &node.obj_token),
            ("obj_type", &node.obj_type),
            ("node_token", &node.node_token),
            ("space_id", &node.space_id),
            ("creator", &node.creator),
            ("owner", &node.owner),
        ]);
        Self {
            url: format!("{}/wiki/{}", settings.web_origin, node.node_token),
            is_shortcut: node.node_type == "shortcut",
            has_children: node.has_child,
            id: node.node_token,
            obj_token: node.obj_token,
            obj_type: node.obj_type,
            title: node.title,
            edited: node.obj_edit_time,
            parent: node.parent_node_token,
            path,
            metadata,
        }
    }

    /// A file of a folder.
    pub(super) fn drive(file: DriveFile, folder: &str, path: Vec<String>) -> Self {
        let is_shortcut = file.kind == "shortcut";
        let target = file.shortcut_info.filter(|_| is_shortcut);
        let (obj_type, obj_token) = match target {
            Some(target) => (target.target_type, target.target_token),
            None => (file.kind, file.token.clone()),
        };
        let metadata = facts([
            ("channel", "feishu_drive"),
            ("obj_token", &obj_token),
            ("obj_type", &obj_type),
            ("file_token", &file.token),
            ("folder_token", folder),
            ("owner", &file.owner_id),
        ]);
        Self {
            has_children: obj_type == "folder" && !is_shortcut,
            id: file.token,
            obj_token,
            obj_type,
            title: file.name,
            edited: file.modified_time,
            parent: folder.to_owned(),
            path,
            url: file.url,
            is_shortcut,
            metadata,
        }
    }

    /// In which form it is had; none: the vendor gives its content in no form.
    pub(super) fn form(&self, mode: Mode) -> Option<Form> {
        Some(match self.obj_type.as_str() {
            "docx" if mode == Mode::Blocks => Form::Blocks,
            "docx" | "doc" => Form::Export("docx"),
            "sheet" | "bitable" => Form::Export("xlsx"),
            "file" => Form::File,
            _ => return None,
        })
    }

    /// Its version at that moment. Times are whole seconds, and two edits may share one: what was edited just now counts as
    /// touched again the next time.
    pub(super) fn version(&self, mode: Mode, now: Timestamp) -> Version {
        let seconds = self.edited.parse::<i64>().ok();
        let just_now = seconds.is_none_or(|seconds| now.as_second() - seconds < SETTLED_SECONDS);
        let mut words = vec![self.title.as_str(), self.obj_token.as_str()];
        words.extend(self.path.iter().map(String::as_str));
        Version {
            edited: format!("{}{}", self.edited, if just_now { "~" } else { "" }),
            named: hash(&words),
            parent: self.parent.clone(),
            mode: if self.form(mode) == Some(Form::Blocks) { 'b' } else { 'e' },
        }
    }

    /// Its item with that content.
    pub(super) fn item(&self, source: &str, content: Content) -> FetchedItem {
        let mut metadata = self.metadata.clone();
        metadata.extend(content.facts);
        FetchedItem {
            external_id: self.id.clone(),
            title: self.title.clone(),
            content: content.bytes,
            content_type: content.content_type,
            file_name: content.file_name,
            url: Some(self.url.clone()).filter(|url| !url.is_empty()),
            path: self.path.clone(),
            updated_at: self.edited.parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok()),
            metadata,
            source_resource_id: source.to_owned(),
            parent_id: None,
            children: content.children,
        }
    }
}

/// The content of a document.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) bytes: bytes::Bytes,
    pub(super) content_type: String,
    pub(super) file_name: String,
    pub(super) facts: BTreeMap<String, String>,
    pub(super) children: Option<Vec<String>>,
}

impl Content {
    /// A file with the name of its document. An extension that the title has already is not doubled.
    pub(super) fn file(title: &str, extension: &str, content_type: &str, bytes: bytes::Bytes) -> Self {
        let ending = format!(".{extension}");
        let stem = title.strip_suffix(&ending).unwrap_or(title);
        let content_type = content_type.to_owned();
        Self { bytes, content_type, file_name: file_name(stem, extension), ..Self::default() }
    }
}

impl Version {
    /// Reads a version from a cursor.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('|');
        Some(Self {
            edited: parts.next()?.to_owned(),
            named: parts.next()?.to_owned(),
            parent: parts.next()?.to_owned(),
            mode: parts.next()?.chars().next()?,
        })
    }

    /// Whether a document of this version is to be read though `known` is there: anything but the same is newer, since times
    /// may go back when a document is restored.
    pub(super) fn is_news(&self, known: Option<&Self>) -> bool {
        self.edited.ends_with('~') || known != Some(self)
    }

    /// What stood right above the document.
    pub(super) fn parent(&self) -> &str {
        &self.parent
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}|{}|{}", self.edited, self.named, self.parent, self.mode)
    }
}

/// The extension and media type of what an export gives.
pub(super) fn exported_type(extension: &str) -> &'static str {
    match extension {
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        _ => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
}

fn facts<const N: usize>(facts: [(&str, &str); N]) -> BTreeMap<String, String> {
    let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
    known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn hash(words: &[&str]) -> String {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.len().to_le_bytes());
        hash.update(word.as_bytes());
    }
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An edit that long ago shares its second with no edit to come.
const SETTLED_SECONDS: i64 = 5;
