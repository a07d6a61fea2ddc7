//! Stand-in servers: HTTP/1.1 and HTTP/2 on loopback that answer by script, byte for byte where it matters.

mod authority;
mod connection;
mod frames;
mod h2;
mod proxy;
mod received;
mod reply;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

pub use self::authority::{Authority, Identity};
pub use self::frames::{END_HEADERS, END_STREAM, FrameKind, frame};
pub use self::proxy::StandInProxy;
pub use self::received::Received;
pub use self::reply::{Act, Reply};

/// A server that lives until it is dropped, remembers what it was asked, and answers each request by its script.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use headwater_tests::server::{Reply, StandIn};
/// let server = StandIn::start(|request| match request.path() {
///     "/feed.xml" => Reply::new(200).header("Content-Type", "application/rss+xml").body("<rss/>"),
///     _ => Reply::new(404),
/// })
/// .await;
/// assert!(server.address().ip().is_loopback() && server.requests().is_empty());
/// # });
/// ```
#[derive(Debug)]
pub struct StandIn {
    address: SocketAddr,
    log: Arc<Log>,
    task: JoinHandle<()>,
}

/// What happened at a server.
#[derive(Debug, Default)]
struct Log {
    requests: Mutex<Vec<Received>>,
    connections: AtomicUsize,
    open: AtomicUsize,
}

type Script = Arc<dyn Fn(&Received) -> Reply + Send + Sync>;

#[derive(Clone)]
enum Speech {
    Plain,
    Tls(TlsAcceptor),
    H2(TlsAcceptor),
    Frames(TlsAcceptor, Arc<[Act]>),
}

impl StandIn {
    /// A server for `http`.
    pub async fn start(script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        Self::listen("127.0.0.1:0", Speech::Plain, Arc::new(script)).await
    }

    /// A server for `http` at another loopback address, `127.0.0.2:0` for example.
    pub async fn start_at(at: &str, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        Self::listen(at, Speech::Plain, Arc::new(script)).await
    }

    /// A server for `https` over HTTP/1.1.
    pub async fn start_tls(identity: &Identity, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        let speech = Speech::Tls(identity.acceptor(&[b"http/1.1"]));
        Self::listen("127.0.0.1:0", speech, Arc::new(script)).await
    }

    /// A server for `https` over HTTP/2. Only replies of known length can be given over it.
    pub async fn start_h2(identity: &Identity, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        let speech = Speech::H2(identity.acceptor(&[b"h2"]));
        Self::listen("127.0.0.1:0", speech, Arc::new(script)).await
    }

    /// A server for `https` over HTTP/2 that answers each request with these acts on the bare connection. Of a request it
    /// notes only that it came, since its head is compressed.
    pub async fn start_frames(identity: &Identity, acts: &[Act]) -> Self {
        let speech = Speech::Frames(identity.acceptor(&[b"h2"]), acts.into());
        Self::listen("127.0.0.1:0", speech, Arc::new(|_| Reply::new(500))).await
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The requests so far, in the order in which they were read to their end.
    pub fn requests(&self) -> Vec<Received> {
        self.log.requests.lock().expect("nothing panics while it holds the lock").clone()
    }

    /// How many connections were made so far.
    pub fn connections(&self) -> usize {
        self.log.connections.load(Ordering::SeqCst)
    }

    /// How many connections are open now.
    pub fn open_connections(&self) -> usize {
        self.log.open.load(Ordering::SeqCst)
    }

    async fn listen(at: &str, speech: Speech, script: Script) -> Self {
        let listener = TcpListener::bind(at).await.expect("a loopback port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        let log = Arc::new(Log::default());
        let task = tokio::spawn(accept(listener, speech, script, Arc::clone(&log)));
        Self { address, log, task }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, speech: Speech, script: Script, log: Arc<Log>) {
    // Dropping the set with this task ends the connections.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let number = log.connections.fetch_add(1, Ordering::SeqCst);
        log.open.fetch_add(1, Ordering::SeqCst);
        let (speech, script, log) = (speech.clone(), Arc::clone(&script), Arc::clone(&log));
        connections.spawn(async move {
            let _ = stream.set_nodelay(true);
            match speech {
                Speech::Plain => connection::serve(stream, number, "http", &script, &log).await,
                Speech::Tls(acceptor) => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        connection::serve(stream, number, "https", &script, &log).await;
                    }
                }
                Speech::H2(acceptor) => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        h2::serve(stream, number, script, Arc::clone(&log)).await;
                    }
                }
                Speech::Frames(acceptor, acts) => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        let _ = frames::serve(stream, number, &acts, &log).await;
                    }
                }
            }
            log.open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}
