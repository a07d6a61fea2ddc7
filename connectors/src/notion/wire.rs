//! What the service sends: the fields that are read, as they stand in its JSON.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// One page of a listing. A listing without these fields is of an unknown shape, and no listing.
#[derive(Debug, Deserialize)]
pub(super) struct Listing<T> {
    pub(super) results: Vec<T>,
    #[serde(default)]
    pub(super) next_cursor: Option<String>,
    pub(super) has_more: bool,
    #[serde(default)]
    pub(super) request_status: Option<RequestStatus>,
}

/// Whether a query came to its end.
#[derive(Debug, Deserialize)]
pub(super) struct RequestStatus {
    #[serde(rename = "type")]
    pub(super) kind: String,
}

/// A page, a database or a data source. Only the id is certain: a page may be shared in part.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Object {
    #[serde(default)]
    pub(super) object: String,
    pub(super) id: String,
    #[serde(default)]
    pub(super) created_time: Option<String>,
    #[serde(default)]
    pub(super) last_edited_time: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) in_trash: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) parent: ParentObject,
    /// Of a data source: what its database is in.
    #[serde(default, deserialize_with = "or_default")]
    pub(super) database_parent: ParentObject,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) properties: Map<String, Value>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) title: Vec<RichText>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) description: Vec<RichText>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) icon: Value,
    /// Of a database.
    #[serde(default, deserialize_with = "or_default")]
    pub(super) data_sources: Vec<DataSourceName>,
}

/// A data source as its database names it.
#[derive(Debug, Deserialize)]
pub(super) struct DataSourceName {
    pub(super) id: String,
}

/// What something is in.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ParentObject {
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) page_id: Option<String>,
    #[serde(default)]
    pub(super) data_source_id: Option<String>,
    #[serde(default)]
    pub(super) database_id: Option<String>,
    #[serde(default)]
    pub(super) block_id: Option<String>,
}

/// A block: what is common to all, and the fields of its type under the type's name.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Block {
    pub(super) id: String,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) has_children: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) in_trash: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) parent: ParentObject,
    #[serde(flatten)]
    pub(super) fields: Map<String, Value>,
}

/// A run of text with its marks.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct RichText {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) plain_text: String,
    #[serde(default)]
    pub(super) href: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) annotations: Annotations,
    #[serde(default)]
    pub(super) mention: Value,
    #[serde(default)]
    pub(super) equation: Value,
    #[serde(default)]
    pub(super) text: Value,
}

/// How a run of text looks. Its colour is not kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Annotations {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) strikethrough: bool,
    pub(super) underline: bool,
    pub(super) code: bool,
}

/// What an error says, beside its message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorBody {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) additional_data: Map<String, Value>,
}

impl Block {
    /// The fields of its type.
    pub(super) fn payload(&self) -> &Value {
        self.fields.get(&self.kind).unwrap_or(&Value::Null)
    }
}

/// The runs of text under a name; what is none counts as none.
pub(super) fn rich_text(value: &Value, name: &str) -> Vec<RichText> {
    value.get(name).map(runs).unwrap_or_default()
}

/// The runs of text of a list.
pub(super) fn runs(value: &Value) -> Vec<RichText> {
    let Some(list) = value.as_array() else { return Vec::new() };
    list.iter().filter_map(|run| RichText::deserialize(run).ok()).collect()
}

/// The text under a name, if it is one and not empty.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str().filter(|text| !text.is_empty())
}

fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
