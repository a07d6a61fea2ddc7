//! How a mail is handed in: the connection, its encryption, the login, the letter.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use headwater_domain::ErrorKind;
use headwater_ports::{Dialler, Duplex, Error, Result};
use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use lettre::transport::smtp::extension::ClientId;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};

use super::{Security, SmtpConfig, failure};

/// Hands a letter in.
pub(super) async fn hand_in(config: &SmtpConfig, dialler: &dyn Dialler, letter: &Message) -> Result<()> {
    let host = &config.host;
    let stream = dialler.dial(host, config.port).await?;
    let stream = match config.security {
        Security::None => Wire::new(stream),
        Security::Tls => Wire::new(dialler.encrypt(host, stream).await?),
        Security::StartTls => {
            let stream = start_tls(stream).await?;
            Wire::greeted(dialler.encrypt(host, stream).await?)
        }
    };
    let hello = ClientId::Ipv4(Ipv4Addr::LOCALHOST);
    let mut connection = AsyncSmtpConnection::connect_with_transport(Box::new(stream), &hello)
        .await
        .map_err(|error| refused("the mail server did not say hello", &error))?;
    if let Some((user, password)) = &config.login {
        let credentials = Credentials::new(user.clone(), password.expose().clone());
        connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await.map_err(|error| {
            // What the server says may quote what it was told.
            let code = error.status().map(|code| format!(" with {code}")).unwrap_or_default();
            failure(ErrorKind::InvalidCredentials, format!("the mail server refused the login{code}"))
        })?;
    }
    let sent = connection.send(letter.envelope(), &letter.formatted()).await;
    sent.map_err(|error| refused("the mail server did not take the mail", &error))?;
    let _ = connection.quit().await;
    Ok(())
}

/// Brings a connection to the point where it must become encrypted.
///
/// Not a byte more than the answer to STARTTLS is read: what stands behind it in the clear was put there by somebody in
/// between, to be taken for the server's word later.
async fn start_tls(mut stream: Box<dyn Duplex>) -> Result<Box<dyn Duplex>> {
    reply(&mut stream, "220").await?;
    stream.write_all(b"EHLO [127.0.0.1]\r\n").await.map_err(broken)?;
    let offered = reply(&mut stream, "250").await?;
    if !offered.lines().any(|line| line.get(4..).is_some_and(|word| word.trim().eq_ignore_ascii_case("starttls"))) {
        return Err(failure(ErrorKind::Tls, "the mail server does not offer STARTTLS, so nothing is said to it"));
    }
    stream.write_all(b"STARTTLS\r\n").await.map_err(broken)?;
    reply(&mut stream, "220").await?;
    Ok(stream)
}

/// Reads one reply, byte by byte, and refuses all but one code.
async fn reply(stream: &mut Box<dyn Duplex>, code: &str) -> Result<String> {
    let mut text = Vec::new();
    let mut line_start = 0;
    loop {
        text.push(stream.read_u8().await.map_err(broken)?);
        if text.len() > MAX_REPLY_BYTES {
            return Err(failure(ErrorKind::BodyTooLarge, "the mail server says too much"));
        }
        if text.ends_with(b"\n") {
            // "250-" goes on, "250 " is the last line.
            if text.get(line_start + 3) != Some(&b'-') {
                break;
            }
            line_start = text.len();
        }
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    if text.starts_with(code) {
        return Ok(text);
    }
    let said: String = text.chars().filter(char::is_ascii_digit).take(3).collect();
    Err(failure(ErrorKind::Connect, format!("the mail server answered {said} instead of {code}")))
}

fn broken(error: io::Error) -> Error {
    failure(ErrorKind::Connect, "the connection to the mail server broke").with_source(error)
}

fn refused(what: &str, error: &lettre::transport::smtp::Error) -> Error {
    match error.status() {
        Some(code) => failure(ErrorKind::Connect, format!("{what}: it answered {code}")),
        None => failure(ErrorKind::Connect, format!("{what}: {error}")),
    }
}

/// A connection as the library takes it, with a limit on what is read from it.
struct Wire {
    stream: Box<dyn Duplex>,
    /// Read before the stream is: after STARTTLS a server does not greet again, and the library waits for it.
    greeting: &'static [u8],
    may_read: usize,
}

impl Wire {
    fn new(stream: Box<dyn Duplex>) -> Self {
        Self { stream, greeting: b"", may_read: MAX_READ_BYTES }
    }

    fn greeted(stream: Box<dyn Duplex>) -> Self {
        Self { greeting: b"220 encrypted\r\n", ..Self::new(stream) }
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

impl AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        // The library hands it on and does nothing else with it.
        Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0))
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.greeting.is_empty() {
            let length = self.greeting.len().min(buffer.remaining());
            let (now, later) = self.greeting.split_at(length);
            buffer.put_slice(now);
            self.greeting = later;
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        match self.may_read.checked_sub(buffer.filled().len() - before) {
            Some(rest) => self.may_read = rest,
            None => return Poll::Ready(Err(io::Error::other("the mail server says too much"))),
        }
        polled
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Bytes of one reply before the connection is encrypted.
const MAX_REPLY_BYTES: usize = 16 * 1024;

/// Bytes of all that a server says.
const MAX_READ_BYTES: usize = 256 * 1024;
