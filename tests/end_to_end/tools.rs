//! Do the small commands do what they promise: `feed parse`, `opml`, `schedule next`?

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::kit::{Ended, Headwater, NOW};

/// Runs a command in the folder, with a text on its standard input.
fn run(home: &Headwater, arguments: &[&str], input: &str) -> Ended {
    let mut child = Command::new(env!("CARGO_BIN_EXE_headwater"))
        .args(arguments)
        .args(["--now", NOW])
        .current_dir(home.path(""))
        .env_clear()
        .env("HOME", home.path(""))
        .env("TZ", "Asia/Tokyo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // A command that does not read closes the pipe, which is its right.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    Ended::of(child.wait_with_output().expect("the binary ends"))
}

const RSS: &str = "<rss version='2.0'><channel><title>T</title><link>https://a.example/</link>\
    <item><title>One</title><link>/1</link><pubDate>Ke, 30 Lok 2013 11:34:37</pubDate>\
    <description>&lt;p onclick='x()'>Hi&lt;script>x()&lt;/script></description></item></channel></rss>";
const JSON: &str = r#"{"version":"https://jsonfeed.org/version/1","items":[{"id":"a"}]}"#;

#[test]
fn a_feed_is_parsed_from_a_file_and_from_standard_input() {
    let home = Headwater::new();
    home.write("feed.xml", RSS);
    let from_file = run(&home, &["feed", "parse", "feed.xml"], "");
    let from_input = run(&home, &["feed", "parse", "-"], RSS);
    assert_eq!((from_file.status, &from_file.out), (0, &from_input.out), "{from_file:?} {from_input:?}");
    let item = &from_file.json()["items"][0];
    assert_eq!(item["link"], "https://a.example/1");
    assert_eq!(item["published_at"], "2013-10-30T11:34:37Z");
    assert_eq!(item["date_zone"], "assumed");
    assert_eq!(item["description"], "<p>Hi</p>");
    assert_eq!(item["fetched_at"], NOW);
}

#[test]
fn what_is_no_feed_fails_with_a_code() {
    let home = Headwater::new();
    let ended = run(&home, &["feed", "parse", "-"], "<html><body>Hello</body></html>");
    assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &json!("not_a_feed")));
    let ended = run(&home, &["feed", "parse", "missing.xml"], "");
    assert_eq!(ended.status, 2, "{ended:?}");
}

#[test]
fn a_batch_is_answered_in_order() {
    let home = Headwater::new();
    let mut list = String::new();
    for number in 0..40 {
        let name = format!("{number}.xml");
        match number % 3 {
            0 => home.write(&name, RSS.replace("One", &format!("One {number}"))),
            1 => home.write(&name, JSON.replace("\"a\"", &format!("\"{number}\""))),
            _ => home.write(&name, "no feed"),
        };
        match number % 2 {
            0 => list.push_str(&format!("{name}\n\n")),
            _ => list.push_str(&format!(
                "{}\n",
                json!({"path": name, "base_url": "https://b.example/", "content_type": "text/xml"})
            )),
        }
    }
    list.push_str("gone.xml\n{\"no\": \"path\"}");
    home.write("list", &list);
    let ended = run(&home, &["feed", "parse", "--batch", "list"], "");
    assert_eq!((ended.status, &ended.out), (3, &run(&home, &["feed", "parse", "--batch", "-"], &list).out));
    let lines: Vec<Value> = ended.out.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(lines.len(), 42);
    for (number, line) in lines[..40].iter().enumerate() {
        match number % 3 {
            0 => assert_eq!(line["items"][0]["title"], format!("One {number}")),
            1 => assert_eq!(line["items"][0]["guid"], number.to_string()),
            _ => assert_eq!(
                (&line["path"], &line["error"]["code"]),
                (&json!(format!("{number}.xml")), &json!("not_a_feed"))
            ),
        }
    }
    assert_eq!(lines[40]["path"], "gone.xml");
    assert_eq!(lines[41]["error"]["code"], "invalid_config");
}

const LIST: &str = "<opml><body><outline text='F'><outline text='A' xmlUrl='https://a.example/?x=1&y=2'/></outline>\
    <outline text='B' xmlUrl='https://b.example/?passkey=hushhush'/><outline text='Site' htmlUrl='https://c.example/'/></body></opml>";

#[test]
fn a_list_is_imported_once_and_exported_without_secrets() {
    let home = Headwater::new();
    home.write("list.opml", LIST);
    let store = format!("sqlite:{}", home.path("s.db").display());
    let import =
        |more: &[&str]| run(&home, &[&["opml", "import", "list.opml", "--store", &store, "--json"], more].concat(), "");

    let dry = import(&["--dry-run"]);
    assert_eq!(dry.status, 3, "{dry:?}");
    assert_eq!(
        dry.json(),
        json!({
            "feeds": [
                {"url": "https://a.example/?x=1&y=2", "title": "A", "path": ["F"]},
                {"url": "https://b.example/?passkey=[REDACTED]", "title": "B", "path": []}
            ],
            "duplicates": 0,
            "problems": [{"text": "Site", "reason": "no_xml_url"}]
        })
    );
    assert!(!home.path("s.db").exists(), "nothing is stored");
    assert_eq!(import(&[]).json()["added"], 2);
    assert_eq!(import(&[]).json()["added"], 0);

    let exported = run(&home, &["opml", "export", "--store", &store], "");
    assert_eq!(exported.status, 0, "{exported:?}");
    assert!(!exported.out.contains("hushhush") && !exported.err.contains("hushhush"), "{exported:?}");
    let again = run(&home, &["opml", "import", "-", "--dry-run", "--json"], &exported.out).json();
    assert_eq!(again["feeds"].as_array().map(Vec::len), Some(2), "{again}");
    assert_eq!(again["feeds"][0]["url"], "https://a.example/?x=1&y=2");
}

#[test]
fn schedules_are_told_and_refused() {
    let home = Headwater::new();
    let next = |arguments: &[&str]| run(&home, &[&["schedule", "next"], arguments].concat(), "");
    let times =
        next(&["30 2 * * *", "--tz", "Europe/Berlin", "--after", "2024-03-30T12:00:00Z", "--count", "2", "--json"]);
    assert_eq!((times.status, times.json()), (0, json!({"times": ["2024-03-31T01:00:00Z", "2024-04-01T00:30:00Z"]})));
    assert_eq!(next(&["@every 1h", "--count", "1"]).out, "2026-05-20T13:00:00Z\n");
    let refused = next(&["61 * * * *", "--json"]);
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (1, &json!("invalid_schedule")));
    assert!(refused.out.contains("the minute 61 is not between 0 and 59"), "{refused:?}");
}
