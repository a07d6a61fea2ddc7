//! Where digests are delivered to.

use std::io;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::Result;

/// Takes digests: a file, a web hook, a mailbox.
///
/// A digest may come more than once, always with the same idempotency key: after a crash nobody knows whether the first
/// delivery was completed. A sink that has a place for digests MUST put the second into the place of the first.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait DigestSink: Send + Sync {
    /// Takes a digest, whole or not at all.
    ///
    /// # Errors
    /// It was not taken, as far as can be known. The message holds no secret.
    async fn deliver<'a>(&self, delivery: &Delivery<'a>) -> Result<()>;
}

/// A digest on its way to a sink.
#[derive(Clone, Copy)]
pub struct Delivery<'a> {
    /// The run that made it.
    pub run_id: &'a str,
    /// The same in every attempt, another for every digest and sink.
    pub idempotency_key: &'a str,
    /// When the run ended.
    pub finished_at: Timestamp,
    /// What it brings, in one line.
    pub subject: &'a str,
    /// The digest in the form that the sink is set to.
    pub page: &'a dyn Page,
    /// The same as plain text, for those who cannot show the form.
    pub plain: &'a dyn Page,
}

/// A rendered document.
pub trait Page: Send + Sync {
    /// Its media type, for example `text/html; charset=utf-8`.
    fn content_type(&self) -> &'static str;

    /// The usual ending of a file that holds it, without the dot.
    fn ending(&self) -> &'static str;

    /// Writes it, piece by piece.
    fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()>;
}
