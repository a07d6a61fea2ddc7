//! Does a secret show anywhere: a marked one in URL, header, user information, redirect and feed, looked for in standard
//! output, standard error with logs at trace level, and every file that is left behind?

use std::path::Path;
use std::process::{Command, Output};

use headwater_tests::server::{Received, Reply, StandIn};

/// Stands in every secret of these tests, and nowhere else.
const MARK: &str = "MaRk7a9f";

/// A passkey as trackers make them.
const KEY: &str = "MaRk7a9f0123456789abcdef01234567";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fetch_leaves_no_trace_of_a_secret() {
    let server = StandIn::start(answer).await;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let at = server.address();
    let urls = [
        format!("http://alice:{KEY}@{at}/feed?passkey={KEY}&cat=2#token={KEY}"),
        format!("http://{at}/moved?apikey={KEY}"),
        format!("http://{at}/rss/{KEY}/feed"),
        format!("http://{at}/missing?go=https%3A%2F%2Fh%2F%3Fauthkey%3D{KEY}"),
        format!("http://{at}/page?torrent_pass={KEY}"),
        format!("http://{at}/inside?sign={KEY}"),
        format!("http://127.0.0.1:1/closed?secret={KEY}"),
        format!("ftp://{at}/?passkey={KEY}"),
        format!("http://[broken/?passkey={KEY}"),
    ];
    let mut shown = String::new();
    for (number, url) in urls.iter().enumerate() {
        for _ in 0..2 {
            let state = folder.path().join(format!("state{number}.json"));
            let output =
                headwater(folder.path(), &["feed", "fetch", url, "--json", "--state", &state.display().to_string()]);
            shown.push_str(&without_secrets(&output, url));
        }
    }
    assert!(
        shown.contains("[REDACTED]") && shown.contains("\"new\":2") && shown.contains("blocked_address"),
        "{shown}"
    );
    assert!(server.requests().iter().any(|request| request.value("x-mine").is_some_and(|value| value.contains(MARK))));
    assert!(server.requests().iter().any(|request| request.target.contains(KEY)), "the server does get the secret");
    nothing_kept(folder.path(), urls.len() - 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_other_commands_leave_no_trace_either() {
    let server = StandIn::start(answer).await;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let url = format!("http://alice:{KEY}@{}/feed?passkey={KEY}", server.address());
    let file = folder.path().join("feed.xml");
    std::fs::write(&file, feed()).expect("the folder can be written");
    let (file, cursor) = (file.display().to_string(), folder.path().join("cursor.json").display().to_string());
    let store = format!("sqlite:{}", folder.path().join("store.db").display());
    for arguments in [
        vec!["feed", "apply", &file, "--feed-url", &url, "--cursor", &cursor],
        vec!["feed", "parse", &file, "--base-url", &url],
        vec!["feed", "discover", &url, "--json"],
        vec!["url", "check", &url],
        vec!["url", "normalise", &url],
        vec!["run", &url, "--store", &store, "--json"],
    ] {
        without_secrets(&headwater(folder.path(), &arguments), arguments[1]);
    }
    std::fs::remove_file(&file).expect("the file was written above");
    nothing_kept(folder.path(), 2);
}

/// A feed with secrets wherever one can stand, pages that repeat what they were asked, and redirects that carry it on.
fn answer(request: &Received) -> Reply {
    match request.path() {
        "/feed" | "/end" => Reply::ok(feed()).header("Content-Type", "application/rss+xml").header("ETag", "\"1\""),
        "/moved" => Reply::redirect(301, &format!("/end?apikey={KEY}&x=1")),
        "/inside" => Reply::redirect(302, &format!("http://192.168.0.1/?sign={KEY}")),
        "/page" => Reply::ok(format!("<html><title>No {} for passkey={KEY}</title></html>", request.target)),
        _ => Reply::new(404).body(format!("nothing at {}", request.target)),
    }
}

fn feed() -> String {
    let download = format!("https://t.example/dl?id=7&amp;passkey={KEY}");
    format!(
        "<rss version='2.0'><channel><title>F</title><link>https://t.example/?token={KEY}</link>\
         <item><title>One</title><guid>{download}</guid><link>https://t.example/details?id=7&amp;authkey={KEY}</link>\
         <description>get it at https://t.example/dl?passkey={KEY} &lt;a href='{download}'&gt;or here&lt;/a&gt;</description>\
         <enclosure url='{download}' length='99' type='application/x-bittorrent'/></item>\
         <item><title>Two https://t.example/?rsskey={KEY}</title><category>https://t.example/?sig={KEY}</category>\
         <link>https://bob:{KEY}@t.example/2</link></item></channel></rss>"
    )
}

/// Runs the binary with a secret header and logs at trace level.
fn headwater(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(arguments);
    if arguments[1] == "fetch" {
        command.args(["--header", &format!("X-Mine: {KEY}"), "--header", &format!("Cookie: session={KEY}")]);
    }
    command.args(["--allow", "127.0.0.1", "--now", "2026-05-20T12:00:00Z", "--log", "trace"]);
    command.current_dir(folder).env_clear().env("HOME", folder).output().expect("the binary runs")
}

/// What was shown, after a look for the mark.
#[track_caller]
fn without_secrets(output: &Output, what: &str) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    for (place, text) in [("standard output", &out), ("standard error", &err)] {
        let found = text.lines().find(|line| holds_mark(line.as_bytes()));
        assert_eq!(found, None, "in {place} of {what}");
    }
    out.into_owned()
}

/// Looks for the mark in every file of the folder; there are at least so many.
#[track_caller]
fn nothing_kept(folder: &Path, at_least: usize) {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        let content = std::fs::read(&path).expect("the file can be read");
        assert!(!holds_mark(&content), "in {}", path.display());
        count += 1;
    }
    assert!(count >= at_least, "only {count} files were written");
}

/// The mark as it is, in any case, and as Basic authentication spells it.
fn holds_mark(content: &[u8]) -> bool {
    let text = String::from_utf8_lossy(content).to_lowercase();
    // `alice:MaR` and what follows in base64.
    text.contains(&MARK.to_lowercase()) || text.contains("ywxpy2u6twfsa")
}
