//! A small web site on loopback, whose pages a test sets one by one, and which remembers what it was asked.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// A web site on a free port of 127.0.0.1. It ends when it is dropped.
///
/// A path is looked up as `host/path` first, by the `Host` header without its port, then as `/path`; what is set for
/// neither answers 404. One site can so stand for many. An answer with an `etag` is given as a 304 to whoever has it.
#[derive(Debug)]
pub struct Site {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What a path answers.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    hangs: bool,
}

#[derive(Debug, Default)]
struct Shared {
    answers: Mutex<BTreeMap<String, Answer>>,
    requests: Mutex<Vec<String>>,
    asked: Condvar,
    ended: AtomicBool,
}

impl Site {
    /// Starts a site without pages.
    ///
    /// # Errors
    /// No port is free.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if serving.ended.load(Ordering::Relaxed) {
                    break;
                }
                let shared = Arc::clone(&serving);
                thread::spawn(move || shared.converse(stream));
            }
        });
        Ok(Self { address, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path that begins with `/`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sets what a path answers from now on; `path` is `/path`, or `host/path` for one host only.
    pub fn set(&self, path: &str, answer: Answer) {
        lock(&self.shared.answers).insert(path.to_owned(), answer);
    }

    /// The paths that were asked for, in order, and forgets them. ` 304` stands behind one that was answered so.
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.shared.requests))
    }

    /// How many requests there were since they were last taken.
    pub fn requests(&self) -> usize {
        lock(&self.shared.requests).len()
    }

    /// Waits until a path was asked for.
    pub fn wait_for(&self, path: &str) {
        self.wait_for_times(path, 1);
    }

    /// Waits until a path was asked for so many times.
    pub fn wait_for_times(&self, path: &str, times: usize) {
        let mut requests = lock(&self.shared.requests);
        while requests.iter().filter(|asked| *asked == path).count() < times {
            requests = self.shared.asked.wait(requests).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        // The listener waits for a connection; this one tells it to look.
        let _ = TcpStream::connect(self.address);
    }
}

impl Answer {
    /// A document of a media type, with status 200.
    pub fn of(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Self { status: 200, headers, body: body.into(), hangs: false }
    }

    /// A page.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::of("text/html; charset=utf-8", body)
    }

    /// A status with a short text.
    pub fn status(status: u16) -> Self {
        Self { status, ..Self::of("text/plain", format!("status {status}")) }
    }

    /// A redirect.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::status(status).header("location", to)
    }

    /// Takes the request and never answers.
    pub fn silence() -> Self {
        Self { hangs: true, ..Self::status(200) }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn etag(&self) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == "etag").map(|(_, value)| value.as_str())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} -\r\ncontent-length: {}\r\n", self.status, self.body.len());
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        [head.as_bytes(), b"\r\n", &self.body].concat()
    }
}

impl Shared {
    /// Answers the requests of one connection, until the client ends it.
    fn converse(&self, mut stream: TcpStream) {
        let Ok(reading) = stream.try_clone() else { return };
        let mut reader = BufReader::new(reading);
        while let Some(Request { host, path, known_etag }) = read_request(&mut reader) {
            let mut answer = self.answer(&host, &path);
            let is_known = known_etag.is_some() && answer.etag() == known_etag.as_deref();
            if is_known {
                answer = Answer { status: 304, body: Vec::new(), ..answer };
            }
            lock(&self.requests).push(if is_known { format!("{path} 304") } else { path });
            self.asked.notify_all();
            if answer.hangs {
                // The client gives up at last; until then there is nothing to read.
                let _ = reader.fill_buf();
                return;
            }
            if stream.write_all(&answer.bytes()).is_err() {
                return;
            }
        }
    }

    fn answer(&self, host: &str, path: &str) -> Answer {
        let answers = lock(&self.answers);
        let found = answers.get(&format!("{host}{path}")).or_else(|| answers.get(path));
        found.cloned().unwrap_or_else(|| Answer::status(404))
    }
}

/// What is asked for.
struct Request {
    /// Without its port.
    host: String,
    path: String,
    known_etag: Option<String>,
}

/// The next request; it has no body.
fn read_request(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut request = Request { host: String::new(), path, known_etag: None };
    loop {
        line.clear();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let header = line.trim_end();
        if header.is_empty() {
            return Some(request);
        }
        let Some((name, value)) = header.split_once(':') else { continue };
        match name.to_ascii_lowercase().as_str() {
            "host" => request.host = value.trim().split(':').next().unwrap_or_default().to_ascii_lowercase(),
            "if-none-match" => request.known_etag = Some(value.trim().to_owned()),
            _ => {}
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
