//! One exchange from the first URL to the last response: hops, deadlines, bodies.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::net::UrlGuard;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::{Error, FetchRequest, FetchResponse, Headers, Method};
use http::{HeaderValue, Response};
use hyper::body::{Body as _, Incoming};
use tokio::time::{Instant, timeout};
use url::Url;

use crate::body::{Body, BodyError};
use crate::coding::Claim;
use crate::connection::Connection;
use crate::credentials::Basic;
use crate::error::{failure, no_response, refused};
use crate::pool::{Lease, Origin, Pool, Wanted};
use crate::redirect::Trail;
use crate::request::{self, Headers as RequestHeaders};
use crate::turns::{Turn, Turns};
use crate::vigil::Vigil;

/// What every exchange shares.
pub(crate) struct Shared {
    pub(crate) pool: Arc<Pool>,
    pub(crate) guard: UrlGuard,
    pub(crate) turns: Turns,
    pub(crate) user_agent: HeaderValue,
}

/// An exchange under way.
pub(crate) struct Progress<'a> {
    shared: &'a Shared,
    vigil: &'a Vigil,
    /// How many requests a server saw.
    pub(crate) requests: u32,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(shared: &'a Shared, vigil: &'a Vigil) -> Self {
        Self { shared, vigil, requests: 0 }
    }

    /// Goes from hop to hop to the response. `turn` is the turn of the first host, whose URL was judged.
    pub(crate) async fn run(&mut self, request: FetchRequest, turn: Turn) -> Result<FetchResponse, Error> {
        let mut url = request.url.expose().clone();
        let mut method = request.method;
        let basic = Basic::take_from(&mut url);
        let mut headers = RequestHeaders::new(&self.shared.user_agent, basic, &request.headers)?;
        let mut trail = Trail::new(self.vigil.limits().max_redirects);
        let mut turn = turn;
        loop {
            let (response, mut lease) = self.hop(&url, &method, &headers).await?;
            tracing::debug!(host = url.host_str(), status = response.status().as_u16(), "a server answered");
            let location = response.headers().get(http::header::LOCATION).map(HeaderValue::as_bytes);
            let hop = trail.follow(&url, is_post(&method), response.status().as_u16(), location)?;
            let Some(mut hop) = hop else {
                return self.collect(response, lease, url, trail.permanent()).await;
            };
            if drain(response, &mut lease.connection).await {
                self.shared.pool.keep(lease);
            }
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
            self.shared.guard.judge_url(&url).map_err(|refusal| refused(&refusal))?;
            self.vigil.on_pause();
            // Given back first: a redirect may lead to the same host, which may have but one turn.
            drop(turn);
            turn = self.shared.turns.wait(url.host_str().unwrap_or_default()).await;
        }
    }

    /// One request and the head of its response.
    ///
    /// A connection kept from an earlier request may have been closed by the server just now. Then nobody saw the request,
    /// and it is made once more.
    async fn hop(
        &mut self,
        url: &Url,
        method: &Method,
        headers: &RequestHeaders,
    ) -> Result<(Response<Incoming>, Lease), Error> {
        let mut wanted = Wanted::Any;
        loop {
            self.vigil.on_wait(None);
            let mut lease = self.shared.pool.lease(Origin::of(url), wanted).await?;
            let request = request::build(url, method, headers, lease.connection.protocol())?;
            let pulse = Arc::clone(lease.connection.pulse());
            let begun = Instant::now();
            self.requests += 1;
            self.vigil.on_wait(Some(Arc::clone(&pulse)));
            match lease.connection.send(request).await {
                Ok(response) => {
                    lease.on_answer();
                    return Ok((response, lease));
                }
                Err(unanswered) => {
                    let is_unseen = unanswered.unsent || (!is_post(method) && pulse.last_heard() <= begun);
                    if !lease.is_reused || !is_unseen {
                        return Err(no_response(unanswered.error));
                    }
                }
            }
            self.requests -= 1;
            wanted = Wanted::Fresh;
        }
    }

    /// Reads the body of the last response.
    async fn collect(
        &self,
        response: Response<Incoming>,
        mut lease: Lease,
        url: Url,
        permanent: Option<Url>,
    ) -> Result<FetchResponse, Error> {
        let (head, mut incoming) = response.into_parts();
        let mut headers = Headers::default();
        head.headers.iter().for_each(|(name, value)| headers.append(name.as_str(), value.as_bytes()));
        let mut wire = Wire {
            incoming: &mut incoming,
            connection: &mut lease.connection,
            vigil: self.vigil,
            ended: false,
            fault: None,
        };
        let cap = self.vigil.limits().max_body_bytes;
        let (body, body_cut) = match head.status.is_success() {
            true => wanted_body(&mut wire, &headers, cap).await?,
            false => informing_body(&mut wire, &headers, cap).await?,
        };
        if wire.ended {
            self.shared.pool.keep(lease);
        }
        Ok(FetchResponse {
            status: head.status.as_u16(),
            final_url: PrivateUrl::new(url),
            permanent_url: permanent.map(PrivateUrl::new),
            headers,
            body,
            body_cut,
        })
    }
}

/// Where a body comes from.
struct Wire<'a> {
    incoming: &'a mut Incoming,
    connection: &'a mut Connection,
    vigil: &'a Vigil,
    /// Whether it came to its proper end.
    ended: bool,
    /// What broke it off.
    fault: Option<hyper::Error>,
}

impl Wire<'_> {
    /// Moves the body into its collector, up to its end or to where it breaks.
    async fn pump(&mut self, body: &mut Body) -> Result<(), BodyError> {
        self.vigil.on_wait(None);
        while !body.is_cut() {
            match self.connection.frame(self.incoming).await {
                None => {
                    self.ended = true;
                    return Ok(());
                }
                Some(Err(error)) => {
                    self.fault = Some(error);
                    return Ok(());
                }
                Some(Ok(frame)) => {
                    let Ok(data) = frame.into_data() else { continue };
                    // A piece of nothing is no sign of life, or it could be given for ever.
                    if !data.is_empty() {
                        self.vigil.on_sign();
                    }
                    body.push(data)?;
                }
            }
        }
        Ok(())
    }
}

async fn wanted_body(wire: &mut Wire<'_>, headers: &Headers, cap: u64) -> Result<(Bytes, bool), Error> {
    let claim = Claim::of(headers);
    if claim == Claim::Known(Vec::new()) && wire.incoming.size_hint().lower() > cap {
        return Err(too_large(cap));
    }
    let mut body = Body::new(claim, cap);
    wire.pump(&mut body).await.map_err(|error| body_failure(error, cap))?;
    let collected = body.finish().map_err(|error| body_failure(error, cap))?;
    if let Some(fault) = wire.fault.take().filter(|_| collected.bytes.is_empty()) {
        return Err(failure(ErrorKind::Connect, "the body broke off before anything of it came").with_source(fault));
    }
    Ok((collected.bytes, collected.cut || !wire.ended))
}

/// The body of a failure says at most why: what is too large or unreadable is left out, and the status still counts.
async fn informing_body(wire: &mut Wire<'_>, headers: &Headers, cap: u64) -> Result<(Bytes, bool), Error> {
    let mut body = Body::new(Claim::of(headers), cap.min(MAX_INFORMING_BYTES));
    match wire.pump(&mut body).await {
        Ok(()) => match body.finish() {
            Ok(collected) => Ok((collected.bytes, collected.cut || !wire.ended)),
            Err(_) => Ok((Bytes::new(), true)),
        },
        Err(_) => Ok((body.salvage(), true)),
    }
}

/// Reads the rest of a redirect's response if it is short, and tells whether its connection can be used again.
async fn drain(response: Response<Incoming>, connection: &mut Connection) -> bool {
    let mut body = response.into_body();
    if body.size_hint().upper().is_none_or(|size| size > MAX_DRAINED_BYTES) {
        return false;
    }
    let rest = async {
        loop {
            match connection.frame(&mut body).await {
                Some(Ok(_)) => {}
                Some(Err(_)) => return false,
                None => return true,
            }
        }
    };
    timeout(DRAINED_WITHIN, rest).await.unwrap_or(false)
}

fn is_post(method: &Method) -> bool {
    matches!(method, Method::Post(_))
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
