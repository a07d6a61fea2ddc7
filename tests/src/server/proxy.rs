//! Stand-in proxies: HTTP CONNECT and SOCKS5, which send every connection to one server.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A proxy that notes which target it was asked for and with which login, and connects to a server of its own choice.
#[derive(Debug)]
pub struct StandInProxy {
    address: SocketAddr,
    asked: Asked,
    task: JoinHandle<()>,
}

/// Targets, with the login that came along.
type Asked = Arc<Mutex<Vec<(SocketAddr, Option<String>)>>>;

#[derive(Debug, Clone, Copy)]
enum Protocol {
    Connect,
    Socks5,
}

impl StandInProxy {
    /// An HTTP proxy whose tunnels all end at `server`; without one it refuses with status 403.
    pub async fn connect(server: Option<SocketAddr>) -> Self {
        Self::start(Protocol::Connect, server).await
    }

    /// A SOCKS5 proxy whose tunnels all end at `server`; without one it refuses.
    pub async fn socks5(server: Option<SocketAddr>) -> Self {
        Self::start(Protocol::Socks5, server).await
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The targets that it was asked for, with the login (`user:password`, or the value of `Proxy-Authorization`).
    pub fn asked(&self) -> Vec<(SocketAddr, Option<String>)> {
        self.asked.lock().expect("nothing panics while it holds the lock").clone()
    }

    async fn start(protocol: Protocol, server: Option<SocketAddr>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let noted = Arc::clone(&noted);
                tokio::spawn(async move {
                    let _ = serve(stream, protocol, server, &noted).await;
                });
            }
        });
        Self { address, asked, task }
    }
}

impl Drop for StandInProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut client: TcpStream, protocol: Protocol, server: Option<SocketAddr>, asked: &Asked) -> io::Result<()> {
    let target = match protocol {
        Protocol::Connect => read_connect(&mut client).await?,
        Protocol::Socks5 => read_socks5(&mut client).await?,
    };
    asked.lock().expect("nothing panics while it holds the lock").push(target);
    let (yes, no): (&[u8], &[u8]) = match protocol {
        Protocol::Connect => {
            (b"HTTP/1.1 200 Connected\r\n\r\n", b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        Protocol::Socks5 => (&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0], &[5, 2, 0, 1, 0, 0, 0, 0, 0, 0]),
    };
    let Some(server) = server else { return client.write_all(no).await };
    let mut server = TcpStream::connect(server).await?;
    client.write_all(yes).await?;
    copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}

async fn read_connect(client: &mut TcpStream) -> io::Result<(SocketAddr, Option<String>)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.split(' ').nth(1).and_then(|target| target.parse().ok());
    let login = head.lines().find_map(|line| line.strip_prefix("Proxy-Authorization: ")).map(str::to_owned);
    Ok((target.ok_or_else(|| io::Error::other("the target is no address"))?, login))
}

async fn read_socks5(client: &mut TcpStream) -> io::Result<(SocketAddr, Option<String>)> {
    let mut greeting = [0; 3];
    client.read_exact(&mut greeting).await?;
    client.write_all(&[5, greeting[2]]).await?;
    let login = if greeting[2] == 2 { Some(read_login(client).await?) } else { None };
    let mut request = [0; 4];
    client.read_exact(&mut request).await?;
    let address: IpAddr = match request[3] {
        1 => Ipv4Addr::from_bits(client.read_u32().await?).into(),
        4 => Ipv6Addr::from_bits(client.read_u128().await?).into(),
        _ => return Err(io::Error::other("the target is no address")),
    };
    Ok((SocketAddr::new(address, client.read_u16().await?), login))
}

async fn read_login(client: &mut TcpStream) -> io::Result<String> {
    client.read_u8().await?;
    let mut parts = Vec::new();
    for _ in 0..2 {
        let mut part = vec![0; usize::from(client.read_u8().await?)];
        client.read_exact(&mut part).await?;
        parts.push(String::from_utf8_lossy(&part).into_owned());
    }
    client.write_all(&[1, 0]).await?;
    Ok(parts.join(":"))
}
