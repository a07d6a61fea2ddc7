//! Notion: pages, databases and data sources, as Markdown and as files.
//!
//! `docs/connectors/notion.md` says what is read and what is not. In short: the search tells where to look and what may
//! have changed, pages lead to what is in them, and a query of each data source lists its rows. A document is read again
//! when its edit time, its title, its path or its properties are others, or when it was read in the minute of its last
//! edit; it is handed over when its text is another. It is deleted only when the service, asked for it by its id, says so.

mod answer;
mod api;
mod blocks;
mod escape;
mod id;
mod index;
mod paging;
mod parent;
mod properties;
mod resources;
mod rich_text;
mod run;
mod settings;
mod tree;
mod version;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::resilience::{Backoff, RequestRate};
use headwater_domain::sync::{DataSourceConfig, Resource, SyncCursor};
use headwater_ports::{AuthType, Capability, Connector, ConnectorMetadata, Result, StreamHandler};

use crate::account::{AccountPolicy, Accounts, ConnectorPorts};
use api::{Api, Ask};
use paging::Pages;
use run::Run;
use settings::Settings;

/// Reads Notion.
pub struct NotionConnector {
    ports: ConnectorPorts,
    accounts: Accounts,
}

impl NotionConnector {
    /// A connector at the pace of the vendor's smallest plan: 180 requests a minute for each token.
    pub fn new(ports: ConnectorPorts) -> Self {
        Self::with_rate(ports, RequestRate::new(INTERVAL, BURST))
    }

    /// A connector at another pace, for a workspace with a larger plan.
    pub fn with_rate(ports: ConnectorPorts, rate: RequestRate) -> Self {
        let backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(60));
        let policy = AccountPolicy { rate, attempts: ATTEMPTS, backoff, max_wait: MAX_WAIT };
        Self { accounts: Accounts::new(ports.clone(), policy), ports }
    }

    fn api(&self, config: &DataSourceConfig) -> Result<Api> {
        let settings = Settings::parse(config)?;
        let account = self.accounts.of(&[&settings.base, settings.token.expose()]);
        Ok(Api::new(account, settings))
    }
}

#[async_trait]
impl Connector for NotionConnector {
    fn metadata(&self) -> ConnectorMetadata {
        ConnectorMetadata {
            connector_type: "notion",
            name: "Notion",
            description: "Pages, databases and their rows, with the files in them.",
            priority: 30,
            auth_type: AuthType::ApiKey,
            capabilities: &[
                Capability::Incremental,
                Capability::DeletionSync,
                Capability::LazyResources,
                Capability::Children,
            ],
            fields: settings::FIELDS,
        }
    }

    async fn validate(&self, config: &DataSourceConfig) -> Result<()> {
        let api = self.api(config)?;
        api.me().await?;
        // A token may be good for nothing: this asks for the capability that everything else needs.
        Pages::of_size(Ask::Search, 1).next::<serde_json::Value>(&api).await?;
        Ok(())
    }

    async fn list_resources<'a>(&self, config: &DataSourceConfig, parent: Option<&'a str>) -> Result<Vec<Resource>> {
        let api = self.api(config)?;
        match parent {
            None => resources::top(&api).await,
            Some(parent) => resources::below(&api, parent).await,
        }
    }

    async fn resolve_resource_ancestors(&self, config: &DataSourceConfig, ids: &[String]) -> Result<Vec<String>> {
        resources::ancestors(&self.api(config)?, ids).await
    }

    async fn fetch_stream(
        &self,
        config: &DataSourceConfig,
        cursor: SyncCursor,
        handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor> {
        let api = self.api(config)?;
        Run::new(&api, &self.ports, config, cursor, handler).read().await
    }
}

/// So that no window of a minute, wherever it begins, sees more than 180 requests, the burst included.
const INTERVAL: Duration = Duration::from_millis(340);

const BURST: u32 = 3;

const ATTEMPTS: u32 = 5;

/// The service says a minute at most for a connection; a busy workspace may be asked to wait longer.
const MAX_WAIT: Duration = Duration::from_secs(300);
