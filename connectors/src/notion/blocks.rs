//! What one block is in Markdown, without what is in it.

mod media;
mod table;
mod walk;
mod writer;

use serde_json::Value;

use super::escape::{Place, escaped, fence, target};
use super::id::{normal_id, stable_link, whole_link};
use super::rich_text::{markdown, plain};
use super::wire::{Block, rich_text, runs, text};

pub(super) use media::{Attachment, Source, attachment, child_id};
pub(super) use table::line as row_line;
pub(super) use walk::{Body, Child, Walk};

/// One block, ready to be written.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Piece {
    /// Its own text, if it has any.
    pub(super) text: Text,
    /// Which list it is an item of, if any.
    pub(super) list: Option<List>,
    /// What stands before its first line.
    pub(super) marker: String,
    /// What stands before its other lines, and before what is in it.
    pub(super) indent: String,
    /// Whether what is in it belongs to the same document.
    pub(super) inside: Inside,
    /// The file that it shows.
    pub(super) file: Option<Attachment>,
    /// The document that it leads to.
    pub(super) child: Option<Child>,
    /// Its type, where that cannot be read.
    pub(super) unread: Option<String>,
}

/// What a block says.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Text {
    /// Nothing.
    #[default]
    None,
    /// Lines that could be taken for something else by how they begin.
    Prose(String),
    /// Lines that are what they are.
    Exact(String),
}

/// Which blocks stand close together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Bullets,
    Numbers,
}

/// What is in a block.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Inside {
    /// Whatever is listed under its id.
    #[default]
    Own,
    /// Whatever is listed under this id; it is a copy.
    Of(String),
    /// What is listed under these ids, under their headings.
    Parts(Vec<(&'static str, String)>),
    /// Rows of a table.
    Rows(table::Shape),
    /// Nothing of this document.
    Nothing,
}

/// What a block is in, as far as its text needs it.
pub(super) struct Around<'a> {
    /// The document.
    pub(super) page: &'a str,
    /// The number of an item of a numbered list.
    pub(super) number: u64,
    /// The title of what it links to, where that is known.
    pub(super) title: Option<&'a str>,
}

impl Piece {
    /// Whether what is in it stands where it stands.
    fn is_transparent(&self) -> bool {
        self.text == Text::None && self.indent.is_empty()
    }
}

/// The block, ready to be written.
pub(super) fn piece(block: &Block, around: &Around<'_>) -> Piece {
    let payload = block.payload();
    let words = || markdown(&rich_text(payload, "rich_text"), Place::Line);
    match block.kind.as_str() {
        "paragraph" | "template" => prose(words()),
        "heading_1" => heading(1, &words()),
        "heading_2" => heading(2, &words()),
        "heading_3" => heading(3, &words()),
        "heading_4" => heading(4, &words()),
        "bulleted_list_item" | "toggle" => item("- ", words(), List::Bullets),
        "numbered_list_item" => item(&format!("{}. ", around.number), words(), List::Numbers),
        "to_do" => to_do(payload, words()),
        "quote" => quoted(words()),
        "callout" => callout(payload, words()),
        "code" => code(payload),
        "equation" => equation(payload),
        "divider" => exact("---"),
        "breadcrumb" | "table_of_contents" | "column_list" | "column" | "tab" => Piece::default(),
        "table" => Piece { inside: Inside::Rows(table::Shape::of(payload)), ..Piece::default() },
        "image" | "video" | "pdf" | "audio" | "file" => media::piece(block, around.page),
        "bookmark" | "embed" | "link_preview" => link(payload),
        "link_to_page" => link_to_page(payload, around.title),
        "child_page" => child(block, false),
        "child_database" => child(block, true),
        "synced_block" => synced(payload),
        "meeting_notes" | "transcription" => meeting(payload),
        "unsupported" => unread(text(payload, "block_type").unwrap_or("unsupported"), payload),
        other => unread(other, payload),
    }
}

/// The id that a block links to as a document of its own.
pub(super) fn linked(block: &Block) -> Option<String> {
    let payload = block.payload();
    let named = |name| text(payload, name).map(normal_id);
    (block.kind == "link_to_page").then(|| named("page_id").or_else(|| named("database_id"))).flatten()
}

/// Where a numbered list begins to count.
pub(super) fn first_number(block: &Block) -> Option<u64> {
    block.payload().get("list_start_index")?.as_u64()
}

/// A note in place of what cannot be read.
pub(super) fn note(words: &str) -> String {
    format!("*[{words}]*")
}

fn prose(words: String) -> Piece {
    Piece { text: if words.is_empty() { Text::None } else { Text::Prose(words) }, ..Piece::default() }
}

fn exact(words: impl Into<String>) -> Piece {
    Piece { text: Text::Exact(words.into()), ..Piece::default() }
}

fn heading(level: usize, words: &str) -> Piece {
    let words = words.replace("  \n", " ");
    if words.trim().is_empty() {
        return Piece::default();
    }
    exact(format!("{} {}", "#".repeat(level), words.trim()))
}

fn item(marker: &str, words: String, list: List) -> Piece {
    let indent = " ".repeat(marker.len());
    Piece { text: Text::Prose(words), list: Some(list), marker: marker.to_owned(), indent, ..Piece::default() }
}

fn to_do(payload: &Value, words: String) -> Piece {
    let checked = payload.get("checked").and_then(Value::as_bool).unwrap_or_default();
    let marker = if checked { "- [x] " } else { "- [ ] " };
    Piece { indent: "  ".to_owned(), ..item(marker, words, List::Bullets) }
}

fn quoted(words: String) -> Piece {
    Piece { text: Text::Prose(words), marker: "> ".to_owned(), indent: "> ".to_owned(), ..Piece::default() }
}

fn callout(payload: &Value, words: String) -> Piece {
    let icon = payload.get("icon").map(icon_text).unwrap_or_default();
    quoted([icon, words].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
}

/// An icon that has a text.
pub(super) fn icon_text(icon: &Value) -> String {
    let custom = icon.get("custom_emoji").and_then(|emoji| text(emoji, "name")).map(|name| format!(":{name}:"));
    text(icon, "emoji").map(str::to_owned).or(custom).unwrap_or_default()
}

fn code(payload: &Value) -> Piece {
    let body = plain(&rich_text(payload, "rich_text"));
    let marks = fence(&body);
    let language = text(payload, "language").unwrap_or_default();
    let language = if language == "plain text" { String::new() } else { language.replace([' ', '`'], "-") };
    let mut words = format!("{marks}{language}\n{body}\n{marks}");
    let caption = markdown(&rich_text(payload, "caption"), Place::Line);
    if !caption.is_empty() {
        words.push_str(&format!("\n\n{caption}"));
    }
    exact(words)
}

fn equation(payload: &Value) -> Piece {
    let expression = text(payload, "expression").unwrap_or_default().trim().replace('\0', "");
    if expression.is_empty() { Piece::default() } else { exact(format!("$$\n{expression}\n$$")) }
}

fn link(payload: &Value) -> Piece {
    let Some(url) = text(payload, "url").map(whole_link) else { return Piece::default() };
    let caption = markdown(&rich_text(payload, "caption"), Place::Line);
    let words = if caption.is_empty() { escaped(&url, Place::Line) } else { caption };
    exact(format!("[{words}]({})", target(&url)))
}

fn link_to_page(payload: &Value, title: Option<&str>) -> Piece {
    let id = ["page_id", "database_id"].into_iter().find_map(|name| text(payload, name));
    let Some(id) = id.map(normal_id) else { return unread("link_to_page", payload) };
    let title = title.filter(|title| !title.is_empty()).map_or("Untitled".into(), |title| escaped(title, Place::Line));
    exact(format!("[{title}]({})", stable_link(&id)))
}

fn child(block: &Block, is_database: bool) -> Piece {
    let id = normal_id(&block.id);
    let title = text(block.payload(), "title").unwrap_or("Untitled").to_owned();
    let words = format!("[{}]({})", escaped(&title, Place::Line), stable_link(&id));
    let child = Some(Child { id, title, is_database });
    Piece { child, inside: Inside::Nothing, ..exact(words) }
}

fn synced(payload: &Value) -> Piece {
    let original = payload.get("synced_from").and_then(|from| text(from, "block_id")).map(normal_id);
    Piece { inside: original.map_or(Inside::Own, Inside::Of), ..Piece::default() }
}

fn meeting(payload: &Value) -> Piece {
    let title = match payload.get("title") {
        Some(Value::String(title)) => escaped(title, Place::Line),
        Some(list) => markdown(&runs(list), Place::Line),
        None => String::new(),
    };
    let part = |(name, heading)| {
        let id = payload.get("children").and_then(|children| text(children, name))?;
        Some((heading, normal_id(id)))
    };
    let parts: Vec<_> = MEETING_PARTS.into_iter().filter_map(part).collect();
    let inside = if parts.is_empty() { Inside::Own } else { Inside::Parts(parts) };
    Piece { inside, ..heading(3, if title.is_empty() { "Meeting notes" } else { &title }) }
}

/// A type that is not known: what it says is kept all the same, with a note.
fn unread(kind: &str, payload: &Value) -> Piece {
    let kind: String = kind.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(40).collect();
    let mut words = note(&format!("Notion block “{kind}” cannot be read"));
    let said = markdown(&rich_text(payload, "rich_text"), Place::Line);
    if !said.is_empty() {
        words = format!("{words}  \n{said}");
    }
    Piece { unread: Some(kind), ..exact(words) }
}

const MEETING_PARTS: [(&str, &str); 3] =
    [("summary_block_id", "Summary"), ("notes_block_id", "Notes"), ("transcript_block_id", "Transcript")];
