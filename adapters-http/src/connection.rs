//! How a request goes over one connection, and whether the connection can take another one.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Frame, Incoming};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};

use crate::link::{Pulse, Wire};

/// A connection after its handshakes.
///
/// Over HTTP/1.1 one request follows the other, and whoever makes it drives the connection: with a task of its own each
/// request would wait for two more wake-ups. Over HTTP/2 requests go side by side, so there a task drives.
pub(crate) struct Connection {
    lane: Lane,
    pulse: Arc<Pulse>,
}

enum Lane {
    Single(Box<Single>),
    Shared(http2::SendRequest<Full<Bytes>>),
}

struct Single {
    sender: http1::SendRequest<Full<Bytes>>,
    /// None once it has ended.
    driver: Option<http1::Connection<TokioIo<Wire>, Full<Bytes>>>,
}

/// A request without a response.
pub(crate) struct Unanswered {
    /// What went wrong.
    pub(crate) error: hyper::Error,
    /// Whether the request was never written.
    pub(crate) unsent: bool,
}

/// How the target of a request is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// HTTP/1.1: path and query, with a header `Host`.
    One,
    /// HTTP/2: the whole URL.
    Two,
}

impl Connection {
    /// Makes the handshake of the protocol that was agreed on.
    pub(crate) async fn open(wire: Wire) -> hyper::Result<Self> {
        let pulse = wire.pulse();
        let speaks_h2 = wire.speaks_h2();
        let io = TokioIo::new(wire);
        if !speaks_h2 {
            let (sender, driver) =
                http1::Builder::new().max_headers(MAX_HEADERS).max_buf_size(MAX_HEAD_BYTES).handshake(io).await?;
            return Ok(Self { lane: Lane::Single(Box::new(Single { sender, driver: Some(driver) })), pulse });
        }
        let (sender, driver) = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_header_list_size(MAX_HEAD_BYTES as u32)
            .adaptive_window(true)
            .handshake(io)
            .await?;
        // It ends with the connection, or with its last request once nobody can make another one.
        tokio::spawn(async move {
            if let Err(error) = driver.await {
                tracing::debug!(%error, "an HTTP/2 connection broke");
            }
        });
        Ok(Self { lane: Lane::Shared(sender), pulse })
    }

    /// Another handle to a connection whose requests go side by side.
    pub(crate) fn shared(&self) -> Option<Self> {
        match &self.lane {
            Lane::Single(_) => None,
            Lane::Shared(sender) => Some(Self { lane: Lane::Shared(sender.clone()), pulse: Arc::clone(&self.pulse) }),
        }
    }

    pub(crate) fn protocol(&self) -> Protocol {
        match &self.lane {
            Lane::Single(_) => Protocol::One,
            Lane::Shared(_) => Protocol::Two,
        }
    }

    /// When it was last heard.
    pub(crate) fn pulse(&self) -> &Arc<Pulse> {
        &self.pulse
    }

    /// Whether it can take a request. What the server sent or did since the last one is looked at here.
    pub(crate) async fn is_usable(&mut self) -> bool {
        match &mut self.lane {
            Lane::Single(single) => poll_fn(|cx| Poll::Ready(single.poll_usable(cx))).await,
            Lane::Shared(sender) => !sender.is_closed(),
        }
    }

    /// Makes a request and waits for the head of its response.
    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Unanswered> {
        let result = match &mut self.lane {
            Lane::Single(single) => {
                let response = single.sender.try_send_request(request);
                drive(&mut single.driver, response).await
            }
            Lane::Shared(sender) => sender.try_send_request(request).await,
        };
        result.map_err(|refused| Unanswered { unsent: refused.message().is_some(), error: refused.into_error() })
    }

    /// The next piece of a body that comes over this connection.
    pub(crate) async fn frame(&mut self, body: &mut Incoming) -> Option<hyper::Result<Frame<Bytes>>> {
        match &mut self.lane {
            Lane::Single(single) => drive(&mut single.driver, body.frame()).await,
            Lane::Shared(_) => body.frame().await,
        }
    }
}

impl Single {
    fn poll_usable(&mut self, cx: &mut Context<'_>) -> bool {
        advance(&mut self.driver, cx);
        self.driver.is_some() && matches!(self.sender.poll_ready(cx), Poll::Ready(Ok(())))
    }
}

type Driver = Option<http1::Connection<TokioIo<Wire>, Full<Bytes>>>;

/// Waits for `work`, which the connection serves, and moves the connection on meanwhile.
async fn drive<F: Future>(driver: &mut Driver, work: F) -> F::Output {
    let mut work = pin!(work);
    poll_fn(|cx| {
        if let Poll::Ready(output) = work.as_mut().poll(cx) {
            return Poll::Ready(output);
        }
        if driver.is_none() {
            return Poll::Pending;
        }
        advance(driver, cx);
        work.as_mut().poll(cx)
    })
    .await
}

/// Moves a connection on. One that has ended is let go, which also tells those who wait for it.
fn advance(driver: &mut Driver, cx: &mut Context<'_>) {
    if driver.as_mut().is_some_and(|driver| Pin::new(driver).poll(cx).is_ready()) {
        *driver = None;
    }
}

/// Headers of one response.
const MAX_HEADERS: usize = 256;

/// Bytes of one response head; also how much is read ahead on a connection.
const MAX_HEAD_BYTES: usize = 256 * 1024;
