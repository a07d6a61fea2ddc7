//! One exchange from the first URL to the last response: hops, deadlines, bodies.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::net::UrlGuard;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::{Error, FetchLimits, FetchRequest, FetchResponse, Headers, Method};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body as _, Incoming};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use tokio::time::{Instant, sleep_until, timeout};
use url::Url;

use crate::body::{Body, BodyError};
use crate::coding::Claim;
use crate::credentials::Basic;
use crate::dial::Dialler;
use crate::error::{failure, no_response, refused};
use crate::link::Pulse;
use crate::redirect::Trail;
use crate::request::{self, Headers as RequestHeaders};
use crate::turns::{Turn, Turns};

/// What every exchange shares.
pub(crate) struct Shared {
    pub(crate) client: Client<Dialler, Full<Bytes>>,
    pub(crate) guard: UrlGuard,
    pub(crate) turns: Turns,
    pub(crate) user_agent: String,
}

/// An exchange under way.
pub(crate) struct Progress<'a> {
    shared: &'a Shared,
    limits: FetchLimits,
    /// How many requests a server saw.
    pub(crate) requests: u32,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(shared: &'a Shared, limits: FetchLimits) -> Self {
        Self { shared, limits, requests: 0 }
    }

    /// Goes from hop to hop to the response. `turn` is the turn of the first host.
    pub(crate) async fn run(&mut self, request: FetchRequest, turn: Turn) -> Result<FetchResponse, Error> {
        let mut url = request.url.expose().clone();
        let mut method = request.method;
        let basic = Basic::take_from(&mut url);
        let mut headers = RequestHeaders::new(&self.shared.user_agent, basic, &request.headers)?;
        let mut trail = Trail::new(self.limits.max_redirects);
        let mut turn = Some(turn);
        loop {
            self.shared.guard.judge_url(&url).map_err(|refusal| refused(&refusal))?;
            let _turn = match turn.take() {
                Some(turn) => turn,
                None => self.shared.turns.wait(url.host_str().unwrap_or_default()).await,
            };
            let response = self.hop(&url, &method, &headers).await?;
            tracing::debug!(host = url.host_str(), status = response.status().as_u16(), "a server answered");
            let location = response.headers().get(http::header::LOCATION).map(http::HeaderValue::as_bytes);
            let hop = trail.follow(&url, is_post(&method), response.status().as_u16(), location)?;
            let Some(mut hop) = hop else {
                return self.collect(response, url, trail.permanent()).await;
            };
            drain(response).await;
            if hop.drops_body {
                method = Method::Get;
            }
            if hop.url.origin() != url.origin() {
                headers.leave_origin();
            }
            if let Some(basic) = Basic::take_from(&mut hop.url) {
                headers.adopt(basic);
            }
            url = hop.url;
        }
    }

    /// One request and the head of its response.
    ///
    /// A connection kept from an earlier request may have been closed by the server just now. Then nobody saw the request,
    /// and it is made once more.
    async fn hop(&mut self, url: &Url, method: &Method, headers: &RequestHeaders) -> Result<Response<Incoming>, Error> {
        let mut is_retry = false;
        loop {
            let request = request::build(url, method, headers)?;
            match self.attempt(request, is_retry || is_post(method)).await {
                Attempt::Response(response) => return Ok(response),
                Attempt::Failure(error) => return Err(error),
                Attempt::Stale => is_retry = true,
            }
        }
    }

    async fn attempt(&mut self, mut request: Request<Full<Bytes>>, is_final: bool) -> Attempt {
        let mut captured = capture_connection(&mut request);
        let begun = Instant::now();
        let mut response = pin!(self.shared.client.request(request));
        let mut link: Option<(Arc<Pulse>, u32)> = None;
        let mut silence = pin!(sleep_until(begun + self.limits.read_timeout));
        let result = loop {
            tokio::select! {
                biased;
                result = &mut response => break result,
                found = pulse(&mut captured), if link.is_none() => {
                    let earlier = found.on_request();
                    link = Some((found, earlier));
                    self.requests += 1;
                    silence.as_mut().reset(Instant::now() + self.limits.read_timeout);
                }
                () = &mut silence => {
                    let heard = link.as_ref().map_or(begun, |(pulse, _)| pulse.last_heard());
                    if heard + self.limits.read_timeout <= silence.deadline() {
                        return Attempt::Failure(silent(self.limits.read_timeout));
                    }
                    silence.as_mut().reset(heard + self.limits.read_timeout);
                }
            }
        };
        if link.is_none()
            && let Some(found) = known_pulse(&captured)
        {
            let earlier = found.on_request();
            link = Some((found, earlier));
            self.requests += 1;
        }
        match (result, link) {
            (Ok(response), _) => Attempt::Response(response),
            (Err(_), Some((pulse, earlier))) if earlier > 0 && !is_final && pulse.last_heard() <= begun => {
                self.requests -= 1;
                Attempt::Stale
            }
            (Err(error), _) => Attempt::Failure(no_response(error)),
        }
    }

    /// Reads the body of the last response.
    async fn collect(
        &self,
        response: Response<Incoming>,
        url: Url,
        permanent: Option<Url>,
    ) -> Result<FetchResponse, Error> {
        let (head, incoming) = response.into_parts();
        let mut headers = Headers::default();
        head.headers.iter().for_each(|(name, value)| headers.append(name.as_str(), value.as_bytes()));
        let (body, body_cut) = match head.status.is_success() {
            true => self.wanted_body(incoming, &headers).await?,
            false => self.informing_body(incoming, &headers).await?,
        };
        Ok(FetchResponse {
            status: head.status.as_u16(),
            final_url: PrivateUrl::new(url),
            permanent_url: permanent.map(PrivateUrl::new),
            headers,
            body,
            body_cut,
        })
    }

    async fn wanted_body(&self, incoming: Incoming, headers: &Headers) -> Result<(Bytes, bool), Error> {
        let cap = self.limits.max_body_bytes;
        let claim = Claim::of(headers);
        if claim == Claim::Known(Vec::new()) && incoming.size_hint().lower() > cap {
            return Err(too_large(cap));
        }
        let mut body = Body::new(claim, cap);
        let ended = self.pump(incoming, &mut body).await?.map_err(|error| body_failure(error, cap))?;
        let collected = body.finish().map_err(|error| body_failure(error, cap))?;
        Ok((collected.bytes, collected.cut || !ended))
    }

    /// The body of a failure says at most why: what is too large or unreadable is left out, and the status still counts.
    async fn informing_body(&self, incoming: Incoming, headers: &Headers) -> Result<(Bytes, bool), Error> {
        let mut body = Body::new(Claim::of(headers), self.limits.max_body_bytes.min(MAX_INFORMING_BYTES));
        match self.pump(incoming, &mut body).await? {
            Ok(ended) => match body.finish() {
                Ok(collected) => Ok((collected.bytes, collected.cut || !ended)),
                Err(_) => Ok((Bytes::new(), true)),
            },
            Err(_) => Ok((body.salvage(), true)),
        }
    }

    /// Moves the body into its collector. The inner result tells whether it came to its proper end.
    async fn pump(&self, mut incoming: Incoming, body: &mut Body) -> Result<Result<bool, BodyError>, Error> {
        while !body.is_cut() {
            match timeout(self.limits.read_timeout, incoming.frame()).await {
                Err(_) => return Err(silent(self.limits.read_timeout)),
                Ok(None) => return Ok(Ok(true)),
                Ok(Some(Err(_))) => return Ok(Ok(false)),
                Ok(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    if let Err(error) = body.push(data) {
                        return Ok(Err(error));
                    }
                }
            }
        }
        Ok(Ok(false))
    }
}

enum Attempt {
    Response(Response<Incoming>),
    Failure(Error),
    /// A kept connection was dead.
    Stale,
}

/// Reads the rest of a redirect's response if it is short, so that its connection can be used again.
async fn drain(response: Response<Incoming>) {
    let mut body = response.into_body();
    if body.size_hint().upper().is_some_and(|size| size <= MAX_DRAINED_BYTES) {
        let rest = async { while let Some(Ok(_)) = body.frame().await {} };
        let _ = timeout(DRAINED_WITHIN, rest).await;
    }
}

async fn pulse(captured: &mut CaptureConnection) -> Arc<Pulse> {
    let _ = captured.wait_for_connection_metadata().await;
    match known_pulse(captured) {
        Some(pulse) => pulse,
        // The request failed before it had a connection: its own future tells.
        None => std::future::pending().await,
    }
}

fn known_pulse(captured: &CaptureConnection) -> Option<Arc<Pulse>> {
    let mut extras = http::Extensions::new();
    captured.connection_metadata().as_ref()?.get_extras(&mut extras);
    extras.remove()
}

fn is_post(method: &Method) -> bool {
    matches!(method, Method::Post(_))
}

fn silent(limit: Duration) -> Error {
    failure(ErrorKind::Timeout, format!("the server was silent for {limit:?}"))
}

fn too_large(cap: u64) -> Error {
    failure(ErrorKind::BodyTooLarge, format!("the body is larger than {cap} bytes"))
}

fn body_failure(error: BodyError, cap: u64) -> Error {
    match error {
        BodyError::TooLarge => too_large(cap),
        BodyError::Coding(what) => failure(ErrorKind::UnsupportedEncoding, what),
    }
}

const MAX_INFORMING_BYTES: u64 = 1024 * 1024;
const MAX_DRAINED_BYTES: u64 = 16 * 1024;
const DRAINED_WITHIN: Duration = Duration::from_millis(250);
