//! What can be configured, with defaults, and how file, environment and `--set` are put together.

pub(crate) mod deliver;
pub(crate) mod model;
pub(crate) mod problems;
mod reader_policy;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use config::{Environment, File, FileFormat};
use headwater_domain::ErrorKind;
use headwater_domain::feed::link_rules::LinkRules;
use headwater_domain::secret::{Secret, redact_text};
use headwater_domain::synthesis::policy::RunPolicy;
use headwater_ports::Error;
use serde::{Deserialize, Serialize, Serializer};

use deliver::SinkSettings;
use model::ModelSettings;

/// The whole configuration: defaults < file < environment (`HEADWATER__FETCH__INTERVAL_S`) < `--set`.
///
/// Unknown keys are errors.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// How feeds and pages are fetched.
    pub(crate) fetch: FetchConfig,
    /// When a failing feed is left alone.
    pub(crate) circuit: CircuitConfig,
    /// How a run of phase 1 behaves.
    pub(crate) run: RunPolicy,
    /// Where things are kept.
    pub(crate) store: StoreConfig,
    /// How secrets are sealed.
    pub(crate) vault: VaultConfig,
    /// When `run --watch` runs.
    pub(crate) watch: WatchConfig,
    /// A language model that may judge and sum up.
    pub(crate) model: ModelSettings,
    /// Where digests are delivered to.
    pub(crate) deliver: Vec<SinkSettings>,
    /// What is logged.
    pub(crate) log: LogConfig,
}

/// How feeds and pages are fetched. Absent keys mean the reader's own default.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FetchConfig {
    /// Seconds from a good poll to the next; fixed, where set. Default: measured from the feed's rhythm.
    pub(crate) interval_s: Option<u64>,
    /// The shortest interval in seconds that a measured rhythm can lead to. Default: 600.
    pub(crate) min_interval_s: Option<u64>,
    /// The longest wait in seconds that `ttl`, `skipHours`, `Cache-Control` and the like can ask for. Default: 86400.
    pub(crate) max_interval_s: Option<u64>,
    /// Seconds to wait after the first failure; doubled with each further one. Default: 60.
    pub(crate) backoff_base_s: Option<u64>,
    /// The longest wait in seconds that doubling leads to. Default: 21600.
    pub(crate) backoff_max_s: Option<u64>,
    /// The longest wait in seconds that `Retry-After` and rate-limit headers can ask for. Default: 86400.
    pub(crate) max_delay_s: Option<u64>,
    /// The shortest wait in seconds after a bot challenge. Default: 21600.
    pub(crate) challenge_wait_s: Option<u64>,
    /// After so many days of 304 answers one request goes out without validators. Default: 7.
    pub(crate) max_conditional_days: Option<u32>,
    /// The cap on the decoded body, in bytes. Default: 52428800.
    pub(crate) max_body_bytes: Option<u64>,
    /// Items that are kept of one document. Default: 1000.
    pub(crate) max_items: Option<NonZeroUsize>,
    /// Pages read through next links in one fetch. Default: 1.
    pub(crate) max_pages: Option<u32>,
    /// The longest silence on a connection, in seconds. Default: 20.
    pub(crate) read_timeout_s: Option<NonZeroU32>,
    /// The whole exchange, in seconds. Default: 30.
    pub(crate) timeout_s: Option<NonZeroU32>,
    /// Redirects that are followed in one exchange. Default: 10.
    pub(crate) max_redirects: Option<u8>,
    /// The `User-Agent` of requests. Default: `Headwater/VERSION (+URL)`.
    pub(crate) user_agent: Option<String>,
    /// Requests to one host that may be under way at once. Default: 4.
    pub(crate) requests_per_host: Option<NonZeroUsize>,
    /// The least time in milliseconds between the starts of two requests to one host. Default: 0.
    pub(crate) request_gap_ms: Option<u64>,
    /// Connections that are kept for later requests, over all hosts. Default: 64.
    pub(crate) idle_connections: Option<usize>,
    /// Seconds for which a connection is kept. Default: 10.
    pub(crate) idle_timeout_s: Option<u32>,
    /// What the address guard lets through, as `--allow` has it. Default: nothing.
    pub(crate) allow: Vec<String>,
    /// A proxy for all requests, `http://…` or `socks5://…`. Default: none; the environment is not asked.
    #[serde(serialize_with = "redacted")]
    pub(crate) proxy: Option<String>,
    /// Equal permanent redirects in so many polls move the feed. Default: 3.
    pub(crate) redirect_confirmations: Option<u32>,
    /// Hours that lie at least between the first and the last of them. Default: 24.
    pub(crate) redirect_min_hours: Option<u32>,
    /// So many 410 answers end the feed. Default: 2.
    pub(crate) gone_confirmations: Option<u32>,
    /// Hours that lie at least between the first and the last of them. Default: 24.
    pub(crate) gone_min_hours: Option<u32>,
    /// How sites are asked for the feed links that they make on request: for each host, or `default`, a table with `path`,
    /// `params` and `class` (`docs/fetching.md`). Default: rules for NexusPHP sites and `audiences.me`; others are added.
    pub(crate) link_rules: LinkRules,
}

/// When a failing feed is left alone.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CircuitConfig {
    /// Consecutive failures that open the circuit; throttling is not one. Default: 5.
    pub(crate) max_failures: Option<u32>,
    /// Seconds after which an open circuit lets one probe through. Default: never; it is reset by hand.
    pub(crate) cool_down_s: Option<u64>,
}

/// Where things are kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct StoreConfig {
    /// The store, for example `sqlite:headwater.db`. Default: a file in the platform's data directory.
    #[serde(serialize_with = "redacted")]
    pub(crate) url: Option<String>,
    /// Days for which the digests of runs are kept; older ones go at the end of a run, or by `db prune`. Default: for good.
    pub(crate) keep_runs_days: Option<u32>,
    /// Days for which it is kept what became of an article, likewise; one that a source still links to is new again then.
    /// Default: for good.
    pub(crate) keep_history_days: Option<u32>,
    /// Days for which the logs of data sources that do not say so themselves are kept, likewise; the newest log of each
    /// stays. Default: 30.
    pub(crate) keep_sync_logs_days: Option<u32>,
    /// Days for which deleted documents are kept, likewise; at least the 30 for which they can be restored. Default: 30.
    pub(crate) keep_deleted_days: Option<u32>,
}

/// How secrets are sealed at rest.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct VaultConfig {
    /// The keys, `<id>:<key>` each, apart by commas or white space; the first one seals. Default: none, and then no secret
    /// is stored. Best set in the environment, as `HEADWATER__VAULT__KEYS`.
    #[serde(deserialize_with = "secret", serialize_with = "masked")]
    pub(crate) keys: Option<Secret<String>>,
    /// A file that holds the keys, used where `keys` is not set. Default: none.
    pub(crate) keys_file: Option<PathBuf>,
}

/// When `run --watch` runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WatchConfig {
    /// When: five cron fields, six with the seconds in front, a name such as `@daily`, or `@every 1h`. Default: what
    /// `--schedule` says.
    pub(crate) schedule: Option<String>,
    /// The time zone whose clock the fields mean. Default: `UTC`.
    pub(crate) time_zone: String,
    /// The name under which the store keeps what was run: watchers of one name take turns, others know nothing of each
    /// other. Default: `run`.
    pub(crate) name: String,
}

/// What is logged to standard error.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LogConfig {
    /// `error`, `warn`, `info`, `debug`, `trace`, or a filter by module. Default: `warn`.
    pub(crate) level: String,
    /// Default: `text`.
    pub(crate) format: LogFormat,
}

/// The form of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

impl Config {
    /// Puts the layers together.
    ///
    /// # Errors
    /// `invalid_config`, naming the key or the place in the file.
    pub(crate) fn load(file: Option<&Path>, sets: &[(String, String)]) -> Result<Self, Error> {
        let environment =
            Environment::with_prefix("HEADWATER").prefix_separator("__").separator("__").try_parsing(true);
        if let Some(error) = file.and_then(problems_in) {
            return Err(error);
        }
        Self::layered(file, environment, sets).map_err(|error| {
            Error::new(ErrorKind::InvalidConfig, "read the configuration", error.to_string())
                .with_hint("the keys stand in docs/configuration.md")
        })
    }

    fn layered(
        file: Option<&Path>,
        environment: Environment,
        sets: &[(String, String)],
    ) -> Result<Self, config::ConfigError> {
        let mut builder = config::Config::builder();
        if let Some(path) = file {
            builder = builder.add_source(File::from(path).format(FileFormat::Toml).required(true));
        }
        builder = builder.add_source(environment);
        for (key, value) in sets {
            builder = builder.set_override(key, value.as_str())?;
        }
        builder.build()?.try_deserialize()
    }
}

impl VaultConfig {
    /// The text of the key ring; empty: there is no key.
    pub(crate) fn ring(&self) -> Result<Secret<String>, Error> {
        match (&self.keys, &self.keys_file) {
            (Some(keys), _) => Ok(keys.clone()),
            (None, Some(path)) => std::fs::read_to_string(path).map(Secret::new).map_err(|error| {
                let detail = format!("could not read the vault keys in {}", path.display());
                Error::new(ErrorKind::InvalidConfig, "read the vault keys", detail).with_source(error)
            }),
            (None, None) => Ok(Secret::new(String::new())),
        }
    }
}

impl StoreConfig {
    /// The store to use: the flag, else the configured one, else a file in the platform's data directory.
    pub(crate) fn location(&self, flag: Option<&str>) -> Result<String, Error> {
        if let Some(url) = flag.or(self.url.as_deref()) {
            return Ok(url.to_owned());
        }
        Ok(format!("sqlite:{}", data_directory()?.join("headwater.db").display()))
    }
}

impl Default for WatchConfig {
    fn default() -> Self {
        Self { schedule: None, time_zone: "UTC".to_owned(), name: "run".to_owned() }
    }
}

impl Default for LogConfig {
    fn default() -> Self {
        Self { level: "warn".to_owned(), format: LogFormat::Text }
    }
}

/// What is wrong with the file itself, with the lines: the layers put together no longer know them.
fn problems_in(path: &Path) -> Option<Error> {
    let text = std::fs::read_to_string(path).ok()?;
    let problems = problems::problems(&text);
    let named: Vec<String> = problems.iter().take(SHOWN_PROBLEMS).map(ToString::to_string).collect();
    let error = Error::new(
        ErrorKind::InvalidConfig,
        "read the configuration",
        format!("{}: {}", path.display(), named.join("; ")),
    );
    (!problems.is_empty()).then(|| error.with_hint("`headwater config check` names all of it"))
}

/// A secret as it is shown.
fn masked<S: Serializer>(secret: &Option<Secret<String>>, serializer: S) -> Result<S::Ok, S::Error> {
    secret.as_ref().map(|_| "***").serialize(serializer)
}

/// A text without the secrets in it.
fn redacted<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_deref().map(redact_text).serialize(serializer)
}

/// A secret that stands alone in a file; white space around it is none of it.
fn secret_file(path: &Path) -> Result<Secret<String>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let detail = format!("could not read the secret in {}", path.display());
        Error::new(ErrorKind::InvalidConfig, "read a secret", detail).with_source(error)
    })?;
    Ok(Secret::new(text.trim().to_owned()))
}

fn secret<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Secret<String>>, D::Error> {
    Ok(Some(Secret::new(String::deserialize(deserializer)?)))
}

/// The platform's directory for this program's data.
pub(crate) fn data_directory() -> Result<PathBuf, Error> {
    use etcetera::BaseStrategy as _;
    let strategy = etcetera::choose_base_strategy().map_err(|error| {
        Error::new(ErrorKind::Store, "find the data directory", "no home directory is known")
            .with_source(error)
            .with_hint("say where the store is with --store sqlite:FILE")
    })?;
    Ok(strategy.data_dir().join("headwater"))
}

/// Every setting with what it does and its default, as a file to start from; made of the doc comments.
pub(crate) const TEMPLATE: &str = include_str!("config/template.toml");

const SHOWN_PROBLEMS: usize = 3;

#[cfg(test)]
mod tests;
