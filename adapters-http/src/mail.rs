//! How a mail server is dialled: by the same guard, with the ports of mail.

use std::sync::Arc;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::net::UrlGuard;
use headwater_ports::{Dialler, Duplex, Error};
use tokio::time::timeout;

use crate::config::HttpConfig;
use crate::dial::{Parts, bracketed};
use crate::error::{failure, refused};
use crate::tls::Tls;

/// Dials mail servers, to addresses that the guard has judged.
///
/// Exemptions, detours, fixed addresses, added authorities and the proxy count as they do for the web.
pub struct MailDialler {
    parts: Arc<Parts>,
    tls: Tls,
}

impl MailDialler {
    /// A dialler with that configuration.
    ///
    /// # Errors
    /// `invalid_config` for a proxy or added authorities that cannot be used.
    pub fn new(config: &HttpConfig) -> Result<Self, Error> {
        let parts = Parts::new(config, UrlGuard::for_mail(config.exemptions.clone()))?;
        let tls = parts.tls.without_protocols();
        Ok(Self { parts: Arc::new(parts), tls })
    }
}

#[async_trait]
impl Dialler for MailDialler {
    async fn dial<'a>(&self, host: &'a str, port: u16) -> Result<Box<dyn Duplex>, Error> {
        // The host that was asked for is judged too, where a detour leads elsewhere.
        self.parts.guard.judge_name(&bracketed(host), port).map_err(|refusal| refused(&refusal))?;
        match timeout(headwater_domain::limits::FETCH_TIMEOUT, self.parts.dial(host, port)).await {
            Ok(stream) => Ok(Box::new(stream?)),
            Err(_) => Err(failure(ErrorKind::Timeout, format!("no connection to {host} came about in time"))),
        }
    }

    async fn encrypt<'a>(&self, host: &'a str, stream: Box<dyn Duplex>) -> Result<Box<dyn Duplex>, Error> {
        Ok(Box::new(self.tls.handshake(host.trim_end_matches('.'), stream).await?))
    }
}
