//! Where log lines go and how many there are.

mod redacting;

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

use self::redacting::Redacting;
use crate::config::{LogConfig, LogFormat};

/// Sends log lines of at least the configured level to standard error. Called once, at the start.
///
/// Whatever a library logs at its most talkative, secrets are taken out of every line on its way.
pub(crate) fn init(config: &LogConfig, level: Option<&str>) {
    let level = level.unwrap_or(&config.level);
    let filter = EnvFilter::try_new(level).unwrap_or_else(|_| EnvFilter::new("warn"));
    let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| Redacting(io::stderr()))
        .with_ansi(colour)
        .with_span_events(FmtSpan::NONE);
    match config.format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().init(),
    }
}
