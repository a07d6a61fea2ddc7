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

/// A text that is no configuration of a data source. Shows nothing of the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidDataSourceConfig {
    /// The field that is wrong; empty: the text as a whole.
    pub field: &'static str,
    /// What it should be.
    pub expected: &'static str,
}

impl DataSourceConfig {
    /// Reads `{"type", "credentials", "resource_ids", "settings"}`; all but the type may be absent. Credentials that are no
    /// texts are kept as their JSON.
    ///
    /// # Errors
    /// Which field has the wrong form, without its value.
    pub fn from_json(text: &[u8]) -> Result<Self, InvalidDataSourceConfig> {
        let wrong = |field, expected| InvalidDataSourceConfig { field, expected };
        let value = serde_json::from_slice(text).map_err(|_| wrong("", "a JSON object"))?;
        let Value::Object(mut fields) = value else {
            return Err(wrong("", "a JSON object"));
        };
        let mut take = |name: &str| fields.remove(name).filter(|value| !value.is_null());
        let connector_type = match take("type") {
            Some(Value::String(name)) if !name.trim().is_empty() => name.trim().to_owned(),
            _ => return Err(wrong("type", "the type of a connector")),
        };
        let resource_ids = take("resource_ids").map(texts).unwrap_or(Some(Vec::new()));
        let object = |value: Option<Value>, field| match value {
            None => Ok(Map::new()),
            Some(Value::Object(fields)) => Ok(fields),
            Some(_) => Err(wrong(field, "an object")),
        };
        let credentials = object(take("credentials"), "credentials")?;
        Ok(Self {
            connector_type,
            credentials: credentials.into_iter().filter_map(|(name, value)| Some((name, credential(value)?))).collect(),
            resource_ids: resource_ids.ok_or(wrong("resource_ids", "a list of texts"))?,
            settings: object(take("settings"), "settings")?,
        })
    }

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

fn texts(value: Value) -> Option<Vec<String>> {
    let Value::Array(values) = value else { return None };
    values.into_iter().map(|value| if let Value::String(text) = value { Some(text) } else { None }).collect()
}

fn credential(value: Value) -> Option<Secret<String>> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(Secret::new(text)),
        other => Some(Secret::new(other.to_string())),
    }
}

impl fmt::Display for InvalidDataSourceConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field {
            "" => write!(f, "the configuration is not {}", self.expected),
            field => write!(f, "`{field}` must be {}", self.expected),
        }
    }
}

impl std::error::Error for InvalidDataSourceConfig {}

impl fmt::Debug for DataSourceConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataSourceConfig")
            .field("connector_type", &self.connector_type)
            .field("credentials", &self.credentials.keys())
            .field("resource_ids", &self.resource_ids)
            .finish_non_exhaustive()
    }
}
