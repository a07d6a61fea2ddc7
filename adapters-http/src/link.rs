//! A connection, and when it was last heard.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_rustls::client::TlsStream;

use crate::tls::speaks_h2;

/// A connection as hyper takes it.
pub(crate) type Link = TokioIo<Wire>;

/// A connection, plain or encrypted, that notes when bytes come in.
pub(crate) struct Wire {
    stream: Stream,
    pulse: Arc<Pulse>,
}

/// What is known of a connection from outside.
#[derive(Debug)]
pub(crate) struct Pulse {
    begun: Instant,
    /// Microseconds after `begun`.
    heard: AtomicU64,
    requests: AtomicU32,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Wire {
    pub(crate) fn plain(stream: TcpStream) -> Link {
        Self::link(Stream::Plain(stream))
    }

    pub(crate) fn tls(stream: TlsStream<TcpStream>) -> Link {
        Self::link(Stream::Tls(Box::new(stream)))
    }

    fn link(stream: Stream) -> Link {
        TokioIo::new(Self { stream, pulse: Arc::new(Pulse::new()) })
    }
}

impl Pulse {
    fn new() -> Self {
        Self { begun: Instant::now(), heard: AtomicU64::new(0), requests: AtomicU32::new(0) }
    }

    /// When bytes last came in; the moment of the connection if none have.
    pub(crate) fn last_heard(&self) -> Instant {
        self.begun + Duration::from_micros(self.heard.load(Ordering::Relaxed))
    }

    /// Counts a request, and tells how many there were before.
    pub(crate) fn on_request(&self) -> u32 {
        self.requests.fetch_add(1, Ordering::Relaxed)
    }

    fn on_bytes(&self) {
        let after = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.heard.store(after, Ordering::Relaxed);
    }
}

impl Connection for Wire {
    fn connected(&self) -> Connected {
        let connected = Connected::new().extra(Arc::clone(&self.pulse));
        match &self.stream {
            Stream::Tls(stream) if speaks_h2(stream) => connected.negotiated_h2(),
            _ => connected,
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_read(cx, buffer),
        };
        if buffer.filled().len() > before {
            self.pulse.on_bytes();
        }
        polled
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_shutdown(cx),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(cx, slices),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_write_vectored(cx, slices),
        }
    }
}
