//! A mailbox that is sent each digest.

mod conversation;
mod letter;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::{Delivery, Dialler, DigestSink, Error, Result};
use lettre::message::Mailbox;
use tokio::time::timeout;

/// Where mail is handed in, and for whom.
#[derive(Debug, Clone)]
pub struct SmtpConfig {
    /// The mail server.
    pub host: String,
    /// Its port: 587 with [`Security::StartTls`], 465 with [`Security::Tls`], as a rule.
    pub port: u16,
    /// How the connection is encrypted.
    pub security: Security,
    /// Who hands in, and the password; none: the server asks for neither. It is never sent in the clear.
    pub login: Option<(String, Secret<String>)>,
    /// The sender, `Name <name@example.org>` or the address alone.
    pub from: String,
    /// The recipients.
    pub to: Vec<String>,
    /// The time for all of it; default 60 s.
    pub timeout: Duration,
}

/// How a connection to a mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// It begins in the clear and must become encrypted before anything is said.
    StartTls,
    /// It is encrypted from the first byte.
    Tls,
    /// It is not encrypted: for a server on the same machine.
    None,
}

/// Sends each digest as a mail.
///
/// Its `Message-ID` is made of the idempotency key, so that mail programs know a digest that comes again.
pub struct SmtpSink {
    config: SmtpConfig,
    from: Mailbox,
    to: Vec<Mailbox>,
    dialler: Arc<dyn Dialler>,
}

impl SmtpSink {
    /// A sink over a dialler.
    ///
    /// # Errors
    /// `invalid_config`: an address is none, there is no recipient, or a password would be sent in the clear.
    pub fn new(config: SmtpConfig, dialler: Arc<dyn Dialler>) -> Result<Self> {
        let from = mailbox(&config.from)?;
        let to = config.to.iter().map(|address| mailbox(address)).collect::<Result<Vec<_>>>()?;
        if to.is_empty() {
            return Err(unusable("a mail needs a recipient"));
        }
        if config.login.is_some() && config.security == Security::None {
            return Err(unusable("a password is not sent over a connection that is not encrypted"));
        }
        Ok(Self { config, from, to, dialler })
    }
}

#[async_trait]
impl DigestSink for SmtpSink {
    async fn deliver<'a>(&self, delivery: &Delivery<'a>) -> Result<()> {
        let letter = letter::write(&self.from, &self.to, delivery)?;
        match timeout(self.config.timeout, conversation::hand_in(&self.config, self.dialler.as_ref(), &letter)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(failure(ErrorKind::Timeout, "the mail server took too long")),
        }
    }
}

fn mailbox(text: &str) -> Result<Mailbox> {
    text.parse().map_err(|_| unusable(&format!("{text:?} is no mail address")))
}

fn unusable(detail: &str) -> Error {
    failure(ErrorKind::InvalidConfig, detail)
}

fn failure(kind: ErrorKind, detail: impl Into<String>) -> Error {
    Error::new(kind, "deliver digest", detail)
}
