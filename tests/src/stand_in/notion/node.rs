//! What the world of the stand-in is made of.

use jiff::Timestamp;
use serde_json::{Map, Value};

/// A page, a row, a database, a data source or a block.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) place: Place,
    pub(super) title: String,
    /// Properties of a row, schema of a data source, payload of a block.
    pub(super) fields: Map<String, Value>,
    /// The blocks of a page or block, the data sources of a database, the rows of a data source.
    pub(super) inside: Vec<String>,
    pub(super) created: Timestamp,
    pub(super) edited: Timestamp,
    pub(super) is_trashed: bool,
    pub(super) is_hidden: bool,
    pub(super) is_archived: bool,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A page, or a row.
    Page,
    /// A database.
    Database,
    /// A data source.
    DataSource,
    /// A block of that type.
    Block(String),
}

/// Where a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// At the top of the workspace.
    Workspace,
    /// In a page.
    Page(String),
    /// In a block.
    Block(String),
    /// In a database.
    Database(String),
    /// Among the rows of a data source.
    Rows(String),
}

impl Place {
    /// The node that it is in.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Self::Workspace => None,
            Self::Page(id) | Self::Block(id) | Self::Database(id) | Self::Rows(id) => Some(id),
        }
    }
}
