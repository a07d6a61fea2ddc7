//! The connector of the guide: notebooks of a small notes service.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use headwater_connectors::account::{Account, AccountPolicy, Accounts, Judgement};
use headwater_connectors::{ConnectorPorts, Delivery};
use headwater_domain::ErrorKind;
use headwater_domain::resilience::{Backoff, RequestRate};
use headwater_domain::secret::PrivateUrl;
use headwater_domain::sync::{DataSourceConfig, FailedItem, FetchedItem, Resource, SyncCursor, file_name};
use headwater_ports::connector::{ConfigField, FieldPlace};
use headwater_ports::{
    AuthType, Capability, Clock, Connector, ConnectorMetadata, Error, FetchRequest, FetchResponse, Result,
    StreamHandler,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;

pub struct NotesConnector {
    accounts: Accounts,
    clock: Arc<dyn Clock>,
}

/// A note in a listing: `revision` is another one after every change.
#[derive(Deserialize)]
struct Entry {
    id: String,
    title: String,
    revision: u64,
}

impl NotesConnector {
    pub fn new(ports: ConnectorPorts) -> Self {
        let policy = AccountPolicy {
            rate: RequestRate::new(Duration::from_millis(100), 5),
            attempts: 3,
            backoff: Backoff::new(Duration::from_secs(1), Duration::from_secs(30)),
            max_wait: Duration::from_secs(120),
        };
        let clock = Arc::clone(&ports.clock);
        Self { accounts: Accounts::new(ports, policy), clock }
    }

    async fn notebook(&self, api: &Api, notebook: &str, delivery: &mut Delivery<'_>) -> Result<()> {
        let entries: Vec<Entry> = match api.json(&format!("notebooks/{notebook}")).await {
            Ok(entries) => entries,
            Err(error) if error.kind == ErrorKind::Auth => return Err(error),
            Err(error) => return delivery.fail(failed(None, Some(notebook), &error)).await,
        };
        for entry in &entries {
            let version = entry.revision.to_string();
            if delivery.cursor().version(notebook, &entry.id) == Some(&version) {
                delivery.unchanged(1);
                continue;
            }
            match api.get(&format!("notes/{}", entry.id)).await {
                Ok(response) => {
                    let _ = delivery.emit(document(notebook, entry, response), &version).await?;
                }
                Err(error) => delivery.fail(failed(Some(entry), None, &error)).await?,
            }
        }
        find_deleted(notebook, &entries, delivery);
        Ok(())
    }
}

/// What is known and not listed is gone. An empty listing proves nothing.
fn find_deleted(notebook: &str, entries: &[Entry], delivery: &mut Delivery<'_>) {
    if entries.is_empty() {
        return;
    }
    let listed: HashSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    let known = delivery.cursor().known(notebook).map(|(id, _)| id.to_owned());
    let gone: Vec<String> = known.filter(|id| !listed.contains(id.as_str())).collect();
    gone.iter().for_each(|id| delivery.delete(notebook, id));
}

fn document(notebook: &str, entry: &Entry, response: FetchResponse) -> FetchedItem {
    FetchedItem {
        external_id: entry.id.clone(),
        title: entry.title.clone(),
        content: response.body,
        content_type: "text/markdown".to_owned(),
        file_name: file_name(&entry.title, "md"),
        source_resource_id: notebook.to_owned(),
        ..FetchedItem::default()
    }
}

fn failed(entry: Option<&Entry>, notebook: Option<&str>, error: &Error) -> FailedItem {
    FailedItem {
        external_id: entry.map(|entry| entry.id.clone()),
        resource_id: notebook.map(str::to_owned),
        title: entry.map(|entry| entry.title.clone()),
        kind: error.kind,
        params: BTreeMap::new(),
        message: error.to_string(),
    }
}

/// The service, as one account sees it.
struct Api {
    account: Arc<Account>,
    base: Url,
    authorization: Vec<u8>,
}

impl NotesConnector {
    fn api(&self, config: &DataSourceConfig) -> Result<Api> {
        let invalid = |detail| Error::new(ErrorKind::InvalidConfig, "read the settings of the notes", detail);
        let base = config.setting("base_url").and_then(|text| Url::parse(text).ok());
        let base = base.ok_or_else(|| invalid("the setting base_url must be a web address that ends in /"))?;
        let token = config.credential("token").ok_or_else(|| invalid("the credential token is missing"))?;
        let account = self.accounts.of(&[base.as_str(), token.expose()]);
        Ok(Api { account, base, authorization: format!("Bearer {}", token.expose()).into_bytes() })
    }
}

impl Api {
    async fn get(&self, path: &str) -> Result<FetchResponse> {
        let url = self.base.join(path).map_err(|error| Error::new(ErrorKind::InvalidUrl, "ask", error.to_string()))?;
        let request = FetchRequest::get(PrivateUrl::new(url)).header("authorization", self.authorization.clone());
        self.account.send(request, |response, _now| judge(response)).await
    }

    async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let response = self.get(path).await?;
        serde_json::from_slice(&response.body)
            .map_err(|error| Error::new(ErrorKind::Malformed, "read the answer", error.to_string()))
    }
}

fn judge(response: &FetchResponse) -> Judgement {
    let error = |kind| Error::new(kind, "ask the notes", format!("the server answered {}", response.status));
    match response.status {
        200 => Judgement::Accept,
        429 => {
            let asked = response.headers.text("retry-after").and_then(|text| text.parse().ok());
            Judgement::Throttled(asked.map(Duration::from_secs), error(ErrorKind::Throttled))
        }
        500.. => Judgement::Retry(None, error(ErrorKind::HttpStatus)),
        401 => Judgement::Refuse(error(ErrorKind::Auth)),
        _ => Judgement::Refuse(error(ErrorKind::HttpStatus)),
    }
}

#[async_trait]
impl Connector for NotesConnector {
    fn metadata(&self) -> ConnectorMetadata {
        ConnectorMetadata {
            connector_type: "notes",
            name: "Notes",
            description: "Notebooks of a small notes service.",
            priority: 90,
            auth_type: AuthType::ApiKey,
            capabilities: &[Capability::Incremental, Capability::DeletionSync],
            fields: FIELDS,
        }
    }

    async fn validate(&self, config: &DataSourceConfig) -> Result<()> {
        self.api(config)?.get("notebooks").await.map(drop)
    }

    async fn list_resources<'a>(&self, config: &DataSourceConfig, parent: Option<&'a str>) -> Result<Vec<Resource>> {
        if parent.is_some() {
            return Ok(Vec::new());
        }
        let names: Vec<String> = self.api(config)?.json("notebooks").await?;
        let notebook = |name: String| Resource {
            external_id: name.clone(),
            name,
            resource_type: "notebook".to_owned(),
            ..Resource::default()
        };
        Ok(names.into_iter().map(notebook).collect())
    }

    async fn resolve_resource_ancestors(&self, _config: &DataSourceConfig, _ids: &[String]) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    async fn fetch_stream(
        &self,
        config: &DataSourceConfig,
        cursor: SyncCursor,
        handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor> {
        let api = self.api(config)?;
        let mut delivery = Delivery::new(handler, cursor, Arc::clone(&self.clock));
        for notebook in &config.resource_ids {
            self.notebook(&api, notebook, &mut delivery).await?;
        }
        delivery.finish().await
    }
}

const FIELDS: &[ConfigField] = &[
    field("base_url", FieldPlace::Settings, "Where the service is."),
    field("token", FieldPlace::Credentials, "A token of the account."),
];

const fn field(name: &'static str, place: FieldPlace, description: &'static str) -> ConfigField {
    ConfigField { name, place, required: true, description }
}
