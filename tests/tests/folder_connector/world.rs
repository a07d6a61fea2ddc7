//! A folder of the machine as a world of the conformance suite.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use headwater_adapters_fs::LocalFileTree;
use headwater_connectors::folder::FolderConnector;
use headwater_domain::ErrorKind;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Connector, Error, FileEntry, FileTree, Result};
use headwater_tests::contract::connector::{Abilities, Fault, Gate, World};
use headwater_tests::fakes::FakeClock;
use serde_json::json;
use tempfile::TempDir;

/// Two folders in a folder that is removed at the end.
pub struct FolderWorld {
    root: TempDir,
    gate: Arc<Gate>,
    clock: Arc<FakeClock>,
    empty: Arc<Mutex<HashSet<String>>>,
}

/// The machine's folders behind the gate: `list FOLDER` and `read FILE`.
struct GatedTree {
    gate: Arc<Gate>,
    empty: Arc<Mutex<HashSet<String>>>,
}

impl FolderWorld {
    /// Two empty folders.
    pub fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder can be made");
        for branch in BRANCHES {
            fs::create_dir(root.path().join(branch)).expect("a folder can be made");
        }
        Self { root, gate: Arc::default(), clock: Arc::default(), empty: Arc::default() }
    }

    fn path(&self, branch: usize, name: &str) -> PathBuf {
        self.root.path().join(file(branch, name))
    }
}

#[async_trait]
impl FileTree for GatedTree {
    async fn list(&self, root: &Path, folder: &str) -> Result<Vec<FileEntry>> {
        let _pass = self.gate.pass(&format!("list {folder}")).await.map_err(error)?;
        if self.empty.lock().expect("nobody panics with it").contains(folder) {
            return Ok(Vec::new());
        }
        LocalFileTree.list(root, folder).await
    }

    async fn read(&self, root: &Path, file: &str, max_bytes: u64) -> Result<Bytes> {
        let _pass = self.gate.pass(&format!("read {file}")).await.map_err(error)?;
        LocalFileTree.read(root, file, max_bytes).await
    }
}

#[async_trait]
impl World for FolderWorld {
    fn connector(&self) -> Arc<dyn Connector> {
        let tree = GatedTree { gate: Arc::clone(&self.gate), empty: Arc::clone(&self.empty) };
        Arc::new(FolderConnector::new(Arc::new(tree), Arc::clone(&self.clock) as _))
    }

    fn config(&self) -> DataSourceConfig {
        let settings = json!({ "root": self.root.path().to_string_lossy() });
        DataSourceConfig {
            connector_type: "folder".to_owned(),
            resource_ids: BRANCHES.map(str::to_owned).to_vec(),
            settings: settings.as_object().cloned().unwrap_or_default(),
            ..DataSourceConfig::default()
        }
    }

    fn resource(&self, branch: usize) -> String {
        BRANCHES[branch].to_owned()
    }

    fn unknown_resource(&self) -> String {
        "nowhere".to_owned()
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn clock(&self) -> &FakeClock {
        &self.clock
    }

    fn abilities(&self) -> Abilities {
        Abilities { deletions: true, caps: false, pages: false, credentials: false, levels: true, lookahead: 1 }
    }

    async fn add(&self, branch: usize, name: &str, text: &str) {
        fs::write(self.path(branch, name), text).expect("a file can be written");
    }

    async fn edit(&self, branch: usize, name: &str, text: &str) {
        // Another size, so that a clock of coarse grain hides no edit.
        fs::write(self.path(branch, name), format!("{text}\n")).expect("a file can be written");
    }

    async fn rename(&self, branch: usize, name: &str, new_name: &str) {
        fs::rename(self.path(branch, name), self.path(branch, new_name)).expect("a file can be renamed");
    }

    async fn delete(&self, branch: usize, name: &str) {
        fs::remove_file(self.path(branch, name)).expect("a file can be removed");
    }

    fn content_of(&self, target: &str) -> Option<String> {
        target.strip_prefix("read ").map(str::to_owned)
    }

    async fn break_document(&self, branch: usize, name: &str) {
        self.gate.fail_on(&format!("read {}", file(branch, name)), Fault::NoAnswer(ErrorKind::Store));
    }

    async fn break_branch(&self, branch: usize) {
        self.gate.fail_on(&format!("list {}", BRANCHES[branch]), Fault::Status(403));
    }

    async fn empty_branch(&self, branch: usize) {
        self.empty.lock().expect("nobody panics with it").insert(BRANCHES[branch].to_owned());
    }

    async fn heal(&self) {
        self.gate.heal();
        self.empty.lock().expect("nobody panics with it").clear();
    }
}

fn file(branch: usize, name: &str) -> String {
    format!("{}/{name}.md", BRANCHES[branch])
}

fn error(fault: Fault) -> Error {
    let kind = match fault {
        Fault::NoAnswer(kind) => kind,
        Fault::Status(_) | Fault::Hang => ErrorKind::Auth,
    };
    Error::new(kind, "look at files", "it may not be read")
}

const BRANCHES: [&str; 2] = ["a", "b"];
