//! What the end-to-end tests share: the binary with a store of its own, and sites to read.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use headwater_tests::site::{Answer, Site};
use serde_json::Value;
use tempfile::TempDir;

/// The time of a run, where a test does not say another.
pub const NOW: &str = "2026-05-20T12:00:00Z";

/// The binary with a folder of its own: store, configuration and output are nobody else's.
pub struct Headwater {
    folder: TempDir,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Headwater {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("the folder can be written");
        path
    }

    /// `headwater run` with these arguments, ready to be started.
    pub fn command(&self, now: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
        command
            .arg("run")
            .args(arguments)
            .args(["--allow", "127.0.0.1", "--now", now, "--store"])
            .arg(store(self.folder.path()))
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Any command with the store of this folder, ready to be started; the clock runs.
    pub fn other_command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
        command.args(words).current_dir(self.folder.path()).env_clear().env("HOME", self.folder.path());
        command.env("HEADWATER__STORE__URL", store(self.folder.path()));
        command.args(["--allow", "127.0.0.1"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs any command to its end.
    pub fn other(&self, words: &[&str]) -> Ended {
        Ended::of(self.other_command(words).output().expect("the binary runs"))
    }

    /// Runs `headwater run` to its end.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        self.run_at(NOW, arguments)
    }

    /// Runs `headwater run` at a time.
    pub fn run_at(&self, now: &str, arguments: &[&str]) -> Ended {
        Ended::of(self.command(now, arguments).output().expect("the binary runs"))
    }

    /// The digest of a run that prints JSON.
    pub fn digest(&self, arguments: &[&str]) -> Value {
        self.digest_at(NOW, arguments)
    }

    /// The digest of a run at a time.
    pub fn digest_at(&self, now: &str, arguments: &[&str]) -> Value {
        let ended = self.run_at(now, &[arguments, &["--json"]].concat());
        ended.json()
    }
}

impl Ended {
    /// What a finished process left.
    pub fn of(output: std::process::Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Standard output as one JSON document.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A site whose articles `/1` to `/9` can be read.
pub fn site() -> Site {
    let site = Site::start().expect("a port is free");
    for number in 1..=9 {
        site.set(&format!("/{number}"), article(&format!("Article {number}")));
    }
    site
}

/// A page with an article.
pub fn article(title: &str) -> Answer {
    let paragraph = |part: usize| {
        format!(
            "<p>{title}, part {part}: the mill by the river was rebuilt in a dry summer, and whoever came past stopped to \
             look at the wheel that {title} describes in words of its own, number {part}, with patience and some care.</p>"
        )
    };
    let text: String = (1..=5).map(paragraph).collect();
    Answer::html(format!(
        "<!DOCTYPE html><html lang='en'><head><title>{title}</title></head><body><nav><a href='/'>Home</a></nav>\
         <main><article><h1>{title}</h1>{text}</article></main></body></html>"
    ))
}

/// An RSS 2.0 item of a link and, if it is not empty, a date.
pub fn item(link: &str, date: &str) -> String {
    let date = if date.is_empty() { String::new() } else { format!("<pubDate>{date}</pubDate>") };
    let name = link.rsplit('/').next().unwrap_or(link);
    format!("<item><title>Item {name}</title><link>{link}</link>{date}</item>")
}

/// An RSS 2.0 feed.
pub fn rss(items: &[String]) -> Answer {
    let items = items.concat();
    let body = format!("<?xml version='1.0'?><rss version='2.0'><channel><title>News</title>{items}</channel></rss>");
    Answer::of("application/rss+xml", body)
}

/// Items of a site's articles by number, without dates.
pub fn items(site: &Site, numbers: &[usize]) -> Vec<String> {
    numbers.iter().map(|number| item(&site.url(&format!("/{number}")), "")).collect()
}

/// A home page that announces a feed, or none where `feed` is empty, and links articles by number.
pub fn home(feed: &str, numbers: &[usize]) -> Answer {
    let link = if feed.is_empty() {
        String::new()
    } else {
        format!("<link rel='alternate' type='application/rss+xml' href='{feed}'>")
    };
    let teaser = |number: &usize| {
        format!(
            "<article><h2><a href='/{number}'>The story of article number {number} and the mill</a></h2>\
             <p>A few words on what is told in article number {number}.</p></article>"
        )
    };
    let teasers: String = numbers.iter().map(teaser).collect();
    Answer::html(format!(
        "<!DOCTYPE html><html><head><title>Home</title>{link}</head><body><nav><a href='/about'>About</a></nav>\
         <main>{teasers}</main></body></html>"
    ))
}

/// The paths of the digest's articles, sorted.
pub fn paths(digest: &Value) -> Vec<String> {
    let mut paths = paths_in_order(digest);
    paths.sort();
    paths
}

/// The paths of the digest's articles in its order.
pub fn paths_in_order(digest: &Value) -> Vec<String> {
    let articles = digest["articles"].as_array().unwrap_or_else(|| panic!("no articles: {digest}"));
    let path = |article: &Value| {
        let url = article["url"].as_str().unwrap_or_default();
        url.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap_or_default()
    };
    articles.iter().map(path).collect()
}

fn store(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("store.db").display())
}
