//! Yuque: the documents of books, of one's own and of teams, as Markdown.
//!
//! What is read: documents, sheets and data tables; boards, threads and drafts are counted and left out. The API's token does
//! not open attachments, so links to them stay links.

mod api;
mod body;
mod books;
mod config;
mod document;
mod sheet;
mod sync;
mod toc;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::resilience::{Backoff, RequestRate};
use headwater_domain::sync::{DataSourceConfig, Resource, SyncCursor};
use headwater_ports::connector::{AuthType, Capability, ConfigField, ConnectorMetadata, FieldPlace};
use headwater_ports::{Clock, Connector, Result, StreamHandler};

use self::api::Api;
use self::sync::Run;
use crate::account::{AccountPolicy, Accounts, ConnectorPorts};
use crate::delivery::Delivery;

/// Reads books of Yuque with a token of a user or of a team.
pub struct YuqueConnector {
    accounts: Accounts,
    clock: Arc<dyn Clock>,
}

impl YuqueConnector {
    /// A connector on these ports.
    pub fn new(ports: ConnectorPorts) -> Self {
        Self { clock: Arc::clone(&ports.clock), accounts: Accounts::new(ports, policy()) }
    }

    fn api(&self, config: &DataSourceConfig) -> Result<Api> {
        let (origin, token) = (config::origin(config)?, config::token(config)?);
        let account = self.accounts.of(&[origin.as_str(), token.expose()]);
        Ok(Api::new(account, origin, token))
    }
}

#[async_trait]
impl Connector for YuqueConnector {
    fn metadata(&self) -> ConnectorMetadata {
        ConnectorMetadata {
            connector_type: "yuque",
            name: "Yuque (语雀)",
            description: "The documents, sheets and data tables of books, as Markdown",
            priority: 40,
            auth_type: AuthType::ApiKey,
            capabilities: &[Capability::Incremental, Capability::DeletionSync, Capability::LazyResources],
            fields: FIELDS,
        }
    }

    async fn validate(&self, config: &DataSourceConfig) -> Result<()> {
        self.api(config)?.owner().await.map(|_| ())
    }

    async fn list_resources<'a>(&self, config: &DataSourceConfig, parent: Option<&'a str>) -> Result<Vec<Resource>> {
        let api = self.api(config)?;
        match parent {
            None => books::topmost(&api).await,
            Some(parent) => books::below(&api, parent).await,
        }
    }

    async fn resolve_resource_ancestors(&self, config: &DataSourceConfig, ids: &[String]) -> Result<Vec<String>> {
        books::ancestors(&self.api(config)?, ids).await
    }

    async fn fetch_stream(
        &self,
        config: &DataSourceConfig,
        cursor: SyncCursor,
        handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor> {
        let selected = config::selected(config)?;
        let api = self.api(config)?;
        Run::new(&api, Delivery::new(handler, cursor, Arc::clone(&self.clock))).run(&selected).await
    }
}

/// 5,000 requests an hour are allowed; this never asks more than 4,900 times, whenever the hour begins.
fn policy() -> AccountPolicy {
    AccountPolicy {
        rate: RequestRate::new(Duration::from_millis(750), 100),
        attempts: 4,
        backoff: Backoff::new(Duration::from_secs(2), Duration::from_secs(60)),
        max_wait: Duration::from_secs(300),
    }
}

const FIELDS: &[ConfigField] = &[
    ConfigField {
        name: "api_token",
        place: FieldPlace::Credentials,
        required: true,
        description: "A token of a user (Settings, Tokens) or of a team, allowed to read documents and books",
    },
    ConfigField {
        name: "base_url",
        place: FieldPlace::Settings,
        required: false,
        description: "Where the space is; default https://www.yuque.com, a team's space is https://NAME.yuque.com",
    },
];
