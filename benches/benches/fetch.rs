//! How fast feeds are fetched and at what cost, beside reqwest, from one local server in the same run.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench fetch`. 500 feeds of 20 KB of gzip, 64 at once, whole and then
//! as 304. The server and each client are processes of their own, so that time and memory are each one's own; the
//! clients take turns, and the best of several rounds counts.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_ports::{FetchRequest, Fetcher};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match words.as_slice() {
        ["serve"] => runtime.block_on(serve()),
        [client, port, validator @ ..] => runtime.block_on(measure(client, port, !validator.is_empty())),
        _ => compare(),
    }
}

/// Starts the server and the clients in turn, and prints what they measured.
fn compare() -> io::Result<()> {
    let mut server = child(&["serve"])?;
    let port = first_line(&mut server)?;
    for (title, validator) in [("200 with 20 KB of gzip", &[][..]), ("304", &["conditional"][..])] {
        let mut best = [[0.0_f64; 3]; 2];
        for _ in 0..TURNS {
            for (client, best) in CLIENTS.iter().zip(&mut best) {
                let words = [&[*client, port.as_str()], validator].concat();
                let mut client = child(&words)?;
                let figures = first_line(&mut client)?;
                client.wait()?;
                let figures: Vec<f64> = figures.split(' ').filter_map(|figure| figure.parse().ok()).collect();
                if figures[0] > best[0] {
                    best.copy_from_slice(&figures);
                }
            }
        }
        println!("{title}: {REQUESTS} requests, {AT_ONCE} at once");
        for (client, [rate, cpu, peak]) in CLIENTS.iter().zip(best) {
            println!("  {client:<10} {rate:>7.0} requests/s  {cpu:>6.1} µs CPU each  {peak:>6.1} MB at most");
        }
        let [[our_rate, our_cpu, our_peak], [rate, cpu, peak]] = best;
        println!(
            "  rate {:.2} x, CPU {:.2} x, memory {:.2} x reqwest",
            our_rate / rate,
            our_cpu / cpu,
            our_peak / peak
        );
    }
    server.kill()?;
    server.wait().map(drop)
}

fn child(words: &[&str]) -> io::Result<Child> {
    Command::new(std::env::current_exe()?).args(words).stdout(Stdio::piped()).spawn()
}

fn first_line(child: &mut Child) -> io::Result<String> {
    let out = child.stdout.as_mut().ok_or_else(|| io::Error::other("the child has no output"))?;
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// Makes the requests with one client and prints requests a second, microseconds of CPU each, and megabytes at most.
async fn measure(client: &str, port: &str, is_conditional: bool) -> io::Result<()> {
    let fetch = subject(client);
    let urls: Arc<Vec<String>> = Arc::new((0..FEEDS).map(|n| format!("http://127.0.0.1:{port}/{n}.xml")).collect());
    let (cpu, start) = (cpu_micros()?, Instant::now());
    let mut tasks = JoinSet::new();
    for worker in 0..AT_ONCE {
        let (fetch, urls) = (Arc::clone(&fetch), Arc::clone(&urls));
        tasks.spawn(async move {
            for number in (worker..REQUESTS).step_by(AT_ONCE) {
                let read = fetch.get(&urls[number % FEEDS], is_conditional).await;
                assert!(if is_conditional { read == 0 } else { read > 50_000 }, "{read} bytes");
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.map_err(io::Error::other)?;
    }
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_micros()? - cpu);
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let peak: f64 = peak.trim().trim_end_matches(" kB").parse().map_err(io::Error::other)?;
    println!("{} {} {}", REQUESTS as f64 / seconds, cpu / REQUESTS as f64, peak / 1024.0);
    Ok(())
}

enum Subject {
    Headwater(HyperFetcher),
    Reqwest(reqwest::Client),
}

fn subject(client: &str) -> Arc<Subject> {
    let mut config = HttpConfig { requests_per_host: AT_ONCE, ..HttpConfig::default() };
    config.exemptions.add("127.0.0.1").expect("an address");
    Arc::new(match client {
        "headwater" => Subject::Headwater(HyperFetcher::new(config).expect("a sound configuration")),
        _ => Subject::Reqwest(reqwest::Client::builder().gzip(true).build().expect("a sound configuration")),
    })
}

impl Subject {
    /// The length of the decoded body.
    async fn get(&self, url: &str, is_conditional: bool) -> usize {
        match self {
            Self::Headwater(fetcher) => {
                let url: url::Url = url.parse().expect("a sound URL");
                let mut request = FetchRequest::get(url.into());
                if is_conditional {
                    request = request.header("If-None-Match", "\"v1\"");
                }
                fetcher.fetch(request).await.outcome.expect("the server answers").body.len()
            }
            Self::Reqwest(client) => {
                let mut request = client.get(url);
                if is_conditional {
                    request = request.header("If-None-Match", "\"v1\"");
                }
                request.send().await.expect("the server answers").bytes().await.expect("a sound body").len()
            }
        }
    }
}

/// Time on the processors of this process so far.
fn cpu_micros() -> io::Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok()).sum();
    // A tick is a hundredth of a second on every Linux that we know.
    Ok(ticks * 10_000.0)
}

async fn serve() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    io::stdout().flush()?;
    let body = feed()?;
    let whole = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nETag: \"v1\"\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let whole = Arc::new([whole.into_bytes(), body].concat());
    loop {
        let (stream, _) = listener.accept().await?;
        let whole = Arc::clone(&whole);
        tokio::spawn(async move {
            let _ = answer(stream, &whole).await;
        });
    }
}

async fn answer(mut stream: TcpStream, whole: &[u8]) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut head = Vec::new();
    loop {
        if stream.read_buf(&mut head).await? == 0 {
            return Ok(());
        }
        if head.ends_with(b"\r\n\r\n") {
            let is_conditional = String::from_utf8_lossy(&head).to_ascii_lowercase().contains("if-none-match");
            let reply: &[u8] =
                if is_conditional { b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n" } else { whole };
            stream.write_all(reply).await?;
            head.clear();
        }
    }
}

/// A feed that is 20 KB in gzip, of made-up words.
fn feed() -> io::Result<Vec<u8>> {
    let mut state = 1_u32;
    let mut word = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        SYLLABLES[(state >> 24) as usize % SYLLABLES.len()]
    };
    let mut text = String::from("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>A feed</title>");
    for number in 0..200 {
        let prose: String = (0..250).map(|_| word()).collect();
        text.push_str(&format!(
            "<item><guid>{number}</guid><title>Number {number}</title><description>{prose}</description></item>"
        ));
    }
    text.push_str("</channel></rss>");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

const CLIENTS: [&str; 2] = ["headwater", "reqwest"];
const FEEDS: usize = 500;
const AT_ONCE: usize = 64;
const REQUESTS: usize = 20 * FEEDS;
const TURNS: usize = 5;
const SYLLABLES: [&str; 16] = [
    "the ", "stream ", "be", "gins ", "where ", "feeds ", "are ", "read, ", "po", "lite", "ly ", "and ", "once. ",
    "No ", "more ", "than ",
];
