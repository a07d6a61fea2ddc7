//! How documents come out of an outside system.

use async_trait::async_trait;
use headwater_domain::sync::{DataSourceConfig, Deletion, FetchedItem, Note, Receipt, Resource, SyncCursor};
use serde::Serialize;

use crate::Result;

/// Speaks to one kind of outside system. One instance serves any number of data sources at once; requests of one account
/// share one pace, whichever data source makes them.
#[async_trait]
pub trait Connector: Send + Sync {
    /// The word by which configurations name it; never empty.
    fn connector_type(&self) -> &'static str {
        self.metadata().connector_type
    }

    /// What it is and what it can do: only what is true.
    fn metadata(&self) -> ConnectorMetadata;

    /// Asks the system whether the credentials and settings will do.
    ///
    /// # Errors
    /// `invalid_config` names the field; `invalid_credentials`; what a request can end with.
    async fn validate(&self, config: &DataSourceConfig) -> Result<()>;

    /// The resources one level below `parent`, or the topmost; a listing of one level costs no more than that level.
    async fn list_resources<'a>(&self, config: &DataSourceConfig, parent: Option<&'a str>) -> Result<Vec<Resource>>;

    /// The ids of all resources above the given ones, each once, the outermost first, so that a picker can open the way to
    /// them; in O(depth) requests each.
    async fn resolve_resource_ancestors(&self, config: &DataSourceConfig, ids: &[String]) -> Result<Vec<String>>;

    /// Reads what changed since the cursor, one document at a time, and gives the cursor of the end.
    ///
    /// An implementation MUST
    /// - let a version enter the cursor only after the handler's [`Receipt::Kept`] for that document;
    /// - keep the old entry of what failed, so that it is read again;
    /// - checkpoint every [`CHECKPOINT_ITEMS`] documents or [`CHECKPOINT_SECONDS`] seconds, and at the end;
    /// - find documents deleted only after a complete listing of their branch, probed by id where the system hides what
    ///   may not be read; never because of 401, 403, 429 or 5xx; an empty listing of a root that is not confirmed, or one
    ///   that hit a cap, deletes nothing; and hand all deletions over together, at the end;
    /// - leave alone the documents of resources that are no longer selected;
    /// - hold one document in memory, and be cancelled by dropping the future.
    ///
    /// # Errors
    /// Only what makes going on senseless (credentials refused, nothing could be listed) or what the handler returned.
    /// Everything else is a [`Note::Failed`]. The last checkpoint stands.
    async fn fetch_stream(
        &self,
        config: &DataSourceConfig,
        cursor: SyncCursor,
        handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor>;

    /// All documents at once, for callers with little to read.
    async fn fetch_all(&self, config: &DataSourceConfig) -> Result<Fetched> {
        self.fetch_incremental(config, SyncCursor::default()).await
    }

    /// Everything that changed at once, and the new cursor, for callers with little to read.
    async fn fetch_incremental(&self, config: &DataSourceConfig, cursor: SyncCursor) -> Result<Fetched> {
        let mut fetched = Fetched::default();
        fetched.cursor = self.fetch_stream(config, cursor, &mut fetched).await?;
        Ok(fetched)
    }
}

/// Takes what a connector reads.
#[async_trait]
pub trait StreamHandler: Send {
    /// Takes one document. An error ends the run.
    async fn emit(&mut self, item: FetchedItem) -> Result<Receipt>;

    /// Takes all deletions of a run together, so that a guard can judge them as a whole; a receipt each, in order.
    ///
    /// A document that was handed over under another resource since has moved: it stays, and the deletion is
    /// [`Receipt::Kept`].
    async fn delete(&mut self, deletions: Vec<Deletion>) -> Result<Vec<Receipt>>;

    /// Takes note of what happened besides.
    async fn note(&mut self, note: Note) -> Result<()>;

    /// Makes the cursor durable: its changes are taken out of it ([`SyncCursor::take_changes`]) and are there after a
    /// crash.
    async fn checkpoint(&mut self, cursor: &mut SyncCursor) -> Result<()>;
}

/// What a connector is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConnectorMetadata {
    /// The word by which configurations name it.
    #[serde(rename = "type")]
    pub connector_type: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// One sentence.
    pub description: &'static str,
    /// Listings are sorted by it, the smallest first.
    pub priority: u32,
    /// How it is let in.
    pub auth_type: AuthType,
    /// What works.
    pub capabilities: &'static [Capability],
    /// Its credentials and settings, for forms and for `config check`.
    pub fields: &'static [ConfigField],
}

/// How a connector is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthType {
    /// An application's id and secret, exchanged for tokens.
    Oauth2,
    /// A token that the user makes.
    ApiKey,
    /// Anything else, as the fields say.
    Custom,
    /// Nothing is needed.
    None,
}

/// What a connector can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Reads only what changed.
    Incremental,
    /// Finds out what was deleted.
    DeletionSync,
    /// Lists resources level by level.
    LazyResources,
    /// Hands over files and images of documents as documents of their own.
    Children,
}

/// One field of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ConfigField {
    /// Its key.
    pub name: &'static str,
    /// Where it stands.
    pub place: FieldPlace,
    /// Whether nothing works without it.
    pub required: bool,
    /// One sentence, with the default.
    pub description: &'static str,
}

/// Where a field of a configuration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldPlace {
    /// Among the credentials: sealed, never shown.
    Credentials,
    /// Among the settings.
    Settings,
}

/// Everything of a run in memory: the handler behind [`Connector::fetch_incremental`].
#[derive(Debug, Default)]
pub struct Fetched {
    /// The documents, in order.
    pub items: Vec<FetchedItem>,
    /// What is gone.
    pub deletions: Vec<Deletion>,
    /// What happened besides.
    pub notes: Vec<Note>,
    /// The cursor of the end.
    pub cursor: SyncCursor,
}

/// Documents after which a connector checkpoints.
pub const CHECKPOINT_ITEMS: u64 = 50;

/// Seconds after which a connector checkpoints.
pub const CHECKPOINT_SECONDS: i64 = 30;

#[async_trait]
impl StreamHandler for Fetched {
    async fn emit(&mut self, item: FetchedItem) -> Result<Receipt> {
        self.items.push(item);
        Ok(Receipt::Kept)
    }

    async fn delete(&mut self, deletions: Vec<Deletion>) -> Result<Vec<Receipt>> {
        let receipts = vec![Receipt::Kept; deletions.len()];
        self.deletions.extend(deletions);
        Ok(receipts)
    }

    async fn note(&mut self, note: Note) -> Result<()> {
        self.notes.push(note);
        Ok(())
    }

    async fn checkpoint(&mut self, cursor: &mut SyncCursor) -> Result<()> {
        cursor.take_changes();
        Ok(())
    }
}
