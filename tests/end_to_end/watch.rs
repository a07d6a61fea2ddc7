//! How runs follow a schedule, and how that ends.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command};

use serde_json::Value;

use crate::kit::{Ended, Headwater, items, paths, rss, site};

fn terminate(child: &Child) {
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

#[test]
fn runs_follow_the_schedule_until_the_watch_is_ended() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let words = ["run", &site.url("/"), "--watch", "--schedule", "@every 1s", "--refresh", "--json"];
    let child = headwater.other_command(&words).spawn().unwrap();
    // The second run begins with the feed again.
    site.wait_for_times("/", 2);
    terminate(&child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.status, 0, "{ended:?}");
    let first: Value = serde_json::from_str(ended.out.lines().next().unwrap()).unwrap();
    assert_eq!(paths(&first), ["/1", "/2", "/3"]);
}

#[test]
fn a_watch_that_waits_ends_when_it_is_told() {
    let (headwater, site) = (Headwater::new(), site());
    let words = ["run", &site.url("/"), "--watch", "--schedule", "0 7 1 1 *", "--tz", "Europe/Berlin"];
    let mut child = headwater.other_command(&words).spawn().unwrap();
    let err = BufReader::new(child.stderr.take().unwrap());
    assert!(err.lines().any(|line| line.unwrap().contains("waiting until")));
    terminate(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(site.take_requests().is_empty());
}

#[test]
fn two_watchers_on_one_store_share_the_work() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let words = ["run", &site.url("/"), "--watch", "--schedule", "@every 1s", "--refresh"];
    let watchers = [(); 2].map(|()| headwater.other_command(&words).spawn().unwrap());
    site.wait_for_times("/", 3);
    watchers.iter().for_each(terminate);
    for watcher in watchers {
        assert_eq!(Ended::of(watcher.wait_with_output().unwrap()).status, 0);
    }
    let asked = site.take_requests();
    for path in ["/1", "/2", "/3"] {
        assert_eq!(asked.iter().filter(|asked| *asked == path).count(), 1, "{asked:?}");
    }
}

#[test]
fn a_watch_without_a_sensible_schedule_does_not_begin() {
    let headwater = Headwater::new();
    for (words, code) in [
        (&["run", "https://a.example/", "--watch", "--json"][..], "invalid_schedule"),
        (&["run", "https://a.example/", "--watch", "--schedule", "61 * * * *", "--json"], "invalid_schedule"),
    ] {
        let ended = headwater.other(words);
        assert_eq!((ended.status, ended.json()["error"]["code"].as_str()), (1, Some(code)), "{ended:?}");
    }
    let fixed = headwater.run(&["https://a.example/", "--watch", "--schedule", "@daily"]);
    assert_eq!(fixed.status, 2, "{fixed:?}");
}
