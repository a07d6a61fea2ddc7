//! Does a run over two hundred sources and two thousand articles stay within 150 MiB, and lose none of them?
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

const SOURCES: usize = 200;
const ARTICLES_A_SOURCE: usize = 10;
/// Sources beside the others that answer 500.
const FAILING: usize = 10;
const MAX_PEAK_KIB: u64 = 150 * 1024;

#[test]
fn two_thousand_articles_fit_into_150_mib() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let out = folder.path().join("digest.json");
    let (peak_kib, status) = watch(start(folder.path(), &out, serve()));
    let log = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    assert_eq!(status.code(), Some(3), "some sources fail, and the exit status says so:\n{log}");

    let digest: serde_json::Value = serde_json::from_slice(&fs::read(&out).expect("a digest was written")).unwrap();
    let sources = digest["sources"].as_array().unwrap();
    let mut outcomes = BTreeMap::new();
    for source in sources {
        *outcomes.entry(source["outcome"].as_str().unwrap()).or_insert(0) += 1;
    }
    assert_eq!(outcomes, BTreeMap::from([("feed", SOURCES), ("failed", FAILING)]));
    for source in sources.iter().filter(|source| source["outcome"] == "failed") {
        assert_eq!(source["error"]["code"], "http_status", "{source}");
    }
    assert_eq!(digest["counts"]["scraped"], SOURCES * ARTICLES_A_SOURCE, "{}", digest["counts"]);
    assert_eq!(digest["articles"].as_array().unwrap().len(), SOURCES * ARTICLES_A_SOURCE);
    assert!(peak_kib < MAX_PEAK_KIB, "the peak was {} MiB", peak_kib / 1024);
    println!("peak memory: {} MiB", peak_kib / 1024);
}

/// Starts a run over all sources, with its digest in `out` and its messages in the folder's `log`.
fn start(folder: &Path, out: &Path, server: SocketAddr) -> Child {
    let hosts: Vec<_> = (0..SOURCES + FAILING).map(|number| format!("s{number}.example.test")).collect();
    let sources: String = hosts.iter().map(|host| format!("[[source]]\nurl = \"http://{host}/\"\n")).collect();
    fs::write(folder.join("sources.toml"), sources).expect("the folder is ours");
    let log = fs::File::create(folder.join("log")).expect("the folder is ours");
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(["run", "--format", "json", "--max-links", "20", "--allow", "127.0.0.1"]);
    command.arg("--sources").arg(folder.join("sources.toml")).arg("--out").arg(out);
    command.arg("--store").arg(format!("sqlite:{}", folder.join("store.db").display()));
    for host in &hosts {
        command.args(["--connect-to", &format!("{host}:80:{server}"), "--allow", host]);
    }
    command.env("HOME", folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    command.spawn().expect("the binary was built")
}

/// Waits for the end, and gives the peak of resident memory: the kernel's own high-water mark, read until the end.
fn watch(mut child: Child) -> (u64, ExitStatus) {
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    loop {
        peak_kib = peak_kib.max(high_water_kib(&status_file).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("the child is ours") {
            return (peak_kib, status);
        }
        thread::park_timeout(Duration::from_millis(2));
    }
}

fn high_water_kib(status_file: &str) -> Option<u64> {
    let status = fs::read_to_string(status_file).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Serves all sources on one port until the test ends: a connection a thread, a request a connection.
fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that breaks off is no concern of the server's.
            thread::spawn(move || answer(stream).ok());
        }
    });
    address
}

fn answer(stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let mut host = String::new();
    while let Some(line) = lines.next().transpose()?.filter(|line| !line.is_empty()) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("host:") {
            host = value.trim().to_owned();
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let (status, content_type, body) = document(&host, path);
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// What a host answers: a feed or a page that names one, articles, or a failure.
fn document(host: &str, path: &str) -> (u16, &'static str, String) {
    let number: usize = host.trim_start_matches('s').split('.').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    if number >= SOURCES {
        return (500, "text/html", "<p>broken</p>".to_owned());
    }
    let article = path.strip_prefix("/articles/").and_then(|text| text.parse::<usize>().ok());
    match (path, article) {
        (_, Some(article)) => (200, "text/html; charset=utf-8", page(number, article)),
        ("/feed.xml", _) => (200, "application/rss+xml", feed(host)),
        // Every second source is its own feed.
        ("/", _) if number.is_multiple_of(2) => (200, "application/rss+xml", feed(host)),
        ("/", _) => (200, "text/html", HOME.to_owned()),
        _ => (404, "text/html", "<p>nothing</p>".to_owned()),
    }
}

const HOME: &str = "<!doctype html><title>Home</title><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\"><p>Home.";

fn feed(host: &str) -> String {
    let items = (0..ARTICLES_A_SOURCE).map(|article| {
        format!("<item><title>Article {article} of {host}</title><link>http://{host}/articles/{article}</link></item>")
    });
    format!(
        "<rss version=\"2.0\"><channel><title>{host}</title><link>http://{host}/</link><description>all</description>{}</channel></rss>",
        items.collect::<String>()
    )
}

/// A page of some 12 KB with a text that stands nowhere else.
fn page(source: usize, article: usize) -> String {
    let mut words = Words((source * ARTICLES_A_SOURCE + article) as u64 + 1);
    let menu: String =
        (0..40).map(|entry| format!("<li><a href=\"/section/{entry}\">Section {entry}</a></li>")).collect();
    let paragraphs: String = (0..12).map(|_| format!("<p>{}</p>\n", words.sentence(90))).collect();
    let title = words.sentence(6);
    format!(
        "<!doctype html><html lang=\"en\"><head><title>{title}</title></head><body><nav><ul>{menu}</ul></nav>\
         <article><h1>{title}</h1>\n{paragraphs}</article><footer><p>Nothing more.</p></footer></body></html>"
    )
}

/// Made-up words from a seed, always the same ones.
struct Words(u64);

impl Words {
    fn sentence(&mut self, length: usize) -> String {
        let words: Vec<String> = (0..length).map(|_| self.word()).collect();
        words.join(" ") + "."
    }

    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 16] =
            ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va"];
        (0..3).map(|_| SYLLABLES[self.next()]).collect()
    }

    /// A step of a linear congruential generator; its upper bits are the good ones.
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 60) as usize
    }
}
