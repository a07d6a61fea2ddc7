//! Feishu and Lark: the documents of wiki spaces and of folders of the drive.
//!
//! Documents come as the file that the vendor exports (`mode` `export`), or as Markdown made from their blocks, files and
//! images as children (`mode` `blocks`). Sheets and databases come as workbooks, uploaded files as they are. Mind maps, boards
//! and slides have no text form: they are counted and left out.

mod api;
mod blocks;
mod calls;
mod codes;
mod config;
mod embedded;
mod export;
mod node;
mod reading;
mod resources;
mod sync;
mod wire;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::resilience::{Backoff, RequestRate};
use headwater_domain::sync::{DataSourceConfig, Resource, SyncCursor};
use headwater_ports::connector::{AuthType, Capability, ConfigField, ConnectorMetadata, FieldPlace};
use headwater_ports::{Clock, Connector, Result, StreamHandler};
use sha2::{Digest, Sha256};

use self::api::{Api, Paces, TokenPlace};
pub use self::config::Region;
use self::config::{Settings, selected};
use self::sync::Run;
use crate::account::{AccountPolicy, Accounts, ConnectorPorts};
use crate::delivery::Delivery;

/// Reads wikis and drives with a custom app.
pub struct FeishuConnector {
    region: Region,
    clock: Arc<dyn Clock>,
    wiki: Accounts,
    export: Accounts,
    download: Accounts,
    docx: Accounts,
    tables: Accounts,
    tokens: Mutex<HashMap<[u8; 32], Arc<TokenPlace>>>,
}

impl FeishuConnector {
    /// A connector to that cloud on these ports.
    pub fn new(region: Region, ports: ConnectorPorts) -> Self {
        let accounts = |policy| Accounts::new(ports.clone(), policy);
        Self {
            region,
            clock: Arc::clone(&ports.clock),
            // 100 a minute are allowed; never more than 100 come within any minute.
            wiki: accounts(policy(Duration::from_millis(667), 10)),
            export: accounts(policy(Duration::from_millis(667), 10)),
            download: accounts(policy(Duration::from_millis(210), 1)),
            docx: accounts(policy(Duration::from_millis(210), 1)),
            tables: accounts(policy(Duration::from_millis(110), 5)),
            tokens: Mutex::default(),
        }
    }

    fn api(&self, config: &DataSourceConfig) -> Result<Api> {
        let settings = Settings::parse(config, self.region)?;
        let words = [settings.origin.as_str(), settings.app_id.as_str(), settings.app_secret.expose().as_str()];
        let paces = Paces {
            wiki: self.wiki.of(&words),
            export: self.export.of(&words),
            download: self.download.of(&words),
            docx: self.docx.of(&words),
            tables: self.tables.of(&words),
        };
        let token = self.token_place(&words);
        Ok(Api::new(settings, paces, token))
    }

    fn token_place(&self, words: &[&str]) -> Arc<TokenPlace> {
        let mut hash = Sha256::new();
        for word in words {
            hash.update(word.len().to_le_bytes());
            hash.update(word.as_bytes());
        }
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= MAX_TOKENS {
            tokens.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(tokens.entry(hash.finalize().into()).or_default())
    }
}

#[async_trait]
impl Connector for FeishuConnector {
    fn metadata(&self) -> ConnectorMetadata {
        let (name, priority) = match self.region {
            Region::Feishu => ("Feishu (飞书)", 20),
            Region::Lark => ("Lark", 21),
        };
        ConnectorMetadata {
            connector_type: self.region.connector_type(),
            name,
            description: "The documents of wiki spaces and of folders of the drive",
            priority,
            auth_type: AuthType::Oauth2,
            capabilities: &[
                Capability::Incremental,
                Capability::DeletionSync,
                Capability::LazyResources,
                Capability::Children,
            ],
            fields: FIELDS,
        }
    }

    async fn validate(&self, config: &DataSourceConfig) -> Result<()> {
        let api = self.api(config)?;
        api.sign_in().await?;
        // A sign-in shows that id and secret are right, a listing that the app has its scopes.
        api.spaces(&mut calls::Listing::new()).await.map(|_| ())
    }

    async fn list_resources<'a>(&self, config: &DataSourceConfig, parent: Option<&'a str>) -> Result<Vec<Resource>> {
        let api = self.api(config)?;
        match parent {
            None => resources::topmost(&api).await,
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
        let selected = selected(config)?;
        let api = self.api(config)?;
        Run::new(&api, Delivery::new(handler, cursor, Arc::clone(&self.clock))).run(&selected).await
    }
}

fn policy(interval: Duration, burst: u32) -> AccountPolicy {
    AccountPolicy {
        rate: RequestRate::new(interval, burst),
        attempts: 5,
        backoff: Backoff::new(Duration::from_secs(2), Duration::from_secs(30)),
        max_wait: Duration::from_secs(300),
    }
}

const FIELDS: &[ConfigField] = &[
    ConfigField {
        name: "app_id",
        place: FieldPlace::Credentials,
        required: true,
        description: "The App ID of a custom app (cli_…)",
    },
    ConfigField {
        name: "app_secret",
        place: FieldPlace::Credentials,
        required: true,
        description: "The App Secret of that app",
    },
    ConfigField {
        name: "mode",
        place: FieldPlace::Settings,
        required: false,
        description: "`export` (default): documents as exported files; `blocks`: as Markdown with their files and images",
    },
    ConfigField {
        name: "folders",
        place: FieldPlace::Settings,
        required: false,
        description: "Tokens of folders of the drive that are offered for selection, separated by commas",
    },
    ConfigField {
        name: "timezone",
        place: FieldPlace::Settings,
        required: false,
        description: "The time zone of dates in embedded databases (IANA name); default UTC+8",
    },
    ConfigField {
        name: "base_url",
        place: FieldPlace::Settings,
        required: false,
        description: "The address of the API; default that of the vendor's cloud",
    },
];

/// Apps whose tokens are remembered while nobody uses them.
const MAX_TOKENS: usize = 1000;
