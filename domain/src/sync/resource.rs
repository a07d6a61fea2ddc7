//! What can be selected in an outside system.

use jiff::Timestamp;
use serde::Serialize;

/// A selectable thing: a space, a page, a book, a folder, a feed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Resource {
    /// What is selected by: goes into the resource ids of a configuration.
    pub external_id: String,
    /// What people call it.
    pub name: String,
    /// The vendor's word for its kind.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// More for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where people see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The resource above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// Whether a listing with it as parent may give more.
    pub has_children: bool,
    /// When it was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified_at: Option<Timestamp>,
}
