//! What a page, a row or a data source is in.

use std::sync::Arc;

use super::id::normal_id;
use super::wire::ParentObject;

/// An id, held once however often it is named.
pub(super) type Id = Arc<str>;

/// What something is in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Parent {
    /// Nothing: it stands at the top.
    Workspace,
    /// A page.
    Page(Id),
    /// A data source: it is one of its rows.
    DataSource(Id),
    /// A database: it is one of its data sources.
    Database(Id),
    /// A column, a toggle or the like, somewhere in a page.
    Block(Id),
    /// The service does not say.
    #[default]
    Unknown,
}

impl From<&ParentObject> for Parent {
    fn from(wire: &ParentObject) -> Self {
        let id = |text: &Option<String>| text.as_deref().map(|text| Id::from(normal_id(text)));
        // The most telling first: a row names its database as well.
        if let Some(source) = id(&wire.data_source_id) {
            Self::DataSource(source)
        } else if let Some(page) = id(&wire.page_id) {
            Self::Page(page)
        } else if let Some(block) = id(&wire.block_id) {
            Self::Block(block)
        } else if let Some(database) = id(&wire.database_id) {
            Self::Database(database)
        } else if wire.kind == "workspace" {
            Self::Workspace
        } else {
            Self::Unknown
        }
    }
}
