//! How the blocks of a document become Markdown.

mod inline;
mod language;
mod outline;
mod table;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::de::DeserializeOwned;
use serde_json::Value;

use self::inline::{inline, plain};
use self::language::language;
use self::outline::{Outline, Place};
pub(super) use self::table::{grid, table};
use super::wire::{Block, TableContent, TextContent, TokenContent};

/// A document's blocks by their ids, in the order of the listing.
pub(super) struct Blocks {
    root: Option<String>,
    by_id: HashMap<String, Block>,
    order: Vec<String>,
}

/// What a document holds that its blocks only name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Embedded {
    /// What it is.
    pub(super) kind: EmbeddedKind,
    /// Its token.
    pub(super) token: String,
    /// Its name, where it has one.
    pub(super) name: String,
}

/// What an embedded thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EmbeddedKind {
    File,
    Image,
    Sheet,
    Bitable,
}

/// What was found for the embedded things: Markdown of sheets and databases, file names of the others, by token.
pub(super) type Found = BTreeMap<String, String>;

/// A document as Markdown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rendered {
    pub(super) markdown: String,
    /// Blocks of types that have no text form; each stands in the text as a note.
    pub(super) unsupported: usize,
}

impl Blocks {
    /// Puts the blocks of a listing together. The root is the block of the type `page`.
    pub(super) fn new(blocks: Vec<Block>) -> Self {
        let root = blocks.iter().find(|block| block.block_type == PAGE).map(|block| block.block_id.clone());
        let order = blocks.iter().map(|block| block.block_id.clone()).collect();
        let by_id = blocks.into_iter().map(|block| (block.block_id.clone(), block)).collect();
        Self { root, by_id, order }
    }

    /// What is embedded, in the order of the document, each once.
    pub(super) fn embedded(&self) -> Vec<Embedded> {
        let mut seen = HashSet::new();
        let blocks = self.order.iter().filter_map(|id| self.by_id.get(id));
        let all = blocks.flat_map(|block| {
            let kind = match block.block_type {
                FILE => Some(EmbeddedKind::File),
                IMAGE => Some(EmbeddedKind::Image),
                SHEET => Some(EmbeddedKind::Sheet),
                BITABLE | REFERENCE_BASE => Some(EmbeddedKind::Bitable),
                _ => None,
            };
            let own = kind.map(|kind| {
                let content: TokenContent = content(block).unwrap_or_default();
                Embedded { kind, token: content.token, name: content.name }
            });
            let text: TextContent =
                if kind.is_none() { content(block).unwrap_or_default() } else { TextContent::default() };
            let files = text.elements.into_iter().filter_map(|element| element.file);
            let inline =
                files.map(|file| Embedded { kind: EmbeddedKind::File, token: file.file_token, name: String::new() });
            own.into_iter().chain(inline)
        });
        all.filter(|embedded| !embedded.token.is_empty() && seen.insert(embedded.token.clone())).collect()
    }

    /// The document as Markdown. Blocks that lead in circles are shown once; depth costs no stack.
    pub(super) fn render(&self, found: &Found) -> Rendered {
        let mut rendered = Rendered::default();
        let mut outline = Outline::default();
        let mut seen = HashSet::new();
        let mut open: Vec<(&Block, Place)> = Vec::new();
        let Some(root) = self.root.as_ref().and_then(|root| self.by_id.get(root)) else {
            return rendered;
        };
        self.push_children(&mut open, root, &Place::default());
        while let Some((block, place)) = open.pop() {
            if !seen.insert(block.block_id.as_str()) {
                continue;
            }
            let below = self.render_block(block, &place, found, &mut outline, &mut rendered.unsupported);
            if let Some(below) = below {
                self.push_children(&mut open, block, &below);
            }
        }
        rendered.markdown = outline.into_markdown();
        rendered
    }

    /// Pushes the children of a block so that the first is popped first; ordered items are numbered here.
    fn push_children<'b>(&'b self, open: &mut Vec<(&'b Block, Place)>, block: &Block, place: &Place) {
        let first = open.len();
        let mut number = 0;
        for child in block.children.iter().filter_map(|id| self.by_id.get(id)) {
            number = if child.block_type == ORDERED {
                let text: TextContent = content(child).unwrap_or_default();
                text.style.sequence.and_then(|sequence| sequence.parse().ok()).unwrap_or(number + 1)
            } else {
                0
            };
            open.push((child, place.numbered(number)));
        }
        open[first..].reverse();
    }

    /// Adds a block; gives where its children go, if they are not part of it.
    fn render_block(
        &self,
        block: &Block,
        place: &Place,
        found: &Found,
        outline: &mut Outline,
        unsupported: &mut usize,
    ) -> Option<Place> {
        let text = || inline(&content::<TextContent>(block).unwrap_or_default().elements, found);
        match block.block_type {
            PAGE | GRID | GRID_COLUMN | VIEW | SYNCED | AGENDA_FIRST..=AGENDA_LAST => return Some(place.clone()),
            TEXT => outline.paragraph(place, &text()),
            HEADING_1..=HEADING_9 => {
                let level = (block.block_type - HEADING_1 + 1).min(6) as usize;
                outline.paragraph(place, &format!("{} {}", "#".repeat(level), text().replace('\n', " ")));
            }
            BULLET => return Some(outline.item(place, "- ", &text())),
            ORDERED => return Some(outline.item(place, &format!("{}. ", place.number().max(1)), &text())),
            TODO => {
                let style = content::<TextContent>(block).unwrap_or_default().style;
                return Some(outline.item(place, if style.done { "- [x] " } else { "- [ ] " }, &text()));
            }
            CODE => {
                let code: TextContent = content(block).unwrap_or_default();
                outline.code(place, language(code.style.language), &plain(&code.elements));
            }
            QUOTE => {
                outline.paragraph(&place.quoted(), &text());
                return Some(place.quoted());
            }
            CALLOUT | QUOTE_CONTAINER => return Some(place.quoted()),
            EQUATION => {
                outline.paragraph(place, &format!("$$\n{}\n$$", plain(&content::<TextContent>(block)?.elements)))
            }
            DIVIDER => outline.paragraph(place, "---"),
            TABLE => outline.paragraph(place, &self.table(block, found)),
            FILE | IMAGE | SHEET | BITABLE | REFERENCE_BASE => outline.paragraph(place, &embedded(block, found)),
            IFRAME | LINK_PREVIEW => match address(block) {
                Some(url) => outline.paragraph(place, &format!("<{url}>")),
                None => self.note(block, place, outline, unsupported),
            },
            _ => {
                self.note(block, place, outline, unsupported);
                return Some(place.clone());
            }
        }
        Some(place.clone()).filter(|_| block.block_type != TABLE)
    }

    fn note(&self, block: &Block, place: &Place, outline: &mut Outline, unsupported: &mut usize) {
        *unsupported += 1;
        outline.paragraph(place, &format!("*[{} not shown here]*", name_of(block.block_type)));
    }

    /// A table; what stands in a cell is put on one line.
    fn table(&self, block: &Block, found: &Found) -> String {
        let content: TableContent = content(block).unwrap_or_default();
        let cells: Vec<String> = content.cells.iter().map(|id| self.cell(id, found)).collect();
        let width = content.property.column_size;
        if width == 0 || cells.is_empty() {
            return String::new();
        }
        let mut rows: Vec<Vec<String>> = cells.chunks(width).map(<[String]>::to_vec).collect();
        let head = rows.remove(0);
        table(&head, &rows)
    }

    fn cell(&self, id: &str, found: &Found) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut open: Vec<&str> = vec![id];
        let mut seen = HashSet::new();
        while let Some(block) = open.pop().and_then(|id| self.by_id.get(id)) {
            if !seen.insert(block.block_id.as_str()) {
                continue;
            }
            let line = match block.block_type {
                TABLE_CELL | TABLE => String::new(),
                FILE | IMAGE | SHEET | BITABLE | REFERENCE_BASE => embedded(block, found),
                CODE => format!("`{}`", plain(&content::<TextContent>(block).unwrap_or_default().elements)),
                _ => inline(&content::<TextContent>(block).unwrap_or_default().elements, found),
            };
            if !line.is_empty() {
                lines.push(line);
            }
            open.extend(block.children.iter().rev().map(String::as_str));
        }
        lines.join("\n")
    }
}

/// An embedded thing in the text: a link to its file, or its rows.
fn embedded(block: &Block, found: &Found) -> String {
    let content: TokenContent = content(block).unwrap_or_default();
    match (block.block_type, found.get(&content.token)) {
        (IMAGE, Some(file)) => format!("![]({})", inline::target(file)),
        (FILE, Some(file)) => {
            let name = if content.name.is_empty() { file } else { &content.name };
            format!("[{}]({})", inline::escaped(name), inline::target(file))
        }
        (_, Some(rows)) => rows.clone(),
        (kind, None) => format!("*[{} not shown here]*", name_of(kind)),
    }
}

/// The address in an iframe or a preview.
fn address(block: &Block) -> Option<String> {
    let url = match block.block_type {
        IFRAME => block.content.get("iframe")?.get("component")?.get("url")?,
        _ => block.content.get("link_preview")?.get("url")?,
    };
    inline::decoded_url(url.as_str()?)
}

/// What a block holds: the object under the key named for its type.
fn content<T: DeserializeOwned>(block: &Block) -> Option<T> {
    let mut objects = block.content.iter().filter(|(key, value)| value.is_object() && key.as_str() != "comment");
    let key = key_of(block.block_type);
    let value: &Value = block.content.get(key).or_else(|| objects.next().map(|(_, value)| value))?;
    T::deserialize(value).ok()
}

fn key_of(block_type: u32) -> &'static str {
    match block_type {
        PAGE => "page",
        TEXT => "text",
        3 => "heading1",
        4 => "heading2",
        5 => "heading3",
        6 => "heading4",
        7 => "heading5",
        8 => "heading6",
        9 => "heading7",
        10 => "heading8",
        11 => "heading9",
        BULLET => "bullet",
        ORDERED => "ordered",
        CODE => "code",
        QUOTE => "quote",
        EQUATION => "equation",
        TODO => "todo",
        BITABLE => "bitable",
        FILE => "file",
        IMAGE => "image",
        SHEET => "sheet",
        TABLE => "table",
        REFERENCE_BASE => "reference_base",
        _ => "",
    }
}

/// What people call a block that has no text form.
fn name_of(block_type: u32) -> String {
    let name = match block_type {
        BITABLE | REFERENCE_BASE => "database",
        20 => "chat card",
        21 => "diagram",
        FILE => "file",
        IMAGE => "image",
        28 | 40 => "add-on",
        29 => "mind map",
        SHEET => "sheet",
        35 => "task",
        36..=39 => "objectives",
        41 => "Jira issue",
        42 | 51 => "list of pages",
        43 => "board",
        50 => "text synced from another document",
        54 => "project",
        55..=59 => "meeting notes",
        other => return format!("block of type {other}"),
    };
    name.to_owned()
}

const PAGE: u32 = 1;
const TEXT: u32 = 2;
const HEADING_1: u32 = 3;
const HEADING_9: u32 = 11;
const BULLET: u32 = 12;
const ORDERED: u32 = 13;
const CODE: u32 = 14;
const QUOTE: u32 = 15;
const EQUATION: u32 = 16;
const TODO: u32 = 17;
const BITABLE: u32 = 18;
const CALLOUT: u32 = 19;
const DIVIDER: u32 = 22;
const FILE: u32 = 23;
const GRID: u32 = 24;
const GRID_COLUMN: u32 = 25;
const IFRAME: u32 = 26;
const IMAGE: u32 = 27;
const SHEET: u32 = 30;
const TABLE: u32 = 31;
const TABLE_CELL: u32 = 32;
const VIEW: u32 = 33;
const QUOTE_CONTAINER: u32 = 34;
const AGENDA_FIRST: u32 = 44;
const AGENDA_LAST: u32 = 47;
const LINK_PREVIEW: u32 = 48;
const SYNCED: u32 = 49;
const REFERENCE_BASE: u32 = 53;

#[cfg(test)]
mod tests;
