//! A web hook that is sent each digest, signed.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use aws_lc_rs::hmac;
use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::resilience::{Backoff, Patience, WAIT_HEADERS, asked_wait, may_pass};
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_ports::{
    Advice, Clock, Delivery, DigestSink, Error, FetchLimits, FetchRequest, FetchResponse, Fetcher, Method, Result,
    Timer,
};

/// Where a web hook is, and how it is sent digests.
#[derive(Debug, Clone)]
pub struct WebhookConfig {
    /// Where; a token in it is a secret like any other.
    pub url: PrivateUrl,
    /// What signs the requests; none: they are not signed.
    pub secret: Option<Secret<String>>,
    /// How often one digest is sent at most in one run; default 3.
    pub attempts: u32,
    /// The time for one attempt; default 30 s.
    pub timeout: Duration,
}

/// Sends each digest as the body of a POST.
///
/// `Idempotency-Key` is the same whenever a digest is sent again. `X-Headwater-Signature` is `v1=` and the HMAC-SHA256, in
/// hex, of the timestamp, a full stop and the body; `X-Headwater-Timestamp` is that timestamp, in seconds since 1970, so
/// that a receiver can refuse an old request that somebody else sends again.
pub struct WebhookSink {
    config: WebhookConfig,
    fetcher: Arc<dyn Fetcher>,
    clock: Arc<dyn Clock>,
    timer: Arc<dyn Timer>,
}

/// Why a receiver did not take a digest.
struct Refusal {
    error: Error,
    /// Whether the same request may succeed later.
    passes: bool,
}

impl WebhookConfig {
    /// A web hook without a secret, tried three times.
    pub fn new(url: PrivateUrl) -> Self {
        Self { url, secret: None, attempts: 3, timeout: Duration::from_secs(30) }
    }
}

impl WebhookSink {
    /// A sink over these ports.
    pub fn new(config: WebhookConfig, fetcher: Arc<dyn Fetcher>, clock: Arc<dyn Clock>, timer: Arc<dyn Timer>) -> Self {
        Self { config, fetcher, clock, timer }
    }

    fn request(&self, delivery: &Delivery<'_>, body: &Bytes) -> FetchRequest {
        let limits = FetchLimits {
            max_body_bytes: MAX_ANSWER_BYTES,
            timeout: self.config.timeout,
            read_timeout: self.config.timeout,
            // A redirect would make a GET of the digest.
            max_redirects: 0,
        };
        let timestamp = self.clock.now().as_second().to_string();
        let request = FetchRequest {
            url: self.config.url.clone(),
            method: Method::Post(body.clone()),
            headers: Vec::new(),
            limits,
        }
        .header("content-type", delivery.page.content_type())
        .header("idempotency-key", delivery.idempotency_key)
        .header("x-headwater-run", delivery.run_id)
        .header("x-headwater-timestamp", timestamp.as_str());
        match &self.config.secret {
            Some(secret) => request.header("x-headwater-signature", signature(secret, &timestamp, body)),
            None => request,
        }
    }

    /// One attempt; how long the receiver asks to wait comes with the error.
    async fn attempt(&self, request: FetchRequest) -> Result<(), Refusal> {
        let response = match self.fetcher.fetch(request).await.outcome {
            Ok(response) => response,
            Err(error) => {
                let passes = matches!(error.advice(), Advice::Retry(_));
                return Err(Refusal { error: named(error), passes });
            }
        };
        let status = response.status;
        if (200..300).contains(&status) {
            return Ok(());
        }
        let kind = if status == 429 { ErrorKind::Throttled } else { ErrorKind::HttpStatus };
        let error = Error::new(kind, OPERATION, format!("the web hook answered HTTP {status}"));
        Err(Refusal { error: Error { retry_after: self.asked(&response), ..error }, passes: may_pass(status) })
    }

    fn asked(&self, response: &FetchResponse) -> Option<Duration> {
        let now = self.clock.now();
        WAIT_HEADERS.iter().filter_map(|name| asked_wait(name, response.headers.text(name)?, now)).max()
    }
}

#[async_trait]
impl DigestSink for WebhookSink {
    async fn deliver<'a>(&self, delivery: &Delivery<'a>) -> Result<()> {
        let mut body = Vec::new();
        delivery.page.write_to(&mut body).map_err(|error| {
            Error::new(ErrorKind::Internal, OPERATION, "the digest could not be rendered").with_source(error)
        })?;
        let body = Bytes::from(body);
        let patience = Patience {
            attempts: self.config.attempts,
            backoff: Backoff::new(Duration::from_secs(1), Duration::from_secs(30)),
            max_wait: MAX_WAIT,
        };
        let mut failures = 0;
        loop {
            let Err(Refusal { error, passes }) = self.attempt(self.request(delivery, &body)).await else {
                return Ok(());
            };
            failures += 1;
            match patience.after(failures, error.retry_after).filter(|_| passes) {
                Some(wait) => self.timer.sleep(wait).await,
                None => return Err(error),
            }
        }
    }
}

/// The signature over a timestamp and a body, as the header has it.
fn signature(secret: &Secret<String>, timestamp: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.expose().as_bytes());
    let mut context = hmac::Context::with_key(&key);
    context.update(timestamp.as_bytes());
    context.update(b".");
    context.update(body);
    let tag = context.sign();
    tag.as_ref().iter().fold("v1=".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// An error of the fetcher, said of the web hook.
fn named(error: Error) -> Error {
    let detail = format!("the web hook could not be reached: {error}");
    Error { detail, operation: OPERATION, ..error }
}

const OPERATION: &str = "deliver digest";

/// What the receiver answers is not read, but for its status.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// A receiver that asks for more time gets the digest in the next run.
const MAX_WAIT: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_covers_timestamp_and_body() {
        // Computed with another implementation: HMAC-SHA256 of "1.what do ya want for nothing?" under "Jefe".
        let secret = Secret::new("Jefe".to_owned());
        let signed = signature(&secret, "1", b"what do ya want for nothing?");
        assert_eq!(signed, "v1=a9049465ce89cfb8e9aac62333abda66f80e3403f51f57f6bae3c3a4485eca38");
        assert_ne!(signed, signature(&secret, "2", b"what do ya want for nothing?"));
        assert_ne!(signed, signature(&secret, "1", b"what do ya want for nothing!"));
    }
}
