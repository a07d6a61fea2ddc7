//! A folder of this machine: its files as documents, with renames and deletions.

mod config;
mod glob;
mod media;
mod sync;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{DataSourceConfig, Resource, SyncCursor};
use headwater_ports::connector::{ConfigField, FieldPlace};
use headwater_ports::{
    AuthType, Capability, Clock, Connector, ConnectorMetadata, Error, FileKind, FileTree, Result, StreamHandler,
};

use self::config::FolderConfig;
use self::sync::FolderSync;

/// Reads a folder of this machine. Every file is a document, named by its path below the root; folders can be selected.
///
/// A file is read only when its size or its time changed, and handed over only when its bytes did. Links are not followed.
/// A folder that is suddenly empty deletes nothing unless the settings say that it may be: a disk that is not mounted looks
/// just so.
pub struct FolderConnector {
    files: Arc<dyn FileTree>,
    clock: Arc<dyn Clock>,
}

impl FolderConnector {
    /// A connector that looks through that port.
    pub fn new(files: Arc<dyn FileTree>, clock: Arc<dyn Clock>) -> Self {
        Self { files, clock }
    }
}

#[async_trait]
impl Connector for FolderConnector {
    fn metadata(&self) -> ConnectorMetadata {
        ConnectorMetadata {
            connector_type: "folder",
            name: "Folder",
            description: "Files below a folder of this machine: Markdown, text and others as they are.",
            priority: 50,
            auth_type: AuthType::None,
            capabilities: &[Capability::Incremental, Capability::DeletionSync, Capability::LazyResources],
            fields: FIELDS,
        }
    }

    async fn validate(&self, config: &DataSourceConfig) -> Result<()> {
        let config = FolderConfig::new(config)?;
        self.files.list(&config.root, "").await.map(drop).map_err(|error| no_root(&error))
    }

    async fn list_resources<'a>(&self, config: &DataSourceConfig, parent: Option<&'a str>) -> Result<Vec<Resource>> {
        let config = FolderConfig::new(config)?;
        let Some(parent) = parent else {
            let name = config.root.file_name().map(|name| name.to_string_lossy().into_owned());
            let entries = self.files.list(&config.root, "").await.map_err(|error| no_root(&error))?;
            let has_children = entries.iter().any(|entry| entry.kind == FileKind::Folder);
            return Ok(vec![resource(WHOLE, name.as_deref().unwrap_or("/"), None, has_children)]);
        };
        let folder = if parent == WHOLE { "" } else { parent };
        let mut resources = Vec::new();
        for entry in self.files.list(&config.root, folder).await? {
            let path = joined(folder, &entry.name);
            if entry.kind == FileKind::Folder && config.enters(&path) {
                resources.push(resource(&path, &entry.name, Some(parent), true));
            }
        }
        Ok(resources)
    }

    async fn resolve_resource_ancestors(&self, config: &DataSourceConfig, ids: &[String]) -> Result<Vec<String>> {
        FolderConfig::new(config)?;
        let mut ancestors = BTreeSet::new();
        for id in ids.iter().filter(|id| *id != WHOLE) {
            // The shorter a path, the further out it is; the root has none.
            ancestors.insert((0, WHOLE.to_owned()));
            ancestors.extend(id.match_indices('/').map(|(at, _)| (at, id[..at].to_owned())));
        }
        Ok(ancestors.into_iter().map(|(_, id)| id).collect())
    }

    async fn fetch_stream(
        &self,
        config: &DataSourceConfig,
        cursor: SyncCursor,
        handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor> {
        let config = FolderConfig::new(config)?;
        self.files.list(&config.root, "").await.map_err(|error| no_root(&error))?;
        FolderSync::new(self.files.as_ref(), &config, cursor, handler, Arc::clone(&self.clock)).run().await
    }
}

fn resource(id: &str, name: &str, parent: Option<&str>, has_children: bool) -> Resource {
    Resource {
        external_id: id.to_owned(),
        name: name.to_owned(),
        resource_type: "folder".to_owned(),
        parent_id: parent.map(str::to_owned),
        has_children,
        ..Resource::default()
    }
}

/// The root is named in the settings: that it cannot be listed is a matter of the configuration.
fn no_root(error: &Error) -> Error {
    Error::new(ErrorKind::InvalidConfig, "open the folder", format!("the setting root: {error}"))
        .with_hint("give the absolute path of a folder that this program may read; is its disk mounted?")
}

/// A path below a folder; the root's is empty.
fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The id of the root as a resource.
const WHOLE: &str = ".";

const FIELDS: &[ConfigField] = &[
    ConfigField {
        name: "root",
        place: FieldPlace::Settings,
        required: true,
        description: "The absolute path of the folder.",
    },
    ConfigField {
        name: "include",
        place: FieldPlace::Settings,
        required: false,
        description: "Patterns of paths to take, a list or one a line, for example **/*.md; default: all files.",
    },
    ConfigField {
        name: "exclude",
        place: FieldPlace::Settings,
        required: false,
        description: "Patterns of paths to leave out; default: none.",
    },
    ConfigField {
        name: "hidden",
        place: FieldPlace::Settings,
        required: false,
        description: "Whether names that begin with a dot are taken; default: no.",
    },
    ConfigField {
        name: "max_bytes",
        place: FieldPlace::Settings,
        required: false,
        description: "The largest file that is taken; default: 52428800 (50 MiB).",
    },
    ConfigField {
        name: "allow_empty",
        place: FieldPlace::Settings,
        required: false,
        description: "Whether a folder that lists nothing has really lost all its files; default: no.",
    },
];
