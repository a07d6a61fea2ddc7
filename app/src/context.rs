//! What every command is given: the clock, the configuration, and the flags that all commands share.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use headwater_domain::secret::redact_text;
use headwater_ports::{Clock, Timer};
use jiff::Timestamp;

use crate::clock::{FixedClock, SystemClock};
use crate::config::Config;
use crate::failure::UsageError;
use crate::output::Form;
use crate::timer::{FixedTimer, TokioTimer};

/// What every command is given.
pub(crate) struct Context {
    /// Documents go to standard output as JSON.
    pub(crate) json: bool,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// How to wait on that clock.
    pub(crate) timer: Arc<dyn Timer>,
    /// The time stands still.
    pub(crate) is_clock_fixed: bool,
    /// The configuration: defaults, file, environment, `--set`.
    pub(crate) config: Config,
    /// How requests are made.
    pub(crate) requests: RequestFlags,
}

/// The flags that every command accepts, before or after its name.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct GlobalFlags {
    /// Print JSON to standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Take this as the present time (RFC 3339)
    #[arg(long, global = true, value_name = "TIME", hide = true)]
    now: Option<Timestamp>,

    /// Read the configuration from this TOML file
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Set a configuration value, for example fetch.max_conditional_days=7
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// How much to log to standard error: error, warn, info, debug or trace [default: warn]
    #[arg(long, global = true, value_name = "LEVEL")]
    pub(crate) log: Option<String>,

    #[command(flatten)]
    requests: RequestFlags,
}

/// The heading of the flags that shape requests.
pub(crate) const REQUESTS: &str = "Requests";

/// The flags that shape requests.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = REQUESTS)]
pub(crate) struct RequestFlags {
    /// Dial another address for a host, as curl does
    #[arg(long, global = true, value_name = "HOST:PORT:HOST2:PORT2")]
    pub(crate) connect_to: Vec<String>,

    /// Use these addresses for a host instead of asking DNS
    #[arg(long, global = true, value_name = "HOST=ADDR[,ADDR]", value_parser = parse_resolve)]
    pub(crate) resolve: Vec<Resolve>,

    /// Trust the certificates in this PEM file, besides the usual ones
    #[arg(long, global = true, value_name = "PEM")]
    pub(crate) ca_file: Vec<PathBuf>,

    /// Let requests to this host or these addresses through the address guard, for example 127.0.0.1:8000
    #[arg(long, global = true, value_name = "HOST[:PORT]|CIDR")]
    pub(crate) allow: Vec<String>,

    /// Send requests through this proxy (http://… or socks5://…)
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) proxy: Option<String>,
}

/// A host with fixed addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolve {
    /// The host, as in URLs.
    pub(crate) host: String,
    /// What it resolves to.
    pub(crate) addresses: Vec<IpAddr>,
}

impl GlobalFlags {
    /// The flags without a configuration file.
    pub(crate) fn without_config(self) -> Self {
        Self { config: None, ..self }
    }
}

impl Context {
    /// For whom the answer is.
    pub(crate) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::People }
    }

    /// Reads the configuration and puts everything together.
    pub(crate) fn new(flags: &GlobalFlags) -> anyhow::Result<Self> {
        let sets = flags.set.iter().map(|text| split_set(text)).collect::<Result<Vec<_>, _>>()?;
        let config = Config::load(flags.config.as_deref(), &sets)?;
        let (clock, timer) = time(flags.now);
        let is_clock_fixed = flags.now.is_some();
        Ok(Self { json: flags.json, clock, timer, is_clock_fixed, config, requests: flags.requests.clone() })
    }
}

/// The system's clock, or one that stands still, with the timer beside it.
fn time(now: Option<Timestamp>) -> (Arc<dyn Clock>, Arc<dyn Timer>) {
    let Some(now) = now else {
        return (Arc::new(SystemClock), Arc::new(TokioTimer));
    };
    let clock = Arc::new(FixedClock::new(now));
    (Arc::clone(&clock) as Arc<dyn Clock>, Arc::new(FixedTimer(clock)))
}

fn split_set(text: &str) -> Result<(String, String), UsageError> {
    let shown = redact_text(text);
    let (key, value) =
        text.split_once('=').ok_or_else(|| UsageError(format!("--set takes KEY=VALUE, but {shown:?} has no `=`")))?;
    let (key, value) = (key.trim(), value.trim());
    let is_key = key
        .split('.')
        .all(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains(|c: char| c.is_whitespace()));
    if is_key {
        return Ok((key.to_owned(), value.to_owned()));
    }
    let example = "write it as in --set fetch.max_pages=4";
    Err(UsageError(format!("--set takes KEY=VALUE, but {shown:?} names no key; {example}")))
}

fn parse_resolve(text: &str) -> Result<Resolve, String> {
    let (host, addresses) = text.split_once('=').ok_or("expected HOST=ADDR[,ADDR]")?;
    let addresses = addresses
        .split(',')
        .map(|address| {
            let address = address.trim().trim_start_matches('[').trim_end_matches(']');
            address.parse().map_err(|_| format!("{address:?} is no IP address"))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Resolve { host: host.to_ascii_lowercase(), addresses })
}

#[cfg(test)]
mod tests;
