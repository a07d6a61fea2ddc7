//! How a connection for another protocol than HTTP comes about.

use std::fmt;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::Result;

/// Dials mail servers.
///
/// An adapter MUST dial only addresses that the address guard allows for a mail server, and only after all addresses behind
/// the name were judged.
#[async_trait]
pub trait Dialler: Send + Sync {
    /// Makes a connection, in the clear.
    async fn dial<'a>(&self, host: &'a str, port: u16) -> Result<Box<dyn Duplex>>;

    /// Encrypts a connection; the certificate is checked for `host`.
    async fn encrypt<'a>(&self, host: &'a str, stream: Box<dyn Duplex>) -> Result<Box<dyn Duplex>>;
}

/// A stream of bytes in both directions.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Sync + Unpin + fmt::Debug {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin + fmt::Debug> Duplex for T {}
