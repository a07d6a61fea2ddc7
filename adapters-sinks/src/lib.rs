//! Where digests are delivered to: a file, a folder of dated files, a web hook and, with the feature `smtp`, mailboxes.

mod directory;
mod draft;
mod file;
#[cfg(feature = "smtp")]
mod smtp;
mod webhook;

pub use directory::DirectorySink;
pub use file::FileSink;
#[cfg(feature = "smtp")]
pub use smtp::{Security, SmtpConfig, SmtpSink};
pub use webhook::{WebhookConfig, WebhookSink};
