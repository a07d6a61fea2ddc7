//! How a data source in a file becomes a connector with its configuration.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Connector, Error, Fetcher};

use super::ConfigFile;
use super::counting::CountingFetcher;
use crate::context::Context;
use crate::failure::UsageError;
use crate::{input, wiring};

/// A connector, and what it is told.
pub(super) struct Bound {
    pub(super) connector: Arc<dyn Connector>,
    pub(super) config: DataSourceConfig,
    /// Through which it makes its requests.
    pub(super) requests: Arc<CountingFetcher>,
}

impl Bound {
    /// Reads the file and chooses the connector. No message shows what stands in the file.
    pub(super) fn open(file: &ConfigFile, context: &Context) -> anyhow::Result<Self> {
        let config = read(file)?;
        let requests = Arc::new(CountingFetcher::new(wiring::fetcher(context)?));
        let fetcher = Arc::clone(&requests) as Arc<dyn Fetcher>;
        let connector = wiring::connectors(context, fetcher)?.connector(&config.connector_type)?;
        Ok(Self { connector, config, requests })
    }
}

fn read(file: &ConfigFile) -> anyhow::Result<DataSourceConfig> {
    let path = file.config.as_deref().ok_or_else(|| UsageError("--config FILE.json is missing".to_owned()))?;
    let bytes = input::read_whole(path, MAX_CONFIG_BYTES)
        .map_err(|error| UsageError(format!("could not read {}: {error}", path.display())))?;
    let config = DataSourceConfig::from_json(&bytes).map_err(|error| {
        Error::new(ErrorKind::InvalidConfig, "read the data source", format!("{}: {error}", path.display()))
    })?;
    Ok(config)
}

/// Bytes of a data source's file; a hundred thousand resource ids fit.
const MAX_CONFIG_BYTES: u64 = 16 * 1024 * 1024;
