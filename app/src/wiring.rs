//! Which adapter stands behind each port: the only file that names adapters.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use headwater_adapters_fs::LocalFileTree;
use headwater_adapters_html::{HtmlPageReader, HtmlSanitiser};
use headwater_adapters_http::{ConnectTo, HttpConfig, HyperFetcher};
use headwater_adapters_json::JsonFeedParser;
use headwater_adapters_sqlite::{SqliteAdmin, SqliteStore};
use headwater_adapters_vault::KeyRing;
use headwater_adapters_xml::{OpmlFormat, XmlFeedParser};
use headwater_connectors::feishu::{FeishuConnector, Region};
use headwater_connectors::folder::FolderConnector;
use headwater_connectors::notion::NotionConnector;
use headwater_connectors::rss::{RssConnector, RssPorts};
use headwater_connectors::yuque::YuqueConnector;
use headwater_connectors::{ConnectorPorts, ConnectorRegistry};
use headwater_domain::net::Exemptions;
use headwater_domain::secret::Secret;
use headwater_ports::{
    FeedParser, FeedParsers, Fetcher, OutlineFormat, PageReader, Result, Sanitiser, Store, StoreAdmin, Vault,
};

use crate::context::Context;
use crate::failure::UsageError;
use crate::input;
use crate::secrets::SealedSources;

/// The guarded client, as the flags and the configuration want it.
pub(crate) fn fetcher(context: &Context) -> anyhow::Result<Arc<dyn Fetcher>> {
    Ok(Arc::new(HyperFetcher::new(http_config(context)?)?))
}

/// One parser for every format of feeds.
pub(crate) fn feed_parser() -> Arc<dyn FeedParser> {
    Arc::new(FeedParsers::new(vec![Arc::new(JsonFeedParser), Arc::new(XmlFeedParser)]))
}

/// What reads and writes lists of feeds.
pub(crate) fn outline_format() -> Arc<dyn OutlineFormat> {
    Arc::new(OpmlFormat)
}

/// What reads pages.
pub(crate) fn page_reader() -> Arc<dyn PageReader> {
    Arc::new(HtmlPageReader)
}

/// What makes untrusted bodies safe.
pub(crate) fn sanitiser() -> Arc<dyn Sanitiser> {
    Arc::new(HtmlSanitiser)
}

/// The connectors of this build, which make their requests through that client.
pub(crate) fn connectors(context: &Context, fetcher: Arc<dyn Fetcher>) -> anyhow::Result<ConnectorRegistry> {
    let clock = || Arc::clone(&context.clock);
    let rss = RssPorts {
        fetcher: Arc::clone(&fetcher),
        clock: clock(),
        parser: feed_parser(),
        pages: page_reader(),
        sanitiser: sanitiser(),
    };
    let ports = ConnectorPorts { fetcher, clock: clock(), timer: Arc::clone(&context.timer) };
    let mut registry = ConnectorRegistry::default();
    for region in [Region::Feishu, Region::Lark] {
        registry.register(Arc::new(FeishuConnector::new(region, ports.clone())))?;
    }
    registry.register(Arc::new(NotionConnector::new(ports.clone())))?;
    registry.register(Arc::new(RssConnector::new(rss, context.config.reader_policy())))?;
    registry.register(Arc::new(FolderConnector::new(Arc::new(LocalFileTree), clock())))?;
    registry.register(Arc::new(YuqueConnector::new(ports)))?;
    Ok(registry)
}

/// The store that the flag or the configuration names, migrated and ready.
pub(crate) async fn store(context: &Context, flag: Option<&str>) -> Result<Arc<dyn Store>> {
    let location = context.config.store.location(flag)?;
    #[cfg(feature = "postgres")]
    if is_postgres(&location) {
        return Ok(Arc::new(headwater_adapters_postgres::PgStore::open(&location).await?));
    }
    Ok(Arc::new(SqliteStore::open(&location).await?))
}

/// The sources of a store, with the secrets of their URLs sealed beside them.
pub(crate) fn sources(context: &Context, store: Arc<dyn Store>) -> Result<Arc<SealedSources>> {
    Ok(Arc::new(SealedSources::new(store, vault(context)?)))
}

/// The vault, with the keys of the configuration.
pub(crate) fn vault(context: &Context) -> Result<Arc<dyn Vault>> {
    key_ring(context.config.vault.ring()?.expose())
}

/// A vault with these keys.
pub(crate) fn key_ring(text: &str) -> Result<Arc<dyn Vault>> {
    Ok(Arc::new(KeyRing::parse(text)?))
}

/// A new key, ready for the configuration.
pub(crate) fn new_vault_key(id: &str) -> Result<Secret<String>> {
    let key = headwater_adapters_vault::new_key(id)?;
    // An id that the ring refuses is refused now.
    KeyRing::parse(key.expose())?;
    Ok(key)
}

/// What looks after the store that the flag or the configuration names.
pub(crate) fn store_admin(context: &Context, flag: Option<&str>) -> Result<Arc<dyn StoreAdmin>> {
    let location = context.config.store.location(flag)?;
    #[cfg(feature = "postgres")]
    if is_postgres(&location) {
        return Ok(Arc::new(headwater_adapters_postgres::PgAdmin::new(&location)?));
    }
    Ok(Arc::new(SqliteAdmin::new(&location)?))
}

#[cfg(feature = "postgres")]
fn is_postgres(location: &str) -> bool {
    location.starts_with("postgres://") || location.starts_with("postgresql://")
}

fn http_config(context: &Context) -> anyhow::Result<HttpConfig> {
    let flags = &context.requests;
    let fetch = &context.config.fetch;
    let mut config = HttpConfig {
        exemptions: exemptions(context)?,
        connect_to: flags.connect_to.iter().map(|rule| usage(rule.parse::<ConnectTo>())).collect::<Result<_, _>>()?,
        resolve: flags.resolve.iter().map(|fixed| (fixed.host.clone(), fixed.addresses.clone())).collect(),
        ca_pem: flags.ca_file.iter().map(|path| read_pem(path)).collect::<Result<_, _>>()?,
        proxy: flags.proxy.as_ref().or(fetch.proxy.as_ref()).cloned().map(Secret::new),
        ..HttpConfig::default()
    };
    if let Some(agent) = &fetch.user_agent {
        config.user_agent.clone_from(agent);
    }
    if let Some(count) = fetch.requests_per_host {
        config.requests_per_host = count.get();
    }
    if let Some(count) = fetch.idle_connections {
        config.idle_connections = count;
    }
    if let Some(seconds) = fetch.idle_timeout_s {
        config.idle_timeout = Duration::from_secs(seconds.into());
    }
    if let Some(gap) = fetch.request_gap_ms {
        config.request_gap = Duration::from_millis(gap);
    }
    Ok(config)
}

/// What the flags and the configuration exempt from the address guard.
pub(crate) fn exemptions(context: &Context) -> Result<Exemptions, UsageError> {
    let mut exemptions = Exemptions::default();
    for text in context.requests.allow.iter().chain(&context.config.fetch.allow) {
        usage(exemptions.add(text))?;
    }
    Ok(exemptions)
}

fn read_pem(path: &Path) -> Result<Vec<u8>, UsageError> {
    Ok(input::read_whole(path, MAX_PEM_BYTES)?)
}

fn usage<T, E: ToString>(result: Result<T, E>) -> Result<T, UsageError> {
    result.map_err(|error| UsageError(error.to_string()))
}

/// Bytes of a file of certificates: a whole system's bundle has a quarter of a megabyte.
const MAX_PEM_BYTES: u64 = 16 * 1024 * 1024;
