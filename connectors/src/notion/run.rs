//! How one reading goes: what is listed, what of it is read, and what is found to be gone.

mod files;
mod leftovers;
mod pages;
mod probe;
mod roots;
mod tables;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use headwater_domain::sync::{DataSourceConfig, FailedItem, SyncCursor};
use headwater_ports::{Error, Result, StreamHandler};

pub(super) use self::roots::{Named, named};
use super::answer::{is_fatal, refused};
use super::api::Api;
use super::index::{Index, Titles};
use super::parent::Id;
use super::tree::Tree;
use super::wire::Object;
use crate::account::ConnectorPorts;
use crate::delivery::Delivery;

/// One reading of what is selected.
pub(super) struct Run<'h> {
    api: &'h Api,
    ports: &'h ConnectorPorts,
    delivery: Delivery<'h>,
    titles: Titles,
    tree: Tree,
    queue: VecDeque<Work>,
    roots: Vec<Root>,
    /// What could not be listed: nothing below it counts as deleted.
    failed: HashSet<String>,
    /// The files that the cursor knows, by their pages.
    files: HashMap<String, Vec<String>>,
    /// Tables whose listing claims to be empty though rows of theirs are known.
    unconfirmed: Vec<tables::Table>,
    /// What this run found deleted.
    gone: HashSet<String>,
    /// Failures since the last success.
    streak: u32,
}

/// A selected resource, or the whole workspace.
struct Root {
    /// As the configuration names it.
    name: String,
    /// None: everything that is shared.
    id: Option<Id>,
    /// Whether the service shows it.
    is_there: bool,
}

/// Something to be read.
struct Work {
    kind: Kind,
    id: Id,
    above: Option<Id>,
    root: usize,
    /// What is known of it already.
    object: Option<Box<Object>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Page,
    Database,
    DataSource { database: Option<Id> },
}

impl<'h> Run<'h> {
    pub(super) fn new(
        api: &'h Api,
        ports: &'h ConnectorPorts,
        config: &DataSourceConfig,
        cursor: SyncCursor,
        handler: &'h mut dyn StreamHandler,
    ) -> Self {
        let roots = Root::all(config);
        let files = known_files(&cursor, &roots);
        Self {
            api,
            ports,
            delivery: Delivery::new(handler, cursor, Arc::clone(&ports.clock)),
            titles: Titles::default(),
            tree: Tree::default(),
            queue: VecDeque::new(),
            roots,
            failed: HashSet::new(),
            files,
            unconfirmed: Vec::new(),
            gone: HashSet::new(),
            streak: 0,
        }
    }

    /// Reads everything.
    ///
    /// # Errors
    /// The token is refused, nothing could be listed, or the service does not answer any more; and the handler's. What was
    /// kept before is in the last checkpoint.
    pub(super) async fn read(mut self) -> Result<SyncCursor> {
        match self.sync().await {
            Ok(()) => self.delivery.finish().await,
            Err(error) => {
                if is_fatal(&error) || refused(&error).is_some() {
                    self.delivery.checkpoint().await?;
                }
                Err(error)
            }
        }
    }

    async fn sync(&mut self) -> Result<()> {
        self.list().await?;
        self.open_roots().await?;
        self.drain().await?;
        self.read_leftovers().await?;
        if self.titles.index.failure.is_none() {
            self.find_deleted().await?;
        }
        self.confirm_tables().await
    }

    /// Searches. A selection is read without the search where that is less work: it is a hint.
    async fn list(&mut self) -> Result<()> {
        let is_everything = self.roots.iter().any(|root| root.id.is_none());
        let known: usize = self.roots.iter().map(|root| self.delivery.cursor().known(&root.name).count()).sum();
        let max_pages = if is_everything { usize::MAX } else { known.max(MIN_SEARCH_PAGES) };
        self.titles.index = Index::read(self.api, max_pages).await;
        let Some(error) = self.titles.index.failure.take() else { return Ok(()) };
        if is_fatal(&error) || (is_everything && self.titles.index.is_empty()) {
            return Err(error);
        }
        let whole = self.roots.iter().find(|root| root.id.is_none()).map(|root| root.name.clone());
        self.fail(None, Some(whole.unwrap_or_else(|| SEARCH.to_owned())), None, &error).await?;
        self.titles.index.failure = Some(error);
        Ok(())
    }

    /// Reads what is to be read until nothing is left.
    async fn drain(&mut self) -> Result<()> {
        while let Some(work) = self.queue.pop_front() {
            match work.kind.clone() {
                Kind::Page => self.read_page(work).await?,
                Kind::Database => self.read_database(work).await?,
                Kind::DataSource { database } => self.read_data_source(work, database).await?,
            }
        }
        Ok(())
    }

    /// Notes a failure. One that holds for the whole account, or for too long, ends the run.
    async fn fail(
        &mut self,
        external_id: Option<&str>,
        resource_id: Option<String>,
        title: Option<&str>,
        error: &Error,
    ) -> Result<()> {
        self.failed.extend(external_id.map(str::to_owned));
        self.failed.extend(resource_id.clone());
        let mut params = BTreeMap::new();
        if let Some(refused) = refused(error) {
            params.insert("status".to_owned(), refused.status.to_string());
            params.insert("vendor_code".to_owned(), refused.code.chars().take(60).collect());
        }
        let message = match &error.hint {
            Some(hint) => format!("{error}; {hint}"),
            None => error.to_string(),
        };
        let failed = FailedItem {
            external_id: external_id.map(str::to_owned),
            resource_id,
            title: title.filter(|title| !title.is_empty()).map(str::to_owned),
            kind: error.kind,
            params,
            message,
        };
        self.delivery.fail(failed).await
    }

    /// As [`fail`](Self::fail), for a document or a branch. After many of them in a row the service is asked whether it is
    /// there at all; if not, the run ends.
    async fn fail_document(&mut self, id: &str, title: Option<&str>, error: Error) -> Result<()> {
        if is_fatal(&error) {
            return Err(error);
        }
        self.fail(Some(id), Some(id.to_owned()), title, &error).await?;
        self.streak += 1;
        if self.streak < MAX_STREAK {
            return Ok(());
        }
        self.streak = 0;
        self.api.me().await.map(drop)
    }

    /// The knowledge base has a document under this root now, and so under no other.
    fn own(&mut self, root: usize, id: &str) {
        let cursor = self.delivery.cursor();
        let name = &self.roots[root].name;
        let others: Vec<_> = cursor
            .resources()
            .filter(|other| other != name && cursor.version(other, id).is_some())
            .map(str::to_owned)
            .collect();
        for other in others {
            self.delivery.cursor_mut().forget(&other, id);
        }
    }
}

impl Root {
    fn all(config: &DataSourceConfig) -> Vec<Self> {
        if config.resource_ids.is_empty() {
            return vec![Self { name: WORKSPACE.to_owned(), id: None, is_there: true }];
        }
        let mut roots: Vec<Self> = Vec::new();
        for name in &config.resource_ids {
            let id = if name == WORKSPACE { None } else { Some(Id::from(super::id::normal_id(name))) };
            if roots.iter().all(|root| root.id != id) {
                roots.push(Self { name: name.clone(), is_there: id.is_none(), id });
            }
        }
        roots
    }
}

fn known_files(cursor: &SyncCursor, roots: &[Root]) -> HashMap<String, Vec<String>> {
    let mut files: HashMap<String, Vec<String>> = HashMap::new();
    for root in roots {
        for (id, _) in cursor.known(&root.name) {
            if let Some((page, _)) = id.split_once('#') {
                files.entry(page.to_owned()).or_default().push(id.to_owned());
            }
        }
    }
    files
}

/// The source resource where nothing is selected: everything that the integration is given.
const WORKSPACE: &str = "workspace";

/// How a failed search is named where it is not what was selected.
const SEARCH: &str = "search";

/// Pages of the search that are always read: 2000 pages, rows and data sources.
const MIN_SEARCH_PAGES: usize = 20;

/// Failures in a row after which the service may be away.
const MAX_STREAK: u32 = 20;
