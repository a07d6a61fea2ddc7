//! Which connectors there are, and which one a configuration means.

use std::fmt;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_ports::{Connector, ConnectorMetadata, Error, Result};

/// The connectors of a program, each type once, by priority and then by type.
#[derive(Clone, Default)]
pub struct ConnectorRegistry {
    connectors: Vec<Arc<dyn Connector>>,
}

/// Why a connector was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistryError {
    /// Its type is empty or blank.
    EmptyType,
    /// Another connector has this type.
    DoubledType(String),
}

impl ConnectorRegistry {
    /// Takes a connector.
    ///
    /// # Errors
    /// Its type is empty, or known already; the registry is as it was.
    pub fn register(&mut self, connector: Arc<dyn Connector>) -> Result<(), RegistryError> {
        let name = connector.connector_type();
        if name.trim().is_empty() {
            return Err(RegistryError::EmptyType);
        }
        if self.connectors.iter().any(|known| known.connector_type() == name) {
            return Err(RegistryError::DoubledType(name.to_owned()));
        }
        self.connectors.push(connector);
        self.connectors.sort_by_key(|known| (known.metadata().priority, known.connector_type()));
        Ok(())
    }

    /// The connector of that type.
    ///
    /// # Errors
    /// `connector_not_found`, with the known types as hint.
    pub fn connector(&self, connector_type: &str) -> Result<Arc<dyn Connector>> {
        let found = self.connectors.iter().find(|known| known.connector_type() == connector_type);
        found.cloned().ok_or_else(|| self.unknown(connector_type))
    }

    /// What each connector is, the smallest priority first.
    pub fn metadata(&self) -> Vec<ConnectorMetadata> {
        self.connectors.iter().map(|connector| connector.metadata()).collect()
    }

    fn unknown(&self, connector_type: &str) -> Error {
        let known: Vec<_> = self.connectors.iter().map(|connector| connector.connector_type()).collect();
        Error::new(
            ErrorKind::ConnectorNotFound,
            "choose the connector",
            format!("there is no connector of the type {connector_type:?}"),
        )
        .with_hint(format!("known types: {}", known.join(", ")))
    }
}

impl fmt::Debug for ConnectorRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.connectors.iter().map(|connector| connector.connector_type())).finish()
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyType => f.write_str("a connector without a type"),
            Self::DoubledType(name) => write!(f, "two connectors of the type {name:?}"),
        }
    }
}

impl std::error::Error for RegistryError {}

#[cfg(test)]
mod tests;
