//! How a connection goes through a proxy: HTTP CONNECT, or SOCKS5 (RFC 1928, RFC 1929).

use std::net::{IpAddr, SocketAddr};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Host, Url};

use crate::credentials::decode;
use crate::error::failure;

/// A proxy. It is given addresses, never names: what the guard judged is what the proxy dials.
#[derive(Debug, Clone)]
pub(crate) struct Proxy {
    scheme: Scheme,
    /// The host to connect to, as it was configured; the guard does not judge it.
    pub(crate) host: Host,
    /// Its port.
    pub(crate) port: u16,
    login: Option<Login>,
}

#[derive(Debug, Clone)]
struct Login {
    user: Secret<Vec<u8>>,
    password: Secret<Vec<u8>>,
}

#[derive(Debug, Clone, Copy)]
enum Scheme {
    Connect,
    Socks5,
}

impl Proxy {
    /// Reads `http://[user:password@]host[:port]` or `socks5://…`.
    ///
    /// # Errors
    /// `invalid_config`, without the text, since it may hold a password.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let unusable =
            || failure(ErrorKind::InvalidConfig, "the proxy is not http://HOST[:PORT] or socks5://HOST[:PORT]");
        let url = Url::parse(text).map_err(|_| unusable())?;
        let (scheme, default_port) = match url.scheme() {
            "http" => (Scheme::Connect, 80),
            "socks5" | "socks5h" => (Scheme::Socks5, 1080),
            _ => return Err(unusable()),
        };
        // The host of a scheme that the URL standard does not know is parsed as opaque text.
        let host = Host::parse(url.host_str().ok_or_else(unusable)?).map_err(|_| unusable())?;
        let login = (!url.username().is_empty() || url.password().is_some()).then(|| Login {
            user: Secret::new(decode(url.username())),
            password: Secret::new(decode(url.password().unwrap_or_default())),
        });
        Ok(Self { scheme, host, port: url.port().unwrap_or(default_port), login })
    }

    /// Asks the proxy, over a fresh connection to it, for one to `target`.
    pub(crate) async fn tunnel(&self, stream: &mut TcpStream, target: SocketAddr) -> Result<(), Error> {
        let result = match self.scheme {
            Scheme::Connect => self.connect(stream, target).await,
            Scheme::Socks5 => self.socks5(stream, target).await,
        };
        result.map_err(|problem| match problem {
            Problem::Io(error) => failure(ErrorKind::Connect, "the connection to the proxy broke").with_source(error),
            Problem::Said(what) => failure(ErrorKind::Connect, format!("the proxy {what}")),
        })
    }

    async fn connect(&self, stream: &mut TcpStream, target: SocketAddr) -> Result<(), Problem> {
        let mut request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n");
        if let Some(Login { user, password }) = &self.login {
            let pair = [user.expose().as_slice(), b":", password.expose()].concat();
            request.push_str(&format!("Proxy-Authorization: Basic {}\r\n", STANDARD.encode(pair)));
        }
        request.push_str("\r\n");
        stream.write_all(request.as_bytes()).await?;
        let head = read_head(stream).await?;
        let status = head.split(|byte| *byte == b' ').nth(1).and_then(|word| std::str::from_utf8(word).ok());
        match status.and_then(|word| word.trim().parse::<u16>().ok()) {
            Some(200..=299) => Ok(()),
            Some(407) => Err(Problem::Said("asks for a user name and password".to_owned())),
            Some(status) => Err(Problem::Said(format!("refused with status {status}"))),
            None => Err(Problem::Said("answered with something else than HTTP".to_owned())),
        }
    }

    async fn socks5(&self, stream: &mut TcpStream, target: SocketAddr) -> Result<(), Problem> {
        let method = if self.login.is_some() { LOGIN } else { NO_LOGIN };
        stream.write_all(&[SOCKS_VERSION, 1, method]).await?;
        let answer = read_array::<2>(stream).await?;
        if answer != [SOCKS_VERSION, method] {
            return Err(Problem::Said("does not accept this way of logging in".to_owned()));
        }
        if let Some(Login { user, password }) = &self.login {
            self.log_in(stream, user.expose(), password.expose()).await?;
        }
        let mut request = vec![SOCKS_VERSION, CONNECT, 0];
        match target.ip() {
            IpAddr::V4(v4) => request.extend([&[IPV4][..], &v4.octets()].concat()),
            IpAddr::V6(v6) => request.extend([&[IPV6][..], &v6.octets()].concat()),
        }
        request.extend(target.port().to_be_bytes());
        stream.write_all(&request).await?;
        let [_, code, _, kind] = read_array::<4>(stream).await?;
        if code != 0 {
            return Err(Problem::Said(format!("refused: {}", socks_refusal(code))));
        }
        // The address from which the proxy speaks, which nobody needs.
        let length = match kind {
            IPV4 => 4,
            IPV6 => 16,
            _ => usize::from(read_array::<1>(stream).await?[0]),
        };
        stream.read_exact(&mut vec![0; length + 2]).await?;
        Ok(())
    }

    async fn log_in(&self, stream: &mut TcpStream, user: &[u8], password: &[u8]) -> Result<(), Problem> {
        let too_long = |_| Problem::Said("takes no user name or password of more than 255 bytes".to_owned());
        let mut request = vec![1, u8::try_from(user.len()).map_err(too_long)?];
        request.extend(user);
        request.push(u8::try_from(password.len()).map_err(too_long)?);
        request.extend(password);
        stream.write_all(&request).await?;
        match read_array::<2>(stream).await? {
            [_, 0] => Ok(()),
            _ => Err(Problem::Said("refused the user name or password".to_owned())),
        }
    }
}

enum Problem {
    Io(std::io::Error),
    Said(String),
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads up to the empty line. Byte by byte, since what follows belongs to the tunnel.
async fn read_head(stream: &mut TcpStream) -> Result<Vec<u8>, Problem> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() == MAX_HEAD {
            return Err(Problem::Said("answered with an endless head".to_owned()));
        }
        head.push(stream.read_u8().await?);
    }
    Ok(head)
}

async fn read_array<const N: usize>(stream: &mut TcpStream) -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}

fn socks_refusal(code: u8) -> &'static str {
    match code {
        2 => "not allowed by its rules",
        3 => "the network cannot be reached",
        4 => "the host cannot be reached",
        5 => "the host refused the connection",
        6 => "it took too long",
        7 => "it makes no connections",
        8 => "it does not know this kind of address",
        _ => "it failed",
    }
}

const MAX_HEAD: usize = 8 * 1024;
const SOCKS_VERSION: u8 = 5;
const NO_LOGIN: u8 = 0;
const LOGIN: u8 = 2;
const CONNECT: u8 = 1;
const IPV4: u8 = 1;
const IPV6: u8 = 4;
