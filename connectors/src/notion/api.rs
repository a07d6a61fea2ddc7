//! Which requests are made of the service, and how each is written.

use std::sync::Arc;
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_ports::{Error, FetchLimits, FetchRequest, Header, Method, Result};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;

use super::answer::{Need, Slow, judge};
use super::id::segment;
use super::settings::Settings;
use super::wire::{Block, Listing, Object};
use crate::account::Account;

/// The service, as one account sees it.
pub(super) struct Api {
    account: Arc<Account>,
    base: String,
    token: Secret<String>,
}

/// What is listed.
#[derive(Debug, Clone)]
pub(super) enum Ask {
    /// Everything that is shared, as far as the index knows.
    Search,
    /// The rows of a data source, the oldest first, those from before that moment left out.
    Rows { source: String, since: Option<String> },
    /// The blocks directly in a block or page.
    Children(String),
    /// A property of a page that is too long to stand in it.
    Property { page: String, property: String },
}

impl Api {
    pub(super) fn new(account: Arc<Account>, settings: Settings) -> Self {
        Self { account, base: settings.base, token: settings.token }
    }

    /// Whose pace it is.
    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    /// Whether the token is one. Needs no capability.
    pub(super) async fn me(&self) -> Result<Value> {
        self.ask("check the token", "/v1/users/me", None).await
    }

    pub(super) async fn page(&self, id: &str) -> Result<Object> {
        self.ask("read the page", &format!("/v1/pages/{}", segment(id)), None).await
    }

    pub(super) async fn database(&self, id: &str) -> Result<Object> {
        self.ask("read the database", &format!("/v1/databases/{}", segment(id)), None).await
    }

    pub(super) async fn data_source(&self, id: &str) -> Result<Object> {
        self.ask("read the data source", &format!("/v1/data_sources/{}", segment(id)), None).await
    }

    pub(super) async fn block(&self, id: &str) -> Result<Block> {
        self.ask("read the block", &format!("/v1/blocks/{}", segment(id)), None).await
    }

    /// One page of a listing.
    pub(super) async fn list<T: DeserializeOwned>(
        &self,
        ask: &Ask,
        size: u32,
        cursor: Option<&str>,
    ) -> Result<Listing<T>> {
        let (operation, path, body) = ask.written(size, cursor);
        let slow = if size > 1 { Slow::AskForLess } else { Slow::AskAgain };
        self.send(Need { operation, capability: READ_CONTENT, slow }, &path, body).await
    }

    async fn ask<T: DeserializeOwned>(&self, operation: &'static str, path: &str, body: Option<Value>) -> Result<T> {
        self.send(Need { operation, capability: READ_CONTENT, slow: Slow::AskAgain }, path, body).await
    }

    async fn send<T: DeserializeOwned>(&self, need: Need, path: &str, body: Option<Value>) -> Result<T> {
        let request = self.request(path, body)?;
        let response = self.account.send(request, |response, now| judge(response, now, need)).await?;
        serde_json::from_slice(&response.body).map_err(|error| {
            let shape = format!("could not {}: the answer is of an unknown shape", need.operation);
            Error::new(ErrorKind::Malformed, need.operation, shape).with_source(error)
        })
    }

    fn request(&self, path: &str, body: Option<Value>) -> Result<FetchRequest> {
        let url = Url::parse(&format!("{}{path}", self.base)).map_err(|error| {
            Error::new(ErrorKind::InvalidUrl, "ask Notion", "`base_url` is no URL").with_source(error)
        })?;
        let bearer = format!("Bearer {}", self.token.expose());
        let limits = FetchLimits { timeout: TIMEOUT, read_timeout: TIMEOUT, ..FetchLimits::default() };
        let mut request = FetchRequest { limits, ..FetchRequest::get(PrivateUrl::new(url)) }
            .header("notion-version", VERSION)
            .header("accept", "application/json");
        let value = Secret::new(bearer.into_bytes());
        request.headers.push(Header { name: "authorization".to_owned(), value, secret: true });
        if let Some(body) = body {
            request.method = Method::Post(body.to_string().into());
            request = request.header("content-type", "application/json");
        }
        Ok(request)
    }
}

impl Ask {
    /// What is being done, the target, and the body of a POST.
    fn written(&self, size: u32, cursor: Option<&str>) -> (&'static str, String, Option<Value>) {
        match self {
            Self::Search => {
                let sort = json!({"timestamp": "last_edited_time", "direction": "ascending"});
                ("search", "/v1/search".to_owned(), Some(page_of(json!({"sort": sort}), size, cursor)))
            }
            Self::Rows { source, since } => {
                let mut body = json!({"sorts": [{"timestamp": "created_time", "direction": "ascending"}]});
                if let Some(since) = since {
                    body["filter"] = json!({"timestamp": "created_time", "created_time": {"on_or_after": since}});
                }
                let path = format!("/v1/data_sources/{}/query", segment(source));
                ("list the rows", path, Some(page_of(body, size, cursor)))
            }
            Self::Children(block) => {
                ("list the blocks", query(&format!("/v1/blocks/{}/children", segment(block)), size, cursor), None)
            }
            Self::Property { page, property } => {
                let path = format!("/v1/pages/{}/properties/{}", segment(page), segment(property));
                ("read the property", query(&path, size, cursor), None)
            }
        }
    }
}

fn page_of(mut body: Value, size: u32, cursor: Option<&str>) -> Value {
    body["page_size"] = size.into();
    if let Some(cursor) = cursor {
        body["start_cursor"] = cursor.into();
    }
    body
}

fn query(path: &str, size: u32, cursor: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("page_size", &size.to_string());
    if let Some(cursor) = cursor {
        query.append_pair("start_cursor", cursor);
    }
    format!("{path}?{}", query.finish())
}

const VERSION: &str = "2026-03-11";

const READ_CONTENT: &str = "Read content";

/// The service itself gives up after 60 s.
const TIMEOUT: Duration = Duration::from_secs(70);
