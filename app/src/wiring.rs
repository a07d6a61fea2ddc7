//! Which adapter stands behind each port: the only file that names adapters.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use headwater_adapters_fs::LocalFileTree;
use headwater_adapters_html::{HtmlPageReader, HtmlSanitiser};
use headwater_adapters_http::{ConnectTo, HttpConfig, HyperFetcher};
use headwater_adapters_json::JsonFeedParser;
use headwater_adapters_llm::{AnswerLimit, Model, ModelClassifier, ModelConfig, ModelParts, ModelSummariser};
use headwater_adapters_sinks::{DirectorySink, FileSink, WebhookConfig, WebhookSink};
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
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_domain::synthesis::budget::Prices;
use headwater_domain::synthesis::policy::RunPolicy;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{
    AnswerStore, Classifier, DigestSink, FeedParser, FeedParsers, Fetcher, ModelMeter, OutlineFormat, PageReader,
    Result, Sanitiser, Store, StoreAdmin, Summariser, Vault,
};

use crate::config::deliver::{SinkKind, SinkSettings, check};
use crate::config::model::{LimitField, ModelSettings};
use crate::context::Context;
use crate::deliver::{Deliverer, Sink};
use crate::failure::UsageError;
use crate::input;
use crate::secrets::SealedSources;
use crate::synthesis::classify::OfflineClassifier;
use crate::synthesis::summarise::ExtractiveSummariser;

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

/// What judges articles and sums them up.
pub(crate) struct Judges {
    /// Judges.
    pub(crate) classifier: Arc<dyn Classifier>,
    /// Sums up.
    pub(crate) summariser: Arc<dyn Summariser>,
    /// Counts what a model is used for, where there is one.
    pub(crate) meter: Option<Arc<dyn ModelMeter>>,
}

/// Judges by words and sums up by choosing sentences; where a model is configured, it does what it is set to do.
pub(crate) fn judges(
    context: &Context,
    fetcher: &Arc<dyn Fetcher>,
    store: &Arc<dyn Store>,
    policy: &RunPolicy,
) -> Result<Judges> {
    let settings = &context.config.model;
    let classifier: Arc<dyn Classifier> = Arc::new(OfflineClassifier::new(policy.min_score));
    let sentences = policy.overview_sentences;
    let summariser: Arc<dyn Summariser> = Arc::new(ExtractiveSummariser::new(policy.summary_sentences, sentences));
    let Some((url, name)) = settings.place()? else { return Ok(Judges { classifier, summariser, meter: None }) };
    let parts = ModelParts {
        fetcher: Arc::clone(fetcher),
        answers: Arc::clone(store) as Arc<dyn AnswerStore>,
        tenant: TenantId::default(),
        clock: Arc::clone(&context.clock),
        timer: Arc::clone(&context.timer),
    };
    let model = Arc::new(Model::new(model_config(settings, PrivateUrl::new(url), name)?, parts));
    let classifier = match settings.classify.unwrap_or(true) {
        true => Arc::new(ModelClassifier::new(Arc::clone(&model), classifier, policy.min_score)),
        false => classifier,
    };
    let summariser = match settings.summarise.unwrap_or(false) {
        true => Arc::new(ModelSummariser::new(Arc::clone(&model), summariser, sentences)),
        false => summariser,
    };
    Ok(Judges { classifier, summariser, meter: Some(model) })
}

/// The configured sinks over a store.
pub(crate) fn deliverer(context: &Context, store: Arc<dyn Store>) -> anyhow::Result<Deliverer> {
    check(&context.config.deliver)?;
    let sinks = context.config.deliver.iter().map(|settings| sink(context, settings)).collect::<anyhow::Result<_>>()?;
    Ok(Deliverer { sinks, store, tenant: TenantId::default(), clock: Arc::clone(&context.clock) })
}

fn sink(context: &Context, settings: &SinkSettings) -> anyhow::Result<Sink> {
    let sink: Arc<dyn DigestSink> = match settings.kind {
        SinkKind::File => Arc::new(FileSink::new(settings.needed("path", &settings.path)?.clone())),
        SinkKind::Directory => Arc::new(DirectorySink::new(settings.needed("path", &settings.path)?.clone())),
        SinkKind::Webhook => Arc::new(webhook(context, settings)?),
        SinkKind::Smtp => smtp(context, settings)?,
    };
    Ok(Sink {
        name: settings.name().to_owned(),
        format: settings.format(),
        wants_empty: settings.empty,
        keeps_latest: settings.kind == SinkKind::File,
        sink,
    })
}

fn webhook(context: &Context, settings: &SinkSettings) -> anyhow::Result<WebhookSink> {
    let url = settings.needed("url", &settings.url)?.expose().parse();
    let mut config = WebhookConfig::new(PrivateUrl::new(url.map_err(|_| settings.unusable("url is no URL"))?));
    config.secret = settings.signing_secret()?;
    config.attempts = settings.attempts.unwrap_or(config.attempts).max(1);
    config.timeout = settings.timeout_s.map_or(config.timeout, Duration::from_secs);
    Ok(WebhookSink::new(config, fetcher(context)?, Arc::clone(&context.clock), Arc::clone(&context.timer)))
}

#[cfg(feature = "smtp")]
fn smtp(context: &Context, settings: &SinkSettings) -> anyhow::Result<Arc<dyn DigestSink>> {
    use headwater_adapters_http::MailDialler;
    use headwater_adapters_sinks::{Security, SmtpConfig, SmtpSink};

    use crate::config::deliver::MailSecurity;
    let (security, port) = match settings.security.unwrap_or(MailSecurity::Starttls) {
        MailSecurity::Starttls => (Security::StartTls, 587),
        MailSecurity::Tls => (Security::Tls, 465),
        MailSecurity::None => (Security::None, 25),
    };
    let config = SmtpConfig {
        host: settings.needed("host", &settings.host)?.clone(),
        port: settings.port.unwrap_or(port),
        security,
        login: settings.login()?,
        from: settings.needed("from", &settings.from)?.clone(),
        to: settings.to.clone(),
        timeout: Duration::from_secs(settings.timeout_s.unwrap_or(60)),
    };
    Ok(Arc::new(SmtpSink::new(config, Arc::new(MailDialler::new(&http_config(context)?)?))?))
}

#[cfg(not(feature = "smtp"))]
fn smtp(_context: &Context, settings: &SinkSettings) -> anyhow::Result<Arc<dyn DigestSink>> {
    Err(settings.unusable("this build has no `smtp` feature").into())
}

fn model_config(settings: &ModelSettings, url: PrivateUrl, name: String) -> Result<ModelConfig> {
    let default = ModelConfig::new(url, name);
    Ok(ModelConfig {
        key: settings.key()?,
        prices: Prices {
            input: settings.input_price.unwrap_or_default(),
            output: settings.output_price.unwrap_or_default(),
        },
        max_tokens: Some(settings.max_tokens.unwrap_or(DEFAULT_MODEL_TOKENS)),
        max_cost: settings.max_cost,
        batch: settings.batch.unwrap_or(default.batch),
        article_chars: settings.article_chars.unwrap_or(default.article_chars),
        answer_tokens: settings.answer_tokens.unwrap_or(default.answer_tokens),
        answer_limit: match settings.answer_limit {
            Some(LimitField::MaxTokens) => AnswerLimit::MaxTokens,
            Some(LimitField::MaxCompletionTokens) | None => AnswerLimit::MaxCompletionTokens,
        },
        temperature: settings.temperature,
        attempts: settings.attempts.unwrap_or(default.attempts).max(1),
        timeout: settings.timeout_s.map_or(default.timeout, Duration::from_secs),
        keep_answers: settings.keep_answers.unwrap_or(default.keep_answers),
        ..default
    })
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

/// Tokens that a model may use in one run, where nothing else is said: some four hundred articles.
const DEFAULT_MODEL_TOKENS: u64 = 200_000;
