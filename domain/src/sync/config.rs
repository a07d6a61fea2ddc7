//! What a connector is told: credentials, what to follow, and settings.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::secret::Secret;

/// The opened configuration of a data source. Credentials never show themselves; it cannot be serialised.
#[derive(Clone, Default)]
pub struct DataSourceConfig {
    /// Which connector: `rss`, `feishu`, ….
    pub connector_type: String,
    /// The secrets, by field name.
    pub credentials: BTreeMap<String, Secret<String>>,
    /// The selected resources, by their external ids, in the user's order.
    pub resource_ids: Vec<String>,
    /// What is no secret, as the connector documents it.
    pub settings: Map<String, Value>,
}

impl DataSourceConfig {
    /// The credential of that name, if it is there and not blank.
    pub fn credential(&self, name: &str) -> Option<&Secret<String>> {
        self.credentials.get(name).filter(|secret| !secret.expose().trim().is_empty())
    }

    /// The setting of that name as trimmed text, if it is a text and not blank.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    /// The setting of that name as a yes or no; texts such as `true` count.
    pub fn switch(&self, name: &str) -> Option<bool> {
        match self.settings.get(name)? {
            Value::Bool(value) => Some(*value),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

impl fmt::Debug for DataSourceConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataSourceConfig")
            .field("connector_type", &self.connector_type)
            .field("credentials", &self.credentials.keys())
            .field("resource_ids", &self.resource_ids)
            .finish_non_exhaustive()
    }
}
