//! A connection, and when it was last heard.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_rustls::client::TlsStream;

use crate::tls::speaks_h2;

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
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Wire {
    pub(crate) fn plain(stream: TcpStream) -> Self {
        Self::new(Stream::Plain(stream))
    }

    pub(crate) fn tls(stream: TlsStream<TcpStream>) -> Self {
        Self::new(Stream::Tls(Box::new(stream)))
    }

    fn new(stream: Stream) -> Self {
        Self { stream, pulse: Arc::new(Pulse::new()) }
    }

    /// When bytes come in.
    pub(crate) fn pulse(&self) -> Arc<Pulse> {
        Arc::clone(&self.pulse)
    }

    /// Whether HTTP/2 was agreed on.
    pub(crate) fn speaks_h2(&self) -> bool {
        matches!(&self.stream, Stream::Tls(stream) if speaks_h2(stream))
    }
}

impl Pulse {
    fn new() -> Self {
        Self { begun: Instant::now(), heard: AtomicU64::new(0) }
    }

    /// When bytes last came in; the moment of the connection if none have.
    pub(crate) fn last_heard(&self) -> Instant {
        self.begun + Duration::from_micros(self.heard.load(Ordering::Relaxed))
    }

    fn on_bytes(&self) {
        let after = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.heard.store(after, Ordering::Relaxed);
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
