//! The objects of Feishu's API that are read, as they come over the wire.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

/// The frame of every answer.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<T> {
    pub(super) data: Option<T>,
}

/// The frame without what it holds.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    pub(super) code: i64,
    #[serde(default)]
    pub(super) error: Option<ErrorPart>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ErrorPart {
    #[serde(default)]
    pub(super) permission_violations: Vec<Violation>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Violation {
    #[serde(default)]
    pub(super) subject: String,
}

/// The answer to the request for a token: its fields stand beside the code.
#[derive(Deserialize)]
pub(super) struct TokenAnswer {
    #[serde(default)]
    pub(super) tenant_access_token: String,
    #[serde(default)]
    pub(super) expire: i64,
}

/// A page of a listing. An empty page with more behind it is legal.
#[derive(Debug, Deserialize)]
pub(super) struct Page<T> {
    #[serde(default = "Vec::new")]
    pub(super) items: Vec<T>,
    #[serde(default)]
    pub(super) page_token: Option<String>,
    #[serde(default)]
    pub(super) has_more: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Space {
    pub(super) space_id: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeAnswer {
    pub(super) node: WikiNode,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct WikiNode {
    #[serde(default)]
    pub(super) space_id: String,
    pub(super) node_token: String,
    #[serde(default)]
    pub(super) obj_token: String,
    #[serde(default)]
    pub(super) obj_type: String,
    #[serde(default)]
    pub(super) parent_node_token: String,
    #[serde(default)]
    pub(super) node_type: String,
    #[serde(default)]
    pub(super) has_child: bool,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) obj_edit_time: String,
    #[serde(default)]
    pub(super) creator: String,
    #[serde(default)]
    pub(super) owner: String,
}

/// A page of a folder: its token has another name than elsewhere.
#[derive(Debug, Deserialize)]
pub(super) struct FolderPage {
    #[serde(default = "Vec::new")]
    pub(super) files: Vec<DriveFile>,
    #[serde(default)]
    pub(super) next_page_token: Option<String>,
    #[serde(default)]
    pub(super) has_more: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct DriveFile {
    pub(super) token: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) modified_time: String,
    #[serde(default)]
    pub(super) owner_id: String,
    #[serde(default)]
    pub(super) shortcut_info: Option<ShortcutInfo>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct ShortcutInfo {
    #[serde(default)]
    pub(super) target_type: String,
    #[serde(default)]
    pub(super) target_token: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct FolderMeta {
    #[serde(default)]
    pub(super) name: String,
}

/// What is known of documents by their tokens.
#[derive(Debug, Deserialize)]
pub(super) struct Metas {
    #[serde(default)]
    pub(super) metas: Vec<Meta>,
    #[serde(default)]
    pub(super) failed_list: Vec<FailedMeta>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Meta {
    #[serde(default)]
    pub(super) doc_token: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct FailedMeta {
    #[serde(default)]
    pub(super) token: String,
    #[serde(default)]
    pub(super) code: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Ticket {
    pub(super) ticket: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct ExportAnswer {
    pub(super) result: ExportResult,
}

#[derive(Debug, Deserialize)]
pub(super) struct ExportResult {
    #[serde(default)]
    pub(super) file_token: String,
    pub(super) job_status: i64,
}

/// A block of a document. What it holds stands under a key named for its type.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Block {
    pub(super) block_id: String,
    pub(super) block_type: u32,
    #[serde(default)]
    pub(super) children: Vec<String>,
    #[serde(flatten)]
    pub(super) content: HashMap<String, Value>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextContent {
    pub(super) elements: Vec<Element>,
    pub(super) style: TextStyle,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextStyle {
    pub(super) done: bool,
    pub(super) language: u32,
    /// The number of an ordered item, or `auto`.
    pub(super) sequence: Option<String>,
}

/// A stretch of text: one of these is there.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Element {
    pub(super) text_run: Option<TextRun>,
    pub(super) mention_user: Option<MentionUser>,
    pub(super) mention_doc: Option<MentionDoc>,
    pub(super) equation: Option<Equation>,
    pub(super) link_preview: Option<LinkPreview>,
    pub(super) file: Option<InlineFile>,
    pub(super) reminder: Option<Reminder>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextRun {
    pub(super) content: String,
    pub(super) text_element_style: ElementStyle,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct ElementStyle {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) strikethrough: bool,
    pub(super) underline: bool,
    pub(super) inline_code: bool,
    pub(super) link: Option<Link>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Link {
    /// Percent-encoded as a whole.
    pub(super) url: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct MentionUser {
    pub(super) user_id: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct MentionDoc {
    pub(super) title: String,
    pub(super) url: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Equation {
    pub(super) content: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct LinkPreview {
    pub(super) title: String,
    pub(super) url: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct InlineFile {
    pub(super) file_token: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Reminder {
    /// Milliseconds since 1970.
    pub(super) expire_time: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct TableContent {
    pub(super) cells: Vec<String>,
    pub(super) property: TableProperty,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct TableProperty {
    pub(super) column_size: usize,
}

/// What a file, image, sheet or database block names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenContent {
    pub(super) token: String,
    pub(super) name: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SheetValues {
    pub(super) value_range: ValueRange,
}

#[derive(Debug, Deserialize)]
pub(super) struct ValueRange {
    #[serde(default)]
    pub(super) values: Vec<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TableField {
    pub(super) field_name: String,
    #[serde(default, rename = "type")]
    pub(super) kind: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct TableRecord {
    #[serde(default)]
    pub(super) fields: HashMap<String, Value>,
}
